"""Atlases of openings: the value of each first move, by searches of several strengths and by games.

A value belongs to the player who makes the move and goes from 0 to 1, without a swap: it tells how
good the stone is, and so whether it should be swapped. First moves that are the same by a symmetry
of the board are one. Values by searches are estimates, except where a result is proven. Those of
the neural network are chances in games between equal players; other tree searches average over
random games, so their values lie nearer to one half.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from antipodes.core import Move
from antipodes.errors import Fault, InvalidOptionsError
from antipodes.files import replace_file
from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.games.symmetry import first_moves
from antipodes.lab.contestants import dismiss
from antipodes.lab.openings import Opening
from antipodes.lab.tasks import GameTask, build
from antipodes.parallel.running import in_turn, run
from antipodes.parallel.workers import Workers
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits, Proven, SearchSettings

SHIPPED = Path(__file__).with_name("atlases.json")

# Distance from one half up to which a first move counts as fair: by random games, and by a network.
_FAIR = (0.01, 0.05)
_MEMORY = 64  # MiB of a search
_INVERSE = {Proven.WIN: Proven.LOSS, Proven.LOSS: Proven.WIN, Proven.DRAW: Proven.DRAW}


@dataclass(frozen=True, slots=True)
class FirstMove:
    """A first move with its values.

    Attributes:
        move: its text; of the moves that are the same, the one with the smallest number.
        values: visits of a search as text -> its value.
        proven: the proven result for the player who makes it, ``win``, ``draw`` or ``loss``, or
            ``None``.
        games: played after the move.
        points: of the player who made the move, draws count one half.
    """

    move: str
    values: Mapping[str, float] = field(default_factory=dict)
    proven: str | None = None
    games: int = 0
    points: float = 0.0

    @property
    def value(self) -> float:
        """The proven value, or that of the longest search."""
        if self.proven is not None:
            return {"win": 1.0, "draw": 0.5, "loss": 0.0}[self.proven]
        return self.values[max(self.values, key=int)]


@dataclass(frozen=True, slots=True)
class Question:
    """The searches and games of an atlas.

    Attributes:
        visits: of the searches, rising.
        games: after each first move.
        player: of both sides of these games, such as ``computer:3``.
        seed: decides searches and games.
        network: whether the searches use the neural network.
    """

    visits: tuple[int, ...]
    games: int = 0
    player: str = "computer:3"
    seed: int = 1
    network: bool = False


@dataclass(frozen=True, slots=True)
class Atlas:
    """The first moves of a game.

    Attributes:
        game: id of the game.
        options: all its options, without a swap.
        question: its searches and games.
        version: of the program, as :func:`~antipodes.lab.tasks.build` names it.
        moves: the first moves; all of them, unless the work was interrupted.
    """

    game: str
    options: Mapping[str, Any]
    question: Question
    version: str
    moves: tuple[FirstMove, ...] = ()

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Atlas:
        """Return the atlas from :attr:`as_dict`."""
        asked = {**data["question"], "visits": tuple(data["question"]["visits"])}
        moves = tuple(FirstMove(**one) for one in data["moves"])
        return cls(data["game"], data["options"], Question(**asked), data["version"], moves)

    @property
    def as_dict(self) -> dict[str, Any]:
        """All values by name, for JSON."""
        return asdict(self)

    def make_game(self) -> Game:
        """Return the game, without a swap."""
        return make_game(self.game, self.options)

    @property
    def best_first(self) -> list[FirstMove]:
        """The first moves by their values."""
        return sorted(self.moves, key=lambda one: -one.value)

    @property
    def fair(self) -> list[FirstMove]:
        """First moves after which chances are about even, the most even first."""
        even = [one for one in self.moves if self.is_fair(one.value)]
        return sorted(even, key=lambda one: abs(one.value - 0.5))

    def is_fair(self, value: float) -> bool:
        """Return whether a value means about even chances."""
        return abs(value - 0.5) <= _FAIR[self.question.network]

    def fair_openings(self) -> list[Opening]:
        """Return the fair first moves as openings of a contest."""
        start = self.make_game().initial()
        return [(start.parse_move(one.move),) for one in self.fair]


def without_swap(game: Game) -> Game:
    """Return the game without a swap.

    Raises:
        InvalidOptionsError: the game has more than two colours: there is no single value then.
    """
    if len(game.colors) > 2:
        message = f"an atlas needs a game of two colours, but {game.title} has {len(game.colors)}"
        raise InvalidOptionsError([Fault("lab/atlas-colors", message)])
    options = game.options.as_dict()
    return make_game(game.id, {**options, "swap": "off"}) if "swap" in options else game


@dataclass(frozen=True, slots=True)
class _Task:
    """A first move to be looked at, for any process."""

    game: Game
    move: Move
    question: Question

    def work(self) -> FirstMove:
        """Search the position after the move, and play games from there."""
        start = self.game.initial()
        text = start.format_move(self.move)
        values: dict[str, float] = {}
        settings = SearchSettings(memory=_MEMORY, network=self.question.network)
        search = make_search(start.play(self.move), settings, seed=self.question.seed)
        for visits in self.question.visits:
            if search.proven is None:
                search.run(Limits(visits=visits))
            values[str(visits)] = round(1.0 - search.value(), 4)
        proven = None if search.proven is None else _INVERSE[search.proven].value
        games, points = self._played(text)
        return FirstMove(text, values, proven, games, points)

    def _played(self, text: str) -> tuple[int, float]:
        """Return how many games were played after the move, and the mover's points."""
        games, points = 0, 0.0
        for number in range(self.question.games):
            seed = self.question.seed * 1_000_000 + number
            row = GameTask.of(self.game, [self.question.player], seed, [text]).play()
            if not row.failed:
                games += 1
                points += 0.5 if row.winner is None else float(row.winner == row.colors[0])
        return games, points


