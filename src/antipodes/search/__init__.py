"""Players of every game: they see games only through kernel signatures."""
