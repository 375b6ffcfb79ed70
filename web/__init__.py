"""What people touch, and the running table."""