def make_atlas(
    game: Game,
    question: Question,
    *,
    known: Iterable[FirstMove] = (),
    workers: Workers | None = None,
    watch: Callable[[Atlas], object] | None = None,
) -> Atlas:
    """Look at all first moves of a game.

    Args:
        game: the game; a swap is left out.
        question: the searches and games.
        known: first moves of an earlier atlas of the same question, which are kept.
        workers: who works; this process by default.
        watch: told the atlas so far each time that it has grown.

    Raises:
        InvalidOptionsError: the game has more than two colours.
        InputError, WorkerError: the workers cannot work.
    """
    plain = without_swap(game)
    start = plain.initial()
    order = {start.format_move(move): move for move in first_moves(plain)}
    known_moves = {one.move: one for one in known}

    def so_far() -> Atlas:
        moves = tuple(known_moves[text] for text in order if text in known_moves)
        return Atlas(plain.id, plain.options.as_dict(), question, build(), moves)

    tasks = [
        _Task(plain, move, question) for text, move in order.items() if text not in known_moves
    ]
    with closing(run(_Task.work, in_turn(tasks), workers or Workers(), dismiss)) as batches:
        for batch in batches:
            known_moves.update((one.move, one) for _, one in batch)
            if watch is not None:
                watch(so_far())
    return so_far()


def save_atlases(path: Path, atlases: Sequence[Atlas]) -> None:
    """Write atlases to a file, a first move a line."""
    parts = []
    for one in atlases:
        data = one.as_dict
        moves = ",\n".join(f"  {json.dumps(move)}" for move in data.pop("moves"))
        parts.append(f'{json.dumps(data)[:-1]}, "moves": [\n{moves}\n]}}')
    replace_file(path, ("[\n" + ",\n".join(parts) + "\n]\n").encode())


def read_atlases(path: Path) -> list[Atlas]:
    """Read the atlases of a file.

    Raises:
        InvalidOptionsError: the file is not one of atlases.
    """
    try:
        return [Atlas.of(data) for data in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        message = f"{str(path)!r} is not a file of atlases: {error}"
        raise InvalidOptionsError([Fault("lab/atlas-file", message)]) from None


@cache
def shipped_atlases() -> tuple[Atlas, ...]:
    """Return the atlases that come with the program."""
    return tuple(read_atlases(SHIPPED))


def shipped_atlas(game: Game) -> Atlas | None:
    """Return the atlas of a game that comes with the program, whatever its swap, or ``None``."""
    if len(game.colors) > 2:
        return None
    options = without_swap(game).options.as_dict()
    for one in shipped_atlases():
        if one.game == game.id and one.options == options:
            return one
    return None
