"""Cost estimates: the expected CPU time of the computer's moves.

Estimates choose the lane of a move and order the moves of a user. Usage is charged with the actual
time.
"""

from __future__ import annotations

from antipodes.games.position import Game
from antipodes.search.levels import level_of
from antipodes.web.platform.limits import count_limit

MOVE_SECONDS = count_limit(
    "move-seconds", 5, per="move", what="seconds that the computer thinks about a move"
)

# Seconds of a visit for each cell of the board, and of the preparation for each pair of cells;
# measured with each level on small, usual and large boards, and rounded up.
_VISIT = {"placement": 1e-7, "antipalos": 1e-6, "antipode": 2e-8}
_SLOWEST_VISIT = max(_VISIT.values())
_NETWORK_VISIT = 1.4e-6  # which evaluates a position with the network
_PAIR = 1e-6


def seconds_of_move(game: Game, computer: str) -> float:
    """Return how many seconds a player such as ``computer:3`` is expected to take for a move.

    Players that do not search, such as the pairing strategy, take none.
    """
    level = level_of(computer)
    if level is None:
        return 0.0
    skill = level.skill(game)
    visits = skill.haste * skill.glance + (1 - skill.haste) * (skill.visits or 0)
    cells = game.topology.cell_count
    # A level has the network in its skill only where there is one.
    visit = _NETWORK_VISIT if skill.network else _VISIT.get(game.family, _SLOWEST_VISIT)
    expected = cells * visits * visit + cells * cells * _PAIR
    return min(expected, float(MOVE_SECONDS.value))
