"""Meanings to lights over a serial line."""
