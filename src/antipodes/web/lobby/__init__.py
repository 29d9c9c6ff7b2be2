"""The home page and the lobby."""
