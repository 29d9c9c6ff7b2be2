"""Two games for Antipodes: Misere Hex and the game of Y."""
