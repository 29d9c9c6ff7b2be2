"""Finished games: found again, counted, and given to everybody."""
