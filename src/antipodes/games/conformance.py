"""The public test kit for games: it checks all properties that the program relies on.

Authors of a new game call :func:`check_game` for every value of every option::

    from antipodes.games.conformance import check_game

    check_game(MyGame(size=5), games=10)

It plays random games and raises :class:`ConformanceError` at the first violation. The message has
the game, the property and the moves, so that the case can be replayed.
"""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from antipodes.core import Illegality, Termination
from antipodes.errors import IllegalMoveError
from antipodes.games.kernels import Array, Rules, header, plain_rules, rules_of
from antipodes.games.position import Game, Position
from antipodes.notation.rods import rod_points

Require = Callable[[object, str], None]


class Walk:
    """A game played by both editions of the kernels, in place on one array each."""

    def __init__(self, game: Game, require: Require) -> None:
        self.game = game
        self.require = require
        self.editions = (plain_rules(game.family), rules_of(game.family))
        self.states = [game.initial().searchable_state(0) for _ in self.editions]
        self.work = game.work()
        for kernels, state in zip(self.editions, self.states, strict=True):
            kernels.start(game.tables, state, self.work)
        self._compare(game.initial().kernel_state, "start")

    def play(self, move: int, expected: Array) -> None:
        """Play a move on both arrays; both must then begin with the ``expected`` state."""
        for index, kernels in enumerate(self.editions):
            # Room for one more key of a history, where the game keeps one.
            room = max(len(expected), len(self.states[index]))
            state = np.zeros(room, np.int64)
            state[: len(self.states[index])] = self.states[index]
            kernels.play(self.game.tables, state, self.work, move)
            self.states[index] = state
        self._compare(expected, f"play of move {move}")

    def _compare(self, expected: Array, name: str) -> None:
        plain, fast = self.states
        self.require(np.array_equal(plain, fast), f"{name}: both editions write the same state")
        same = np.array_equal(plain[: len(expected)], expected)
        self.require(same, f"{name}: the position has the state that kernels write in place")
        self.require(not self.work.any(), f"{name}: the work array is zero afterwards")


def compare(position: Position, moves: Sequence[int], rng: random.Random, require: Require) -> None:
    """Require equal results of all kernels in both editions, and zeros in the work array."""
    game = position.game
    editions = (plain_rules(game.family), rules_of(game.family))
    seed = rng.randrange(1, 2**62)
    names = ("rebuild", "judge", "moves", "sample", "chain")
    found = [_answers(kernels, position, moves, seed, require) for kernels in editions]
    for name, one, other in zip(names, *found, strict=True):
        require(np.array_equal(one, other), f"{name}: both editions answer alike")


def _answers(
    rules: Rules, position: Position, moves: Sequence[int], seed: int, require: Require
) -> tuple[Array, ...]:
    """Return the results of all kernels for a position, as arrays."""
    game, state = position.game, position.kernel_state
    tables, work = game.tables, game.work()
    chain_work = np.zeros(game.chain_work_size, np.int64)
    before = state.tobytes()
    judged = np.array([rules.judge(tables, state, work, move) for move in moves], np.int64)
    listed = np.zeros(game.max_branching, np.int64)
    count = rules.moves(tables, state, work, listed)
    chain = np.zeros(game.topology.cell_count + 8, np.int64)
    length = rules.chain(tables, state, chain_work, chain)
    drawn = np.zeros(5, np.int64)
    if state[header.WINNER] == 0:
        numbers = np.array([seed], np.int64)
        drawn = np.array([rules.sample(tables, state, work, numbers) for _ in range(5)], np.int64)
        require(set(drawn) <= set(listed[:count].tolist()), "sample: draws legal moves")
    require(state.tobytes() == before, "kernels that only look leave the state alone")
    rebuilt = position.searchable_state(1)
    winners = rules.rebuild(tables, rebuilt, work)
    require(not work.any() and not chain_work.any(), "the work arrays are zero after every call")
    return (
        np.append(rebuilt, winners),
        judged,
        listed[:count],
        drawn,
        chain[:length],
    )


class ConformanceError(AssertionError):
    """A game violates a property that the program relies on."""


@dataclass
class Summary:
    """The numbers of a check.

    Attributes:
        games: games played.
        plies: moves played in all of them.
        positions: positions checked thoroughly.
        moves: moves whose legality was checked.
        outcomes: number of games with each outcome; ``unfinished`` for those that reached the
            limit of plies.
    """

    games: int = 0
    plies: int = 0
    positions: int = 0
    moves: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)


