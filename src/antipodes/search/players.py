"""Computer players: the levels, searches, random moves and the pairing strategy."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import numpy as np

from antipodes.core import Move
from antipodes.errors import Fault, InvalidOptionsError
from antipodes.games import pairing_strategy
from antipodes.games.kernels import Array, edition, header, plain_rules
from antipodes.games.placement import is_connection_game
from antipodes.games.position import Game, Position
from antipodes.games.winning import after_each
from antipodes.notation.text import shorten
from antipodes.search.factory import make_search
from antipodes.search.interface import (
    Candidate,
    Limits,
    ProgressCallback,
    Search,
    SearchProgress,
    Timekeeping,
)
from antipodes.search.kernels import choosing
from antipodes.search.kernels.choosing import Choice
from antipodes.search.kernels.nodes import Walk
from antipodes.search.levels import DEFAULT_LEVEL, Level, find_level, levels
from antipodes.search.plain import PlainSearch
from antipodes.search.pondering import Ponder
from antipodes.search.proof.openings import OpeningKnowledge
from antipodes.search.skill import Skill, read_skill

__all__ = [
    "Candidate",
    "ComputerPlayer",
    "Level",
    "PairingPlayer",
    "Player",
    "RandomPlayer",
    "SearchPlayer",
    "SearchProgress",
    "Timekeeping",
    "levels",
    "make_player",
]

_USUAL_SECONDS = 1.0
_LEAST_SHARE = 0.1  # of the allotted time, even after moves that took too long


KINDS = frozenset({"computer", "search", "plain", "random", "pairing"})


class Player(Protocol):
    """A player: it chooses moves."""

    @property
    def name(self) -> str:
        """The name of the player."""
        ...

    def allot(self, seconds: float | None, clock: Timekeeping = Timekeeping.WALL) -> None:
        """Allot so many seconds to each further move; ``None`` restores the player's own limits.

        A player that has no limits of its own, or a limit in seconds, uses the allotted time. A
        player with another limit, such as the visits of a level, stops at whichever comes first.
        """
        ...

    def choose(self, position: Position, progress: ProgressCallback | None = None) -> Move:
        """Return a legal move; an exception in ``progress`` ends the search."""
        ...


def make_player(spec: str, seed: int | None = None, bound: float | None = None) -> Player:
    """Return the player with a name.

    Args:
        spec: ``computer`` or ``computer:LEVEL`` (number or name), ``search`` or
            ``search:SETTINGS``, ``plain`` or ``plain:SETTINGS``, ``random``, ``pairing``. Settings
            are attributes of :class:`~antipodes.search.skill.Skill`, such as
            ``visits=1000,knowledge=off``.
        seed: makes the player's moves reproducible; random by default.
        bound: seconds after which a level of the computer plays the best move found so far, even
            if it has visits left.

    Raises:
        InvalidOptionsError: there is no such player, or its settings are wrong.
    """
    text = spec.strip().lower()
    kind, _, detail = text.partition(":")
    chosen = seed if seed is not None else random.SystemRandom().getrandbits(48)
    if kind == "computer":
        return ComputerPlayer(find_level(detail or str(DEFAULT_LEVEL)), chosen, bound)
    if kind == "search":
        return SearchPlayer(text, read_skill(detail), chosen)
    if kind == "plain":
        skill = read_skill(detail, ("visits", "seconds", "memory"))
        skill = replace(skill, knowledge=False)
        return SearchPlayer(text, skill, chosen, plain_search)
    if kind == "random" and not detail:
        return RandomPlayer(chosen)
    if kind == pairing_strategy.PLAYER and not detail:
        return PairingPlayer()
    message = (
        f"{shorten(spec)} is not a player; there are computer:LEVEL, search:SETTINGS, "
        "plain:SETTINGS, random, pairing"
    )
    raise InvalidOptionsError([Fault("player/unknown", message)])


class RandomPlayer:
    """A player that chooses among legal moves with equal probability."""

    name = "random"

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def allot(self, seconds: float | None, clock: Timekeeping = Timekeeping.WALL) -> None:
        """Do nothing: no time is needed."""

    def choose(self, position: Position, progress: ProgressCallback | None = None) -> Move:  # noqa: ARG002
        """Return a random legal move."""
        return Move(self._random.choice(position.legal_moves.array().tolist()))


class PairingPlayer:
    """A player that answers at the opposite point; see :mod:`antipodes.games.pairing_strategy`."""

    name = pairing_strategy.PLAYER

    def allot(self, seconds: float | None, clock: Timekeeping = Timekeeping.WALL) -> None:
        """Do nothing: no time is needed."""

    def choose(self, position: Position, progress: ProgressCallback | None = None) -> Move:  # noqa: ARG002
        """Return the answer of the pairing strategy.

        Raises:
            InvalidPositionError: the strategy does not apply to this game or position.
        """
        return pairing_strategy.pairing_reply(position)


SearchFactory = Callable[[Position, int, Skill], Search]


def strong_search(position: Position, seed: int, skill: Skill) -> Search:
    """Return the strongest search, with the settings of a skill."""
    return make_search(position, skill, seed=seed)


def plain_search(position: Position, seed: int, skill: Skill) -> Search:
    """Return the reference search, with the memory of a skill."""
    return PlainSearch(position, seed=seed, memory=skill.memory)


class SearchPlayer:
    """A player with the limits of a skill, whose search is reused from move to move."""

    def __init__(
        self, name: str, skill: Skill, seed: int, make: SearchFactory = strong_search
    ) -> None:
        """Choose name, skill, seed and kind of search."""
        self.name = name
        self._skill = skill
        self._rng = np.array([choosing.generator_state(seed)], np.int64)
        self._make = make
        self._search: Search | None = None
        self._chosen: Move | None = None  # the last move chosen in the search's position
        self._pondering: Ponder | None = None
        self._openings: tuple[Game, OpeningKnowledge] | None = None
        self._allotted: float | None = None
        self._began = 0.0  # CPU seconds at the start of the current choice
        self._overspent = 0.0  # CPU seconds by which moves have exceeded the allotted time
        self._clock = Timekeeping.WALL

    def allot(self, seconds: float | None, clock: Timekeeping = Timekeeping.WALL) -> None:
        """Allot so many seconds to each further move, in place of the skill's limit."""
        self._allotted = seconds
        self._clock = clock
        self._overspent = 0.0

    def skill_for(self, position: Position) -> Skill:  # noqa: ARG002
        """Return the skill for a position."""
        return self._skill

    def choose(self, position: Position, progress: ProgressCallback | None = None) -> Move:
        """Return a move; the only legal move is returned without a search.

        A move that wins at once is played at once with the probability ``sight`` of the skill.
        """
        self.rest()
        self._began = time.process_time()
        move = self._choose(position, progress)
        if self._allotted is not None:
            # The next moves get less time, so that the mean time is right.
            spent = time.process_time() - self._began
            self._overspent = max(self._overspent + spent - self._allotted, 0.0)
        return move

    def _choose(self, position: Position, progress: ProgressCallback | None) -> Move:
        skill = self.skill_for(position)
        choice = new_choice(position.game, skill, self._rng)
        move = _begin(position, choice)
        if move < 0 and choice.skill[choosing.SURE]:
            move = self._find_proven_win(position)
        if move >= 0:
            return Move(move)
        if choice.numbers[choosing.HASTY]:
            skill = replace(skill, visits=skill.glance, knowledge=False, network=False)
        candidates = self._searched(position, skill, progress)
        ranked = np.array([candidate.move for candidate in candidates], np.int64)
        self._chosen = Move(edition(choosing, "pick")(ranked, len(ranked), choice))
        return self._chosen

    def _find_proven_win(self, position: Position) -> int:
        """Return a move that is known to win, by chance one of several, or -1."""
        game = position.game
        if not is_connection_game(game):
            return -1
        if self._openings is None or self._openings[0] != game:
            self._openings = game, OpeningKnowledge(game)
        return self._openings[1].find_win(position.kernel_state, self._rng)

    def ponder(self, position: Position) -> None:
        """Search in the opponent's time, until the next choice or until :meth:`rest`.

        Args:
            position: after the move that was chosen last; there is no search after any other.
        """
        self.rest()
        search, chosen = self._search, self._chosen
        skill = self.skill_for(position)
        if search is None or chosen is None or position.outcome is not None or skill.haste:
            return
        if move_between(search.position, position) != chosen:
            return
        search.play(chosen)
        self._chosen = None
        self._pondering = Ponder(search, skill.visits)

    def rest(self) -> None:
        """Stop searching in the opponent's time; the results are kept."""
        pondering, self._pondering = self._pondering, None
        if pondering is not None:
            pondering.stop()

    def search(
        self, position: Position, progress: ProgressCallback | None = None
    ) -> list[Candidate]:
        """Return the visited moves, the best first."""
        return self._searched(position, self.skill_for(position), progress)

    def candidates(self) -> list[Candidate]:
        """Return the moves that the current search has visited, or the last one, the best first.

        During a search only its own thread may call this, such as in the progress callback.
        """
        return [] if self._search is None else self._search.candidates()

    def _searched(
        self, position: Position, skill: Skill, progress: ProgressCallback | None
    ) -> list[Candidate]:
        search = self._search_at(position, skill)
        self._search = search
        self._run(search, skill, progress)
        return search.candidates()

    def _draw_seed(self) -> int:
        """Return the seed of a search."""
        return int(edition(choosing, "draw_seed")(self._rng))

    def _search_at(self, position: Position, skill: Skill) -> Search:
        """Return the search of the last choice with its root moved here, or else a new one."""
        old, self._search = self._search, None
        # Hasty play is meant to be weak, so its search is not reused.
        if old is not None and not skill.haste and self._moved_on(old, position):
            return old
        return self._make(position, self._draw_seed(), skill)

    def _moved_on(self, search: Search, position: Position) -> bool:
        """Move the root to a later position; return ``False`` if it did not follow."""
        own = self._chosen  # None if pondering has played it already
        after = search.position
        if own is not None:
            if own not in after.legal_moves:
                return False
            after = after.play(own)
        reply = move_between(after, position)
        if reply is None:
            return False
        if own is not None:
            search.play(own)
        search.play(reply)
        return True

    def _run(self, search: Search, skill: Skill, progress: ProgressCallback | None) -> None:
        visits = skill.visits
        seconds = skill.seconds if self._allotted is None else self._allotted
        if visits is None and seconds is None:
            seconds = _USUAL_SECONDS
        if seconds is not None and self._clock is Timekeeping.CPU:
            allowed = max(seconds - self._overspent, seconds * _LEAST_SHARE)
            seconds = max(allowed - (time.process_time() - self._began), 0.0)
        search.run(Limits(visits=visits, seconds=seconds, clock=self._clock), progress)


