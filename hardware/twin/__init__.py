"""The virtual table: a board, its pieces and its lights as a camera would see them."""
