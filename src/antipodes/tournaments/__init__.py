"""Pairings and standings of events, as pure functions: round robin, Swiss, knockout, arena.

Players are pairing numbers: whole numbers from 1, the strongest player first. A format gets the
players who take part in the next round and the pairings so far, and returns the next pairings.
Nothing here knows of games, clocks or the site.

>>> from antipodes.tournaments import pair_swiss
>>> for pairing in pair_swiss([1, 2, 3, 4], [], round_number=1, rounds=3):
...     print(pairing.first, pairing.second)
1 3
4 2
"""

from antipodes.tournaments.arena import arena_standings, pair_arena
from antipodes.tournaments.history import History, Pairing
from antipodes.tournaments.knockout import pair_knockout, rounds_of_knockout
from antipodes.tournaments.round_robin import groups, pair_round_robin, rounds_of_round_robin
from antipodes.tournaments.standings import Standing, TieBreak, standings
from antipodes.tournaments.swiss import pair_swiss
from antipodes.tournaments.trf import TrfPlayer, to_trf

__all__ = [
    "History",
    "Pairing",
    "Standing",
    "TieBreak",
    "TrfPlayer",
    "arena_standings",
    "groups",
    "pair_arena",
    "pair_knockout",
    "pair_round_robin",
    "pair_swiss",
    "rounds_of_knockout",
    "rounds_of_round_robin",
    "standings",
    "to_trf",
]
