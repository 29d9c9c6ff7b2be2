"""Simuls: one host plays many players at once, with one list of all boards."""
