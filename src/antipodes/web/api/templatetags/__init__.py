"""Filters for the pages of tokens."""
