"""Positions in requests."""

from __future__ import annotations

import json

from antipodes.web.analysis.position_queries import Line, read_line
from antipodes.web.api.schemas.analysis import PositionIn


def line_of(data: PositionIn) -> Line:
    """Return the position of a request.

    Raises:
        InputError: it is invalid; for a move, the fault says which one.
    """
    query = {
        **{name: str(value) for name, value in data.options.items()},
        "game": data.game,
        "setup": "" if data.setup is None else json.dumps(data.setup),
        "moves": ",".join(str(move) for move in data.moves),
    }
    return read_line(query)
