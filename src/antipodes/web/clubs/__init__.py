"""Clubs: rooms with members, games and leaderboards of their own."""
