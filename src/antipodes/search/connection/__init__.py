"""What is known of connections in the placement games: who is sure to win, and why."""

from antipodes.search.connection.advisor import ConnectionAdvisor, connection_advisor, swap_ahead
from antipodes.search.connection.circuit import Circuits
from antipodes.search.connection.derivation import Connection, Point, Rule
from antipodes.search.connection.virtual import ConnectionSearch, Effort, Look

__all__ = [
    "Circuits",
    "Connection",
    "ConnectionAdvisor",
    "ConnectionSearch",
    "Effort",
    "Look",
    "Point",
    "Rule",
    "connection_advisor",
    "swap_ahead",
]
