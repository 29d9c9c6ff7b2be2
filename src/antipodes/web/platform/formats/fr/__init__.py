"""Formats of dates in French."""
