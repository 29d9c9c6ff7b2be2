"""PostgreSQL backend that checks persistent connections cheaply."""
