"""The lobby: what can be played now, and with whom."""