def check_game(
    game: Game,
    *,
    games: int = 3,
    seed: int = 0,
    positions: int = 12,
    moves: int = 200,
    plies: int = 2_000,
) -> Summary:
    """Play random games and check all properties of a game.

    Args:
        game: the game with its options.
        games: number of games to play.
        seed: of the random numbers; the same seed plays the same games.
        positions: number of positions of each game to check thoroughly, including the first and
            the last.
        moves: number of moves of a position to check one by one, drawn at random if there are
            more.
        plies: after so many plies a game is left unfinished, since some have no practical limit.

    Raises:
        ConformanceError: the game violates a property.
    """
    check = _Check(game, random.Random(seed), moves)
    check.game_itself()
    for _ in range(games):
        check.one_game(positions, plies)
    return check.summary


class _Check:
    """One call of :func:`check_game`: the game, random numbers, and the moves played so far."""

    def __init__(self, game: Game, rng: random.Random, most_moves: int) -> None:
        self.game = game
        self.rng = rng
        self.most_moves = most_moves
        self.trail: list[str] = []
        self.summary = Summary()

    def require(self, holds: object, promise: str) -> None:
        """Raise with the property, the game and the moves so far unless ``holds``."""
        if not holds:
            path = " ".join(self.trail) or "none"
            raise ConformanceError(f"{self.game!r}: {promise}\nmoves played: {path}")

    # The game as a value.

    def game_itself(self) -> None:
        """Check the properties that need no moves."""
        game, options = self.game, self.game.options
        require = self.require
        again = type(game)(options)
        require(again == game and hash(again) == hash(game), "games with equal options are equal")
        require(pickle.loads(pickle.dumps(game)) == game, "a pickled game is equal")  # noqa: S301
        as_text = {name: str(value) for name, value in options.as_dict().items()}
        require(type(options).read(as_text) == options, "options are read back from their texts")
        require(type(options).read(options.as_dict()) == options, "options are read from values")
        require(type(game).__name__ in repr(game), "repr names the class")
        for name, value in options.changed().items():
            require(f"{name}={value!r}" in repr(game), f"repr shows the changed option {name}")
        for name in ("id", "title", "summary", "family"):
            require(getattr(game, name), f"the game has a text as its {name}")
        require(game.rules_version >= 1, "versions of rules count from 1")
        require(game.seats >= len(game.colors) >= 2, "each of two or more colours has a seat")
        require(len(set(game.colors)) == len(game.colors), "colours differ")
        require(set(game.kernel_colors) == set(game.colors), "kernels know the same colours")
        require(game.move_count > 0 < game.max_branching, "there are moves")
        try:
            game.options = options
        except AttributeError:
            pass
        else:
            require(holds=False, promise="games are frozen")
        self.start(game.initial(), again.initial())

    def start(self, first: Position, second: Position) -> None:
        require = self.require
        require(first == second and first.key == second.key, "the start is the same each time")
        require(first.ply == 0 and first.seat_to_move == 0, "seat 0 makes the first ply")
        require(first.to_move == self.game.colors[0], "the first colour begins")

    # Games.

    def one_game(self, thorough: int, plies: int) -> None:
        """Play a random game and check some of its positions thoroughly."""
        game = self.game
        self.trail = []
        position: Position = game.initial()
        symmetry = self.rng.choice(game.symmetries)
        image: Position = position
        walk = Walk(game, self.require)
        path = [position]
        last = min(game.max_plies, plies)
        while position.outcome is None and position.ply < last:
            move = self.choose(position)
            self.trail.append(position.format_move(move))
            following = self.played(position, move)
            image = self.mirrored(following, image, move, symmetry)
            walk.play(move, following.kernel_state)
            position = following
            path.append(position)
        self.require(
            position.outcome or position.ply < game.max_plies, "no game is longer than max_plies"
        )
        self.finished(position)
        self.thorough(path, thorough)

    def choose(self, position: Position) -> int:
        legal = position.legal_moves.array()
        self.require(len(legal) > 0, "a game that goes on has a legal move")
        return int(legal[self.rng.randrange(len(legal))])

    def played(self, position: Position, move: int) -> Position:
        before = position.kernel_state.tobytes()
        following: Position = position.play(move)
        require = self.require
        require(position.kernel_state.tobytes() == before, "play leaves the old position alone")
        require(following.ply == position.ply + 1, "each move is one ply")
        require(following.to_move in self.game.colors, "the colour to move is one of the game's")
        require(
            following.outcome or following.seat_to_move in following.seat_of(following.to_move),
            "the seat to move plays the colour to move",
        )
        return following

    def mirrored(self, following: Position, image: Position, move: int, symmetry: int) -> Position:
        """Play the image of the move that led to ``following``, and compare the positions."""
        game = self.game
        self.require(game.transform(move, 0) == move, "symmetry 0 is the identity")
        twin = game.transform(move, symmetry)
        name = f"symmetry {symmetry} maps"
        self.require(twin in image.legal_moves, f"{name} legal moves to legal moves")
        image = image.play(twin)
        self.require(image.to_move == following.to_move, f"{name} turns to turns")
        self.require(image.outcome == following.outcome, f"{name} outcomes to outcomes")
        self.require(
            len(image.legal_moves) == len(following.legal_moves), f"{name} all legal moves"
        )
        return image

    def finished(self, position: Position) -> None:
        """Record the outcome of a game, and check the winning chain."""
        outcome = position.outcome
        self.summary.games += 1
        self.summary.plies += position.ply
        self.summary.outcomes[str(outcome) if outcome else "unfinished"] += 1
        if outcome is None:
            return
        require = self.require
        is_misere = outcome.termination is Termination.MISERE
        joins = outcome.termination in (Termination.CONNECTION, Termination.RING) or is_misere
        chain = position.winning_chain()
        require(bool(chain) == joins, "wins by connection or ring, and no others, show a chain")
        require(outcome.is_draw or outcome.winner in self.game.colors, "a colour wins")
        require((outcome.points > 0) != outcome.is_draw, "wins score, draws do not")
        if chain:
            scene = position.scene()
            owner = outcome.winner
            if is_misere and owner is not None:
                owner = self.game.opponent_of(owner)
            pieces = {**scene.stones, **{cell: rod.color for cell, rod in scene.rods.items()}}
            require(len(set(chain)) == len(chain), "a winning chain names no cell twice")
            require(
                all(pieces.get(cell) is owner for cell in chain),
                "a winning chain consists of the pieces of the colour that connected",
            )
            require(_hangs_together(position, chain), "a winning chain hangs together")

    # Positions.

    def thorough(self, path: Sequence[Position], count: int) -> None:
        """Check some positions of a game thoroughly, including the first and the last."""
        inner = range(1, len(path) - 1)
        chosen = self.rng.sample(inner, min(max(count - 2, 0), len(inner)))
        for index in sorted({0, *chosen, len(path) - 1}):
            position = path[index]
            trail, self.trail = self.trail, self.trail[:index]
            self.legality(position)
            self.refusals(position)
            self.texts(position)
            self.values(position)
            self.setups(position)
            self.pictures(position)
            compare(position, self.some_moves(), self.rng, self.require)
            self.summary.positions += 1
            self.trail = trail

    def some_moves(self) -> list[int]:
        """Return all moves of the game, or some drawn at random if there are very many."""
        count = self.game.move_count
        few = 5 * self.most_moves
        return list(range(count)) if count <= few else sorted(self.rng.sample(range(count), few))

    def some_legal(self, position: Position) -> list[int]:
        """Return all legal moves, or some drawn at random if there are many."""
        legal = [int(move) for move in position.legal_moves]
        few = self.most_moves
        return legal if len(legal) <= few else sorted(self.rng.sample(legal, few))

    def legality(self, position: Position) -> None:
        """Check that all definitions of legality agree."""
        legal, require = position.legal_moves, self.require
        listed = [int(move) for move in legal]
        known = set(listed)
        require(len(legal) == len(listed), "the legal moves are counted as they are listed")
        require(listed == sorted(known), "legal moves are listed once each, in rising order")
        require((not listed) == (position.outcome is not None), "no legal moves exactly at the end")
        require(len(listed) <= self.game.max_branching, "max_branching is the most legal moves")
        require(not listed or listed[-1] < self.game.move_count, "moves are below move_count")
        for move in {*self.some_moves(), *self.some_legal(position)}:
            reason = position.why_illegal(move)
            answers = (move in known, move in legal, reason is None)
            require(
                len(set(answers)) == 1,
                f"iteration, `in` and why_illegal agree on move {move}, but they say {answers}",
            )
            require(
                reason is None or (reason is Illegality.GAME_OVER) == (not listed),
                f"moves are refused as the game is over exactly at the end, but {move} is {reason}",
            )
            self.summary.moves += 1
        for move in (-1, self.game.move_count, 2**70):
            reason = position.why_illegal(move)
            require(reason is Illegality.OUT_OF_RANGE, f"move {move} is out of range, not {reason}")
        for odd in (None, "", "no move", 1.0, True, ()):
            require(odd not in legal, f"{odd!r} is no legal move")
        require(tuple(legal) == legal[:], "the legal moves are a sequence")
        require(not listed or (legal[0], legal[-1]) == (listed[0], listed[-1]), "in rising order")

    def refusals(self, position: Position) -> None:
        """Check that illegal moves raise and change nothing."""
        before = position.kernel_state.tobytes()
        legal = {int(move) for move in position.legal_moves}
        illegal = [move for move in self.some_moves() if move not in legal]
        some = self.rng.sample(illegal, min(5, len(illegal)))
        for move in [-1, self.game.move_count, *some]:
            reason = position.why_illegal(move)
            try:
                position.play(move)
            except IllegalMoveError as error:
                expected = reason.code if reason else None
                self.require(error.code == expected, f"the refusal of {move} says why: {expected}")
            else:
                self.require(holds=False, promise=f"illegal move {move} raises IllegalMoveError")
        self.require(position.kernel_state.tobytes() == before, "a refused move changes nothing")

    def texts(self, position: Position) -> None:
        """Check that moves are written and read back."""
        written: dict[str, int] = {}
        legal = position.legal_moves
        for move in self.some_legal(position):
            text = position.format_move(move)
            self.require(text and not any(c.isspace() for c in text), f"{text!r} has no spaces")
            self.require(text not in written, f"{text} names one move")
            written[text] = move
            for read in (text, f"  {text}\u00a0", text.swapcase()):
                self.require(position.parse_move(read) == move, f"{read!r} is read as {move}")
            self.require(position.read_move(text) == move, f"{text!r} is read without judging")
            self.require(legal.__contains__(text), f"{text!r} is among the legal moves")
            self.require(position.play(text) == position.play(move), f"{text!r} can be played")
            for seat in range(self.game.seats):
                seen = position.format_move(move, seat)
                self.require(position.parse_move(seen, seat) == move, f"seat {seat} reads {seen}")
        for move in self.some_moves()[:: max(1, self.game.move_count // 50)]:
            self.require(position.describe_move(move), f"move {move} has a text, legal or not")

    def values(self, position: Position) -> None:
        """Check that a position is an immutable value."""
        require = self.require
        key = position.key
        require(0 <= key < 2**64 and key == position.key, "a key is a stable 64-bit number")
        twin = pickle.loads(pickle.dumps(position))  # noqa: S301 - made here
        self.same(position, twin, "a pickled position")
        require(twin.kernel_state.tobytes() == position.kernel_state.tobytes(), "pickles are whole")
        require(position != object() and position != self.game, "positions equal positions alone")
        require(not position.state.flags.writeable, "the state cannot be written to")
        try:
            position.game = self.game
        except AttributeError:
            pass
        else:
            require(holds=False, promise="positions are immutable")

    def setups(self, position: Position) -> None:
        """Check that a position's setup is read back as an equal position."""
        outcome = position.outcome
        if outcome is not None and outcome.termination is Termination.REPETITION:
            return  # a setup holds no history
        again: Position = self.game.position(position.to_setup())
        self.same(position, again, "the position of its setup")
        self.require(again.to_setup() == position.to_setup(), "setups are the same each time")
        require = self.require
        require(list(again.legal_moves) == list(position.legal_moves), "setups keep legal moves")
        require(again.winning_chain() == position.winning_chain(), "setups keep the winning chain")

    def same(self, one: Position, other: Position, what: str) -> None:
        """Require that two positions are equal in all properties."""
        self.require(one == other and hash(one) == hash(other), f"{what} is equal and hashes so")
        self.require(one.key == other.key, f"{what} has the same key")
        self.require(one.outcome == other.outcome, f"{what} has the same outcome")
        turn = (one.to_move, one.seat_to_move)
        self.require(turn == (other.to_move, other.seat_to_move), f"{what} has the same turn")

    def pictures(self, position: Position) -> None:
        for name in ("caption", "picture", "to_svg", "__repr__", "__str__"):
            text = getattr(position, name)()
            self.require(isinstance(text, str) and text.strip(), f"{name} gives a text")
        self.require(position.to_svg().lstrip().startswith("<svg"), "to_svg draws SVG")
        self.require(position.scene().topology is self.game.topology, "pictures show the board")


def _hangs_together(position: Position, chain: Sequence[int]) -> bool:
    """Return whether the pieces on some cells are one chain."""
    left = set(chain)
    edge = [left.pop()]
    while edge:
        here = edge.pop()
        near = {cell for cell in left if _touch(position, here, cell)}
        left -= near
        edge.extend(near)
    return not left


def _touch(position: Position, one: int, other: int) -> bool:
    """Return whether two pieces touch: neighbours, or rods that share a grid point."""
    rods = position.scene().rods
    if one not in rods:
        return other in position.game.topology.neighbours[one]
    return bool(_rod_ends(position, one) & _rod_ends(position, other))


def _rod_ends(position: Position, square: int) -> set[tuple[int, int]]:
    row, column = divmod(square, position.game.topology.size[0])
    return set(rod_points(row, column, position.scene().rods[square].diagonal))
