"""Stands where raw photographs would be written; a board camera takes none."""
