"""The base class of all games: options, tables, start positions and perft."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from inspect import Parameter, Signature
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast
from weakref import WeakValueDictionary

import numpy as np

from antipodes.boards import Topology
from antipodes.core import Color, Move, Setup
from antipodes.core.array_cache import ArrayCache
from antipodes.errors import Fault, InvalidPositionError
from antipodes.games.kernels import Array, Rules, header, rules_of, walks_of
from antipodes.games.options import OptionInfo, Options
from antipodes.games.points import PointNames
from antipodes.games.samples import FinishedGame, FirstGame, RuleExample
from antipodes.notation.text import shorten

_MAX_NUMBER = 10**9  # greater numbers are meaningless and may not fit into states


def malformed(setup: Setup) -> list[Fault]:
    """Return a fault for each field of a setup with a wrong type."""
    faults = [*_stone_faults(setup.stones)]
    for name, (fits, wanted) in _FORMS.items():
        value = getattr(setup, name)
        if not fits(value):
            faults.append(_fault(value, wanted, name))
    return faults


def _stone_faults(stones: Any) -> Iterator[Fault]:
    if not isinstance(stones, list | tuple):
        yield _fault(stones, "pairs of a point and a colour", "stones")
        return
    for index, stone in enumerate(stones):
        pair = isinstance(stone, list | tuple) and len(stone) == 2
        if not pair or not all(isinstance(part, str) for part in stone):
            yield _fault(stone, "a pair of a point and a colour", f"stones[{index}]")


def _fault(value: object, wanted: str, where: str) -> Fault:
    shown = shorten(value) if isinstance(value, str) else f"{value!r}"[:60]
    return Fault("position/malformed", f"{shown} is not {wanted}", where)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MAX_NUMBER


def _is_texts(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(key, str) and isinstance(item, str) for key, item in value.items()
    )


def _is_numbers(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(key, str) and _is_number(item) for key, item in value.items()
    )


# Field -> a test of its value, and a description of valid values.
_FORMS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "to_move": (lambda value: value is None or isinstance(value, str), "a colour"),
    "pawns": (_is_texts, "a point for each colour"),
    "rods_left": (_is_numbers, "a number for each colour"),
    "seat": (lambda value: value is None or _is_number(value), "the number of a seat"),
    "swapped": (lambda value: isinstance(value, bool), "true or false"),
    "phase_two_plies": (
        lambda value: _is_number(value) and value >= 0,
        "a number of plies",
    ),
    "composed": (lambda value: isinstance(value, bool), "true or false"),
}


class Searchable(Protocol):
    """A position with a copy of its state that kernels can play on."""

    def searchable_state(self, plies: int) -> Array:
        """Return a writeable copy of the state with room to play ``plies`` moves in place."""
        ...


OptionsT_co = TypeVar("OptionsT_co", bound=Options, covariant=True)
PositionT_co = TypeVar("PositionT_co", bound=Searchable, covariant=True)


# Attributes that kernels, pages and file formats use, and that completion leaves out.
_INTERNAL = {
    *("chain_work_size", "family", "identity_size", "kernel_colors", "make_tables", "move_forms"),
    *("new_state", "rules", "state_size", "swap_mode", "tables", "turn_after", "work", "work_size"),
    *("wrap", "max_branching", "option_table", "options_type", "placements", "position_type"),
    *("brief_goals", "finished_game", "first_game", "flips", "goals", "has_rods", "has_sides"),
    *("locks", "names_from", "plays_in_hexgui", "plays_on_hexworld", "point_names", "reading"),
    *("rule_examples", "seats_moved_on", "sgf_number", "size_options", "sized_boards"),
    *("swap_exchanges", "swap_name", "swap_names", "has_connection_theory", "has_early_winner"),
    *("winner_moves_last", "rules_text"),
}


class BoardGame(Generic[OptionsT_co, PositionT_co]):
    """Base of all games: rules with chosen options; frozen, hashable and picklable.

    Subclasses define id, kernels, options, position and tables.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    family: ClassVar[str]
    rules_version: ClassVar[int] = 1
    # The rules in a minute's reading, by paragraphs, of a game of another package.
    rules_text: ClassVar[str] = ""
    options_type: ClassVar[type[Options]]
    position_type: ClassVar[type[Any]]
    flips: ClassVar[bool] = False  # whether moves change pieces that lie on the board
    has_rods: ClassVar[bool] = False  # whether pieces lie on one of two diagonals of a cell
    # Options for width and height of the board, or the one for both; empty if all have one size.
    size_options: ClassVar[tuple[str, ...]] = ("size",)
    plays_in_hexgui: ClassVar[bool] = False  # whether the graphical client HexGUI has the game
    plays_on_hexworld: ClassVar[bool] = False  # whether the board of hexworld.org has the game
    # Registered number of the game in SGF (GM), if it has one; SZ is then its only size option.
    sgf_number: ClassVar[str] = ""
    # Value of the option ``swap`` -> name of that kind of swap in GTP and records; empty if there
    # is only one kind.
    swap_names: ClassVar[Mapping[str, str]] = {}
    # Options of a small and of a large board; empty if there are none beside the usual one.
    sized_boards: ClassVar[Mapping[str, Mapping[str, int | str]]] = {}
    finished_game: ClassVar[FinishedGame | None] = None  # an example for pages and help
    first_game: ClassVar[FirstGame | None] = None  # with a coach; none if there are no lessons
    rule_examples: ClassVar[tuple[RuleExample, ...]] = ()  # beside the text of the rules

    options: OptionsT_co

    def __init_subclass__(cls, **keywords: Any) -> None:
        """Give a game with options the signature and the docstring that tell them."""
        super().__init_subclass__(**keywords)
        if hasattr(cls, "options_type"):
            cls.__signature__ = _signature(cls.options_type)
            described = [f"    {info.name}: {info.described}" for info in cls.option_table()]
            summary = cls.__dict__.get("__doc__") or cls.title
            cls.__doc__ = "\n".join([summary, "", "Args:", *described])

    # Set for each game: what ``inspect`` and consoles show. Type checkers read the constructor that
    # a game declares for them; a test compares both.
    __signature__: ClassVar[Signature]

    def __init__(self, options: OptionsT_co | None = None, **values: int | str) -> None:
        """Choose options, as an object or as keyword arguments.

        Raises:
            InvalidOptionsError: with all unknown names and wrong values.
            TypeError: a value has no name.
        """
        given: object = options
        if not isinstance(given, Options | None):
            name = "**" if isinstance(given, Mapping) else f"{self.option_table()[0].name}="
            raise TypeError(f"options have names: {type(self).__name__}({name}{given!r})")
        if options is None or values:
            chosen = {**(options.changed() if options else {}), **values}
            options = cast("OptionsT_co", self.options_type.read(chosen))
        object.__setattr__(self, "options", options)

    def __dir__(self) -> list[str]:
        """Return the names for programs, without those of kernels and of other parts."""
        return sorted({*super().__dir__()} - _INTERNAL)

    def __setattr__(self, name: str, value: object) -> None:
        """Raise: games are frozen."""
        raise AttributeError(f"{type(self).__name__} is frozen; make a new one to change {name}")

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same game with the same options."""
        return (
            isinstance(other, BoardGame) and other.id == self.id and other.options == self.options
        )

    def __hash__(self) -> int:
        return hash((self.id, self.options))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as the options."""
        return type(self), (self.options,)

    def __repr__(self) -> str:
        """Return the class with the options that differ from the defaults."""
        changed = ", ".join(f"{k}={v!r}" for k, v in self.options.changed().items())
        return f"{type(self).__name__}({changed})"

    @classmethod
    def option_table(cls) -> tuple[OptionInfo, ...]:
        """Return the description of each option."""
        return cls.options_type.describe()

    # Defined by subclasses.

    @property
    @abstractmethod
    def topology(self) -> Topology:
        """The board without stones."""

    @property
    @abstractmethod
    def colors(self) -> tuple[Color, ...]:
        """The colours in the order of the first turns."""

    @property
    def kernel_colors(self) -> tuple[Color, ...]:
        """The colours in the order of the kernels' indices."""
        return self.colors

    @property
    def pieces(self) -> tuple[str, ...]:
        """The names of the pieces, after an empty name for no piece."""
        return ("", *(color.value for color in self.kernel_colors))

    @property
    def seats(self) -> int:
        """The number of players."""
        return 2

    @property
    @abstractmethod
    def move_count(self) -> int:
        """The number of moves; each move is an index below it."""

    @property
    @abstractmethod
    def max_plies(self) -> int:
        """An upper bound of the moves in a game."""

    @property
    @abstractmethod
    def max_branching(self) -> int:
        """An upper bound of the legal moves in a position."""

    @abstractmethod
    def make_tables(self) -> Array:
        """Return board and options as numbers for the kernels."""

    @property
    @abstractmethod
    def state_size(self) -> int:
        """Length of a state array without history."""

    @property
    @abstractmethod
    def identity_size(self) -> int:
        """Length of the part of the state after the header that identifies a position."""

    def seats_of(self, color: Color, *, exchanged: bool = False) -> tuple[int, ...]:
        """Return the seats that play a colour, at first or after the seats were exchanged."""
        seats = range(self.seats)
        return tuple(s for s in seats if self.color_of(s, exchanged=exchanged) is color)

    def color_of(self, seat: int, *, exchanged: bool = False) -> Color:
        """Return the colour that a seat plays, at first or after the seats were exchanged."""
        return self.colors[(seat + exchanged) % len(self.colors)]

    def view(self, seat: int) -> int:
        """Return the quarter turns by which the board is turned for a seat."""
        return 0

    @property
    def has_sides(self) -> bool:
        """Whether some seat has names of its own for the points of the board."""
        return any(self.reading(seat) for seat in range(self.seats))

    def reading(self, seat: int) -> int:
        """Return the quarter turns of the board after which a seat names its points."""
        return 0

    def names_from(self, seat: int) -> tuple[str, ...]:
        """Return the name of each cell for a seat.

        Raises:
            ValueError: there is no such seat.
        """
        image = self.topology.symmetries[-self.reading(seat) % 4]
        return tuple(map(self.topology.name, image))

    def locks(self) -> Mapping[int, tuple[int, ...]]:
        """Return cell -> the cells that must be full until nothing can change its piece."""
        return {}

    def supply(self) -> Mapping[Color, int]:
        """Return the number of pieces of each colour; empty if they are unlimited."""
        return {}

    @property
    def work_size(self) -> int:
        """Length of the work array for moves."""
        return 1

    @property
    def chain_work_size(self) -> int:
        """Length of the work array for finding winning chains."""
        return self.work_size

    @abstractmethod
    def transform(self, move: int, symmetry: int) -> Move:
        """Return the image of a move under one of ``symmetries``."""

    @property
    @abstractmethod
    def symmetries(self) -> tuple[int, ...]:
        """Numbers of the topology's symmetries that the rules share; 0 is the identity."""

    @abstractmethod
    def _fill(self, setup: Setup, state: Array, faults: list[Fault]) -> None:
        """Write a setup into a zeroed state; add its faults to ``faults``."""

    def seats_moved_on(self, winning_seat: int | None) -> int:
        """Return by how many seats all players move on for the next game: first turns alternate.

        Args:
            winning_seat: a seat of the winner, or ``None``.
        """
        return 1

    # Derived.

    def opponent_of(self, color: Color) -> Color | None:
        """Return the colour that wins if this one resigns; ``None`` with more than two colours."""
        others = [other for other in self.colors if other is not color]
        return others[0] if len(others) == 1 else None

    @property
    def move_forms(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """How moves are composed of steps: base and strides of each form, from the lowest base.

        A move of a form is its base plus the sum of steps times strides.
        """
        return ((0, (1,)),)

    @property
    def swap_move(self) -> Move | None:
        """The move that swaps, or ``None`` if the game has none."""
        return None

    @property
    def swap_name(self) -> str:
        """The swap's name in GTP and records; it tells the kind where a game has several."""
        return self.swap_names.get(getattr(self.options, "swap", ""), "swap")

    @property
    def swap_exchanges(self) -> str:
        """The objects that a swap exchanges: ``seats`` or ``stones``; empty without a swap."""
        return ""

    @property
    def point_names(self) -> PointNames:
        """The names of all points that moves can name."""
        return PointNames.of(self.topology)

    @property
    def has_draws(self) -> bool:
        """Whether a game can end without a winner; players may agree to a draw only then."""
        return True

    @property
    def goals_in_words(self) -> Mapping[Color, str]:
        """The goal of each colour in a few words, as a demand to follow a colon."""
        return dict.fromkeys(self.colors, self.summary.removesuffix("."))

    @property
    def brief_goals(self) -> Mapping[Color, str]:
        """The goal of each colour in at most 22 characters, for narrow panels; may be empty."""
        return {}

    @cached_property
    def tables(self) -> Array:
        """Board and options as numbers for the kernels; they must not be changed."""
        return _tables(self)

    @property
    def rules(self) -> Rules:
        """The kernels in the edition that is in use."""
        return rules_of(self.family)

    def work(self) -> Array:
        """Return a fresh work array for moves."""
        return np.zeros(self.work_size, np.int64)

    def new_state(self, size: int | None = None) -> Array:
        """Return a zeroed state array of ``size`` numbers."""
        return np.zeros(size or self.state_size, np.int64)

    def initial(self) -> PositionT_co:
        """Return the start position."""
        state = self.new_state()
        self.rules.start(self.tables, state, self.work())
        return self.wrap(state)

    def position(self, setup: Setup) -> PositionT_co:
        """Check a setup and return the position that it describes.

        Raises:
            InvalidPositionError: with all faults of the setup.
        """
        faults = malformed(setup)
        if faults:
            raise InvalidPositionError(faults)
        state = self.new_state()
        state[header.LAST] = -1
        self._fill(setup, state, faults)
        if faults:
            raise InvalidPositionError(faults)
        winners = self.rules.rebuild(self.tables, state, self.work())
        if winners > 1:
            raise InvalidPositionError(
                [Fault("position/two-winners", "several colours have won at once")]
            )
        self._check_winner(setup, state)
        return self.wrap(state)

    def composed(self, setup: Setup) -> Setup:
        """Return a setup as one that need not come from alternating turns."""
        return replace(setup, composed=True)

    def _check_winner(self, setup: Setup, state: Array) -> None:
        """Raise for a won position whose winner cannot have moved last."""

    def wrap(self, state: Array) -> PositionT_co:
        """Return the position with a complete state, which it owns from then on."""
        position: PositionT_co = self.position_type(self, state)
        return position

    def perft(self, depth: int, position: Searchable | None = None) -> int:
        """Return the number of lines of exactly ``depth`` plies.

        Lines that end earlier are not counted.
        """
        if depth < 0:
            raise ValueError(f"depth is {depth}, but must not be negative")
        origin = position if position is not None else self.initial()
        root = origin.searchable_state(depth)
        states = np.zeros((max(depth, 1), len(root)), np.int64)
        states[0] = root
        lists = np.zeros((max(depth, 1), self.max_branching), np.int64)
        places = np.zeros((max(depth, 1), 2), np.int64)
        count = walks_of(self.family).count_positions
        return count(self.tables, states, self.work(), lists, places, depth)


def _signature(options: type[Options]) -> Signature:
    """Return the signature of a game's constructor: its options as keywords, with defaults."""
    first = Parameter("options", Parameter.POSITIONAL_OR_KEYWORD, default=None)
    keywords = [
        Parameter(info.name, Parameter.KEYWORD_ONLY, default=info.default, annotation=info.type)
        for info in options.describe()
    ]
    return Signature([first, *keywords])


# Visitors choose the options, of which there are millions of combinations.
_TABLES: ArrayCache[tuple[type, Options], Array] = ArrayCache(16 * 1024 * 1024)
# The tables of all games in memory: equal games share theirs, also those dropped from the cache.
_SHARED: WeakValueDictionary[tuple[type, Options], Array] = WeakValueDictionary()


def _tables(game: BoardGame[Any, Any]) -> Array:
    """Return a game's tables, cached for the choices of options used lately."""
    key = type(game), game.options

    def make() -> Array:
        tables = _SHARED.get(key)
        if tables is None:
            tables = _SHARED[key] = game.make_tables()
        return tables

    return _TABLES.get(key, make)
