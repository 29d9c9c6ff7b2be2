"""What is known of connections in the placement games: who is sure to win, and why."""

from antipodes.search.connection.derivation import Connection, Point, Rule
from antipodes.search.connection.virtual import ConnectionSearch, Look

__all__ = ["Connection", "ConnectionSearch", "Look", "Point", "Rule"]
