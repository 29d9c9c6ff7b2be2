"""Rules of the games as pages, with example boards to play on."""
