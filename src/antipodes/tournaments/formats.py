"""Formats of events: the interface of all of them, and what they know of a running event.

A format is one class in a module of its own, which says everything about it: its name and words,
the rules that a host chooses (the fields), and what they must fit, the next pairings, the table and
its columns, the crosstables and brackets that show an event, and when it is over. Its methods are
pure functions of the log of an event. The site, its API and mail ask these questions, and know no
format by name. Words are English; the site translates them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from antipodes.errors import Fault, Phrase
from antipodes.games.options import Options
from antipodes.games.position import Game
from antipodes.tournaments.history import BYE, Pairing
from antipodes.tournaments.standings import Column, Standing, TieBreak, standings

Place = int | None  # a player, or `EMPTY`; ``None`` while it is not known
LARGEST_CROSSTABLE = 24  # players; a larger one cannot be read
TWO_SIDES = ((0,), (1,))  # each player is a side
EMPTY = 0  # a place of a bracket that no player has: the neighbour has a bye


@dataclass(frozen=True, slots=True)
class EventState:
    """The players of an event and all that has happened.

    Attributes:
        players: pairing numbers of all who have entered, also of those who have withdrawn.
        pairings: all so far.
        tie_breaks: in their order.
        withdrawn: pairing numbers of those who play no more.
        rounds: of the event, as `Format.rounds_for` said at its start.
        patient: in a continuous event, those who have waited for a while.
        teams: the team of each player, from 1, in a format with teams.
        places: of the players of a ladder, from 1; those who have left have none.
        sides: the seats of each side of a game, as at tables of three and four.
    """

    players: Sequence[int]
    pairings: Sequence[Pairing] = ()
    tie_breaks: Sequence[TieBreak] = ()
    withdrawn: Collection[int] = ()
    rounds: int | None = None
    patient: Collection[int] = ()
    teams: Mapping[int, int] = field(default_factory=dict)
    places: Mapping[int, int] = field(default_factory=dict)
    sides: Sequence[Sequence[int]] = TWO_SIDES

    @property
    def active(self) -> list[int]:
        """The players who have not withdrawn, in the order of their numbers."""
        return sorted(set(self.players) - set(self.withdrawn))

    @property
    def order(self) -> list[int]:
        """The players who have places, the first one on top."""
        return sorted(self.places, key=self.places.__getitem__)

    @property
    def free(self) -> list[int]:
        """The active players without a game."""
        busy = {player for one in self.pairings if one.points is None for player in one.players}
        return [one for one in self.active if one not in busy]


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The table of players who meet each other.

    Attributes:
        title: such as that of a group.
        rows: the players in the order of their ranks.
        pairings: those among them.
        up: players who go on to a final, or to a higher division.
        down: players who go to a lower division.
    """

    title: Phrase
    rows: Sequence[Standing]
    pairings: Sequence[Pairing]
    up: Collection[int] = frozenset()
    down: Collection[int] = frozenset()

    @property
    def players(self) -> set[int]:
        """The pairing numbers of its players."""
        return {row.player for row in self.rows}


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A column of a bracket.

    Attributes:
        number: the round.
        title: its name.
        pairs: from top to bottom. Where two neighbours are both decided, their winners meet in the
            next column; a column of the same length meets players from elsewhere.
    """

    number: int
    title: Phrase
    pairs: Sequence[tuple[Place, Place]]


@dataclass(frozen=True, slots=True)
class Bracket:
    """Who meets whom after a win or a loss.

    Attributes:
        title: such as "Losers' bracket".
        rounds: its columns.
    """

    title: Phrase
    rounds: Sequence[BracketRound]

    @property
    def players(self) -> set[int]:
        """The pairing numbers of its players, as far as they are known."""
        return {place for one in self.rounds for pair in one.pairs for place in pair if place}


@dataclass(frozen=True, slots=True)
class TeamTable:
    """The score of teams.

    Attributes:
        title: of the table.
        points: of each team.
    """

    title: Phrase
    points: Mapping[int, float]

    @property
    def players(self) -> set[int]:
        """No players: the table is small."""
        return set()


Part = Crosstable | Bracket | TeamTable


@dataclass(frozen=True, kw_only=True)
class Format(Options, ABC):
    """Who meets whom in an event. The fields of subclasses are the rules that a host chooses.

    Attributes:
        name: as in addresses, files and the API.
        title: in English.
        summary: one line for hosts, in English.
        scoring: how games count, as a sentence in English, where it is not the usual way.
        usual_tie_breaks: of events whose host chooses none.
        is_continuous: whether games begin at any time, until the time is up or the host ends it.
        carries_over: whether the next event of a series begins with the players of the one before,
            in the order that `order_of_next` returns.
        has_teams: whether players play for one of two clubs.
        has_places: whether players challenge each other for places, the first ones by rating.
        seats: for how many players its games are.
        has_playoff: whether a knockout can decide a tie for the first place.
        is_live: whether its games are live, or by correspondence; ``None`` if both are possible.
        patience: seconds after which a free player of a continuous event takes any opponent.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    scoring: ClassVar[str] = ""
    usual_tie_breaks: ClassVar[tuple[TieBreak, ...]] = ()
    is_continuous: ClassVar[bool] = False
    carries_over: ClassVar[bool] = False
    has_teams: ClassVar[bool] = False
    has_places: ClassVar[bool] = False
    seats: ClassVar[Collection[int]] = (2,)
    has_playoff: ClassVar[bool] = False
    is_live: ClassVar[bool | None] = None
    patience: ClassVar[int] = 0

    def rounds_for(self, count: int) -> int | None:
        """Return how many rounds so many players need at most; ``None`` in a continuous event."""
        if self.is_continuous:
            return None
        raise NotImplementedError(f"{self.name} has no number of rounds for {count} players")

    @property
    def duration(self) -> int | None:
        """Seconds after which a continuous event is over; ``None`` if it has no such time."""
        return None

    def faults_of_game(self, game: Game) -> list[Fault]:
        """Return why an event cannot have this game; by default it has games of two."""
        if game.seats in self.seats:
            return []
        template = "This format is for games of two players, not of {count}."
        return [Fault.of("tournament/seats", template, where="seats", count=game.seats)]

    def faults_of_size(self, count: int) -> list[Fault]:  # noqa: ARG002
        """Return which rules do not fit an event of so many players."""
        return []

    @property
    def counts_chart(self) -> bool:
        """Whether a win counts the points that the game gives it, as in match play."""
        return False

    def bye(self, sides: int) -> float:  # noqa: ARG002
        """Return the points of a bye in an event whose games have so many sides."""
        return BYE[0]

    @abstractmethod
    def pair(self, event: EventState, round_number: int) -> list[Pairing]:
        """Return the pairings of a round; none if the event is over, unless it waits.

        In a continuous event none means that no two free players can meet now.

        Raises:
            InputError: the round cannot be paired.
        """

    def waits(self, event: EventState) -> bool:  # noqa: ARG002
        """Return whether the event goes on although `pair` returned no pairings."""
        return self.is_continuous

    def table(self, event: EventState) -> list[Standing]:
        """Return the standings of all players."""
        return standings(event.players, event.pairings, event.tie_breaks)

    def columns(self, tie_breaks: Sequence[TieBreak]) -> list[Column]:
        """Return what the values of the rows of the table are.

        Args:
            tie_breaks: those of the event.
        """
        return [one.column for one in tie_breaks]

    def parts(self, event: EventState) -> list[Part]:
        """Return the crosstables and brackets that show the event; its table is enough for some."""
        if self.is_continuous or len(event.players) > LARGEST_CROSSTABLE:
            return []
        pairings = [one for one in event.pairings if not one.is_playoff]
        return [Crosstable(_ALL, self.table(event), pairings)]

    def largest_group(self, count: int) -> int:  # noqa: ARG002
        """Return how many of so many players all meet each other."""
        return 0

    def pairs_ahead(self, count: int, round_number: int) -> bool:  # noqa: ARG002
        """Return whether a round can be paired before the earlier ones are over."""
        return False

    def takes_entries(self, latest: int, rounds: int) -> bool:  # noqa: ARG002
        """Return whether players may enter after the start.

        Args:
            latest: the latest round that is paired.
            rounds: of the event, without a playoff.
        """
        return self.is_continuous

    def challenges(self, event: EventState, challenger: int) -> dict[int, Pairing]:  # noqa: ARG002
        """Return the challenges that a player may make now, by opponents, the nearest first."""
        return {}

    def order_after_win(self, order: Sequence[int], winner: int, loser: int) -> list[int]:  # noqa: ARG002
        """Return the players by their places after a game of two of them."""
        return list(order)

    @property
    def longest_idle(self) -> int | None:
        """Seconds without a game after which a player loses places; ``None`` if none does."""
        return None

    def order_after_idle(self, order: Sequence[int], player: int) -> list[int]:  # noqa: ARG002
        """Return the players by their places after one had no game for long."""
        return list(order)

    def order_of_next(self, event: EventState) -> list[int]:
        """Return all players in the order with which the next event of a series begins."""
        return [row.player for row in self.table(event)]

    def is_built_on(self, count: int, round_number: int, latest: int) -> bool:  # noqa: ARG002
        """Return whether results of a round decided who was paired later, up to the latest one.

        Args:
            count: of all players.
            round_number: the earlier round.
            latest: the latest round that is paired.
        """
        return False


_ALL = Phrase("Crosstable")
