"""The first page and the lobby."""
