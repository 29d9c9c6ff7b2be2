"""Users: accounts, guests, bots and levels of the computer."""
