"""Virtual connections in the placement games."""

from antipodes.search.connection.derivation import Endpoint, Rule, VirtualConnection
from antipodes.search.connection.virtual import (
    ConnectionLimits,
    ConnectionResult,
    ConnectionSearch,
    Decision,
)

__all__ = [
    "ConnectionLimits",
    "ConnectionResult",
    "ConnectionSearch",
    "Decision",
    "Endpoint",
    "Rule",
    "VirtualConnection",
]
