"""The computer under the table: installing it, looking after it, what to do when it fails."""
