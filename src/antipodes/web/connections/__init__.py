"""Connections that stay open: who may open one, how many there may be, and when they end."""
