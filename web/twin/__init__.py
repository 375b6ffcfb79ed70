"""The virtual table that takes the place of a real one, so that everything can be tried at once."""
