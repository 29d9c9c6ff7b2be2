"""Playoff: a knockout among the players who are tied for the first place after all rounds.

Its games are live and short, whatever those of the event are: a pair with seats exchanged, then
single games while the pair is equal.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

from antipodes.errors import Phrase
from antipodes.tournaments.bouts import AllGames, Bout
from antipodes.tournaments.formats import EventState, Format, Part
from antipodes.tournaments.history import History, Pairing
from antipodes.tournaments.knockout import bracket_of, pair_knockout, rounds_of_knockout
from antipodes.tournaments.standings import Standing, TieBreak

PLAYOFF_BOUT: Bout = AllGames(2, is_shared=False)
PLAYOFF_CONTROL = "3m+2s"

_TITLE = Phrase("Playoff")


def pair_playoff(table: Sequence[Standing], event: EventState, round_number: int) -> list[Pairing]:
    """Return the pairings of a round of a playoff; none without a tie, or if it is over.

    Args:
        table: the standings, in which players who are tied for the first place share rank 1.
        event: all that has happened.
        round_number: of the event, after all regular rounds.

    Raises:
        InputError: an earlier pairing of the playoff is undecided.
    """
    if TieBreak.PLAYOFF not in event.tie_breaks:
        return []
    seeds, earlier, before = _begun(event)
    if not seeds:
        tied = {row.player for row in table if row.rank == 1}
        seeds, before = sorted(tied.intersection(event.active)), round_number - 1
    number = round_number - before
    if len(seeds) < 2 or number > rounds_of_knockout(len(seeds)):
        return []
    made = pair_knockout(seeds, earlier, number, History(event.pairings))
    return [replace(one, round=round_number, is_playoff=True) for one in made]


def _begun(event: EventState) -> tuple[list[int], list[Pairing], int]:
    """Return the players of a playoff, its pairings with rounds from 1, and the rounds before."""
    pairings = [one for one in event.pairings if one.is_playoff]
    before = min((one.round for one in pairings), default=1) - 1
    earlier = [replace(one, round=one.round - before) for one in pairings]
    seeds = {player for one in earlier if one.round == 1 for player in one.players}
    return sorted(seeds), earlier, before


@dataclass(frozen=True, kw_only=True)
class WithPlayoff(Format):
    """Base of formats that can end with a playoff."""

    has_playoff = True

    @abstractmethod
    def pair_regular(self, event: EventState, round_number: int) -> list[Pairing]:
        """Return the pairings of a round; none after the last one.

        Raises:
            InputError: the round cannot be paired.
        """

    def pair(self, event: EventState, round_number: int) -> list[Pairing]:
        """Return the pairings of a round, at last of the playoff if there is one."""
        regular = self.pair_regular(event, round_number)
        return regular or pair_playoff(self.table(event), event, round_number)

    def parts(self, event: EventState) -> list[Part]:
        """Return the crosstable, after the bracket of the playoff."""
        seeds, earlier, before = _begun(event)
        if not seeds:
            return super().parts(event)
        return [replace(bracket_of(seeds, earlier, before), title=_TITLE), *super().parts(event)]
