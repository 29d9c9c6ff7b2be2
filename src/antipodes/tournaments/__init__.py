"""Pairings and standings of events, as pure functions.

Players are pairing numbers: whole numbers from 1, the strongest player first. A format gets the
players who take part in the next round and the pairings so far, and returns the next pairings.
Each format is a class in a module of its own, and `make_format` returns one by its name. Nothing
here knows of games, clocks or the site.

>>> from antipodes.tournaments import pair_swiss
>>> for pairing in pair_swiss([1, 2, 3, 4], [], round_number=1, rounds=3):
...     print(pairing.first, pairing.second)
1 3
4 2
"""

from antipodes.tournaments.arena import Arena, arena_standings, pair_arena
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
from antipodes.tournaments.double_elimination import (
    DoubleElimination,
    pair_double_elimination,
    rounds_of_double_elimination,
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
from antipodes.tournaments.groups import Groups
from antipodes.tournaments.history import History, Pairing
from antipodes.tournaments.knockout import Knockout, pair_knockout, rounds_of_knockout
from antipodes.tournaments.ladder import Ladder
from antipodes.tournaments.league import League
from antipodes.tournaments.openings import opening_of_game, openings_of_pairings
from antipodes.tournaments.performance import performance_rating, performances
from antipodes.tournaments.playoff import PLAYOFF_BOUT, PLAYOFF_CONTROL
from antipodes.tournaments.registry import FORMATS, make_format
from antipodes.tournaments.rolling_swiss import RollingSwiss, pair_rolling
from antipodes.tournaments.round_robin import (
    RoundRobin,
    groups,
    pair_round_robin,
    rounds_of_round_robin,
)
from antipodes.tournaments.seasons import SeasonRow, season_standings
from antipodes.tournaments.standings import Standing, TieBreak, standings
from antipodes.tournaments.swiss import Swiss, pair_swiss
from antipodes.tournaments.tables import Tables, pair_tables
from antipodes.tournaments.team_match import TeamMatch
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
    "Arena",
    "Bout",
    "BoutGame",
    "Bracket",
    "BracketRound",
    "Crosstable",
    "Decision",
    "DoubleElimination",
    "EventState",
    "Format",
    "Groups",
    "History",
    "Knockout",
    "Ladder",
    "League",
    "Pairing",
    "Part",
    "Place",
    "RollingSwiss",
    "RoundRobin",
    "Score",
    "SeasonRow",
    "Standing",
    "Swiss",
    "Tables",
    "TeamMatch",
    "TeamTable",
    "TieBreak",
    "TrfEvent",
    "TrfPlayer",
    "arena_standings",
    "groups",
    "make_bout",
    "make_format",
    "opening_of_game",
    "openings_of_pairings",
    "pair_arena",
    "pair_double_elimination",
    "pair_knockout",
    "pair_rolling",
    "pair_round_robin",
    "pair_swiss",
    "pair_tables",
    "performance_rating",
    "performances",
    "read_trf",
    "rounds_of_double_elimination",
    "rounds_of_knockout",
    "rounds_of_round_robin",
    "season_standings",
    "standings",
    "to_trf",
    "total",
]
