"""Clubs with members, private games and leaderboards."""
