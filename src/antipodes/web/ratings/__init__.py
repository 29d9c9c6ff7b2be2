"""Ratings of players by game, speed and size of the board."""
