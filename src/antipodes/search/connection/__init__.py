"""Virtual connections in the placement games, and the knowledge that follows from them."""

from antipodes.search.connection.derivation import Endpoint, Rule, VirtualConnection
from antipodes.search.connection.knowledge import (
    ConnectionKnowledge,
    connection_knowledge,
    swap_ahead,
)
from antipodes.search.connection.virtual import (
    ConnectionLimits,
    ConnectionResult,
    ConnectionSearch,
    Decision,
)

__all__ = [
    "ConnectionKnowledge",
    "ConnectionLimits",
    "ConnectionResult",
    "ConnectionSearch",
    "Decision",
    "Endpoint",
    "Rule",
    "VirtualConnection",
    "connection_knowledge",
    "swap_ahead",
]
