"""Help texts of mail besides commands and games."""
