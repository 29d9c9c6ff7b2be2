"""The rules of the games as pages, with boards to try them on."""
