"""The rules: pure functions over frozen positions."""
