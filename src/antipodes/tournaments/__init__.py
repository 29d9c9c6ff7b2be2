"""Pairings and standings of events, as pure functions.

Players are pairing numbers: whole numbers from 1, the strongest player first. A format gets the
players who take part in the next round and the pairings so far, and returns the next pairings.
Each format is a class in a module of its own, which says everything about it; `make_format` returns
one by its name. Nothing here knows of clocks or the site.

>>> from antipodes.tournaments import EventState, make_format
>>> swiss = make_format("swiss", {"rounds": 3})
>>> for pairing in swiss.pair(EventState([1, 2, 3, 4], rounds=3), round_number=1):
...     print(pairing.first, pairing.second)
1 3
4 2
"""

from antipodes.tournaments.bouts import (
    BOUTS,
    MIRRORED,
    SINGLE,
    Bout,
    BoutGame,
    Decision,
    Score,
    make_bout,
    total,
)
from antipodes.tournaments.formats import (
    EMPTY,
    LARGEST_CROSSTABLE,
    Bracket,
    BracketRound,
    Crosstable,
    EventState,
    Format,
    Part,
    Place,
    TeamTable,
)
from antipodes.tournaments.history import History, Pairing
from antipodes.tournaments.openings import opening_of_game, openings_of_pairings
from antipodes.tournaments.performance import performance_rating, performances
from antipodes.tournaments.playoff import PLAYOFF_BOUT, PLAYOFF_CONTROL
from antipodes.tournaments.registry import FORMATS, make_format
from antipodes.tournaments.seasons import SeasonRow, season_standings
from antipodes.tournaments.standings import Standing, TieBreak, standings
from antipodes.tournaments.trf import TrfEvent, TrfPlayer, read_trf, to_trf

__all__ = [
    "BOUTS",
    "EMPTY",
    "FORMATS",
    "LARGEST_CROSSTABLE",
    "MIRRORED",
    "PLAYOFF_BOUT",
    "PLAYOFF_CONTROL",
    "SINGLE",
    "Bout",
    "BoutGame",
    "Bracket",
    "BracketRound",
    "Crosstable",
    "Decision",
    "EventState",
    "Format",
    "History",
    "Pairing",
    "Part",
    "Place",
    "Score",
    "SeasonRow",
    "Standing",
    "TeamTable",
    "TieBreak",
    "TrfEvent",
    "TrfPlayer",
    "make_bout",
    "make_format",
    "opening_of_game",
    "openings_of_pairings",
    "performance_rating",
    "performances",
    "read_trf",
    "season_standings",
    "standings",
    "to_trf",
    "total",
]
