"""Tournaments: events of many games, from registration to the last round."""
