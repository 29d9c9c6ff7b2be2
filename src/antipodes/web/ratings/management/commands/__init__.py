"""Commands for hosts, about ratings."""
