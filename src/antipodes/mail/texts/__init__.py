"""What help by mail says besides commands and games."""
