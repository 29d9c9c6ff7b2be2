"""Contests between programs, and what their results say about strength."""