class ComputerPlayer(SearchPlayer):
    """The computer at one of its levels."""

    def __init__(self, level: Level, seed: int, bound: float | None = None) -> None:
        """Choose level, seed and the maximal seconds for a move."""
        super().__init__(f"computer {level.number} ({level.name})", Skill(), seed)
        self.level = level
        self._bound = bound

    def skill_for(self, position: Position) -> Skill:
        """Return the level's skill in the game of a position.

        The highest level uses all of an allotted time; the others count visits, so that they are
        equally strong on slow and on fast machines.
        """
        skill = self.level.skill(position.game)
        if self._allotted is not None and self.level.number == levels()[-1].number:
            return Skill(threads=skill.threads, memory=skill.memory, varied=True)
        return skill if self._bound is None else replace(skill, seconds=self._bound)


def new_choice(game: Game, skill: Skill, rng: Array) -> Choice:
    """Return the data of a choice with a skill, as kernels take them.

    Args:
        game: in which a move is chosen.
        skill: of the player.
        rng: random generator of the player.
    """
    known = {
        choosing.VISITS: skill.visits or 0,
        choosing.HASTE: skill.haste,
        choosing.GLANCE: skill.glance,
        choosing.SIGHT: skill.sight,
        choosing.KNOWS: skill.knowledge,
        choosing.SURE: skill.sure and skill.knowledge,
    }
    return Choice(
        skill=np.array([known[number] for number in range(choosing.SKILL)], np.float64),
        rng=rng,
        wins=np.zeros(game.max_branching, np.int64),
        numbers=np.zeros(choosing.NUMBERS, np.int64),
    )


def _begin(position: Position, choice: Choice) -> int:
    """Return the move that needs no search, or -1."""
    game = position.game
    rules = plain_rules(game.family)
    root = position.searchable_state(1)
    walk = Walk(
        tables=game.tables,
        root=root,
        state=root.copy(),
        work=game.work(),
        rng=choice.rng,
        out=np.zeros(game.max_branching, np.int64),
    )
    begin = edition(choosing, "begin_choice", moves=rules.moves, play=rules.play)
    return begin(walk, choice)


def move_between(old: Position, new: Position) -> Move | None:
    """Return the move that leads from one position to another, or ``None`` if there is none.

    The whole state must be equal, including the history.
    """
    if old.game != new.game or new.ply != old.ply + 1 or old.outcome is not None:
        return None
    key = new.kernel_state[header.KEY]
    for move, state in after_each(old):
        if state[header.KEY] == key:
            after = old.play(move)
            if np.array_equal(after.kernel_state, new.kernel_state):
                return move
    return None
