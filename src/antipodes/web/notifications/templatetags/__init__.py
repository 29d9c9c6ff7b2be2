"""Tags for templates of notices."""
