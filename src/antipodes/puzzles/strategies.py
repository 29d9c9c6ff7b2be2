"""Strategies of forced wins and defences, and their checker: rules alone, without any search.

An *attack* wins within a number of own turns, whatever the other side replies. It is a list of
nodes, each of which names earlier ones by their index; the last one is for the puzzle's position:

``[move]``
    the move wins at once.
``[move, i, {reply: j, ...}]``
    after the move node j answers the replies that are named, and node i all others.

A *defence* prevents a win within a number of the attacker's turns:

``[reply, i, {move: [reply, j], ...}]``
    the reply answers each move of the attacker that is not named, and node i the attacker's next
    turn; the moves that are named have replies and nodes of their own. A node is ``null`` where
    the attacker has one turn left, or the game is over. If no move needs a reply, it is
    ``[null, null, {}]``.

A defence does not name the attacker's last turn: the checker plays every move there, and none may
win. An empty list is a defence against wins in one turn. A defence until the end of the game names
all turns.

*Losses* are attacks of the opponent, one after each first move of the solver that is not the
solution. The last node names those that win:

``[null, i, {move: j, ...}]``
    node j wins after the moves that are named, and node i after all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from antipodes.core import Color, Move
from antipodes.errors import MoveError
from antipodes.games.position import Position
from antipodes.games.winning import winning_move


class StrategyError(Exception):
    """A strategy is wrong; ``place`` says where, as the moves that lead there."""

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(message)
        self.place = place


@dataclass(frozen=True, slots=True)
class Strategies:
    """The proof of a forced win: the win and why no other move wins as fast.

    Attributes:
        attack: nodes of the win.
        defence: nodes of the defence against all other first moves, and against the winning move
            for a win in one turn less.
    """

    attack: Sequence[Any]
    defence: Sequence[Any]


def check_strategies(
    strategies: Strategies, position: Position, turns: int, solution: Move
) -> None:
    """Verify that a move wins within so many turns but not faster, and that no other move does.

    Raises:
        StrategyError: the strategies do not prove it.
    """
    if len(position.game.colors) != 2:
        raise StrategyError("only games of two colours have forced wins")
    if not strategies.attack:
        raise StrategyError("there is no attack")
    root = len(strategies.attack) - 1
    first = strategies.attack[root]
    if not isinstance(first, list) or not first or _move(position, first[0], []) != solution:
        raise StrategyError("the attack begins with another move than the solution")
    _Attack(strategies, position.to_move).check(root, position, turns, [])
    child = _last(strategies.defence)
    _Defence(strategies, position.to_move).check(child, position, turns, [], solution)


@dataclass(frozen=True, slots=True)
class Rescue:
    """The proof that exactly one move draws, or saves from a loss.

    Attributes:
        losses: nodes of the opponent's wins after all other first moves.
        hold: nodes of the solver's defence after the solution.
        limit: nodes of the opponent's defence against every first move, until the end of the game:
            they prove that no move wins. Empty unless the goal is a draw.
    """

    losses: Sequence[Any]
    hold: Sequence[Any]
    limit: Sequence[Any]


def check_rescue(rescue: Rescue, position: Position, turns: int | None, solution: Move) -> None:
    """Verify that one move holds, and that the opponent wins after every other one.

    Args:
        rescue: the proof.
        position: of the puzzle.
        turns: of the opponent, in which it wins after other moves and does not win after the
            solution; ``None`` for a draw, in which neither side wins until the end of the game.
        solution: the move that holds.

    Raises:
        StrategyError: the strategies do not prove it.
    """
    game = position.game
    opponent = game.opponent_of(position.to_move)
    if opponent is None:
        raise StrategyError("only games of two colours have forced wins")
    most = game.max_plies if turns is None else turns
    _check_losses(rescue, position, most, solution)
    after: Position = position.play(solution)
    if after.outcome is not None:
        if after.outcome.winner is opponent or (turns is None and not after.outcome.is_draw):
            raise StrategyError("the solution ends the game otherwise", str(after.outcome))
    else:
        text = position.format_move(solution)
        strategies = Strategies([], rescue.hold)
        _Defence(strategies, opponent).check(_last(rescue.hold), after, most, [text])
    if turns is None:
        strategies = Strategies([], rescue.limit)
        _Defence(strategies, position.to_move).check(_last(rescue.limit), position, most, [])


def _check_losses(rescue: Rescue, position: Position, turns: int, solution: Move) -> None:
    """Raise unless the opponent wins after each move that is not the solution."""
    opponent = position.game.opponent_of(position.to_move)
    assert opponent is not None
    checker = _Attack(Strategies(rescue.losses, []), opponent)
    match _node(rescue.losses, _last(rescue.losses)):
        case [None, default, dict(others)]:
            for move in position.legal_moves:
                text = position.format_move(move)
                after: Position = position.play(move)
                if move == solution:
                    continue
                if after.outcome is None:
                    child = others.get(text, default)
                    _node(rescue.losses, child, len(rescue.losses) - 1)
                    checker.check(child, after, turns, [text])
                elif after.outcome.winner is not opponent:
                    raise StrategyError(f"{text} does not lose")
        case _:
            raise StrategyError("the last node of the losses is malformed")


def _last(nodes: Sequence[Any]) -> int | None:
    """Return the index of the last node, or ``None`` if there is none."""
    return len(nodes) - 1 if nodes else None


def attack_holds(strategies: Strategies, index: int, position: Position, turns: int) -> bool:
    """Return whether a node of the attack wins a position within so many turns."""
    try:
        _Attack(strategies, position.to_move).check(index, position, turns, [])
    except StrategyError:
        return False
    return True


def _node(nodes: Sequence[Any], index: Any, below: int | None = None) -> Any:
    """Return a node by its index, which must be below that of the node that names it."""
    most = len(nodes) if below is None else below
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < most:
        raise StrategyError(f"{index!r} is not the index of an earlier node")
    return nodes[index]


def _move(position: Position, text: Any, line: Sequence[str]) -> Move:
    try:
        return position.parse_move(str(text))
    except MoveError as error:
        raise StrategyError(str(error), " ".join(line)) from None


@dataclass(frozen=True, slots=True)
class _Attack:
    """The checker of attacks of one colour."""

    strategies: Strategies
    attacker: Color

    def check(self, index: Any, position: Position, turns: int, line: list[str]) -> None:
        """Raise unless a node wins a position within so many turns."""
        if turns < 1:
            raise StrategyError("the attack takes more turns", " ".join(line))
        match _node(self.strategies.attack, index):
            case [str(text)]:
                after = position.play(_move(position, text, line))
                if after.outcome is None or after.outcome.winner is not self.attacker:
                    raise StrategyError(f"{text} does not win", " ".join(line))
            case [str(text), default, dict(others)]:
                after = position.play(_move(position, text, line))
                if after.outcome is not None:
                    raise StrategyError(f"{text} ends the game", " ".join(line))
                for move in after.legal_moves:
                    reply = after.format_move(move)
                    then: Position = after.play(move)
                    if then.outcome is None:
                        child = others.get(reply, default)
                        _node(self.strategies.attack, child, index)
                        self.check(child, then, turns - 1, [*line, text, reply])
                    elif then.outcome.winner is not self.attacker:
                        place = " ".join([*line, text])
                        raise StrategyError(f"{reply} refutes the attack", place)
            case _:
                raise StrategyError(f"node {index} of the attack is malformed", " ".join(line))


@dataclass(frozen=True, slots=True)
class _Defence:
    """The checker of defences against one colour."""

    strategies: Strategies
    attacker: Color

    def check(
        self,
        index: Any,
        position: Position,
        turns: int,
        line: list[str],
        solution: Move | None = None,
    ) -> None:
        """Raise unless a node prevents a win within so many turns.

        ``solution`` is a move that may win, but not in one turn less.
        """
        if turns == 1 and solution is None:
            self._check_last_turn(position, line)
            return
        reply, child, others = self._read(index, turns, line)
        for move in position.legal_moves:
            text = position.format_move(move)
            after: Position = position.play(move)
            left = turns - 1 - (move == solution)
            if left < 0:
                continue
            if after.outcome is not None:
                if after.outcome.winner is self.attacker:
                    raise StrategyError(f"{text} wins at once", " ".join(line))
            elif left > 0:
                answer = others.get(text, (reply, child))
                self._check_reply(answer, index, after, left, [*line, text])

    def _read(self, index: Any, turns: int, line: list[str]) -> tuple[Any, Any, dict[str, Any]]:
        if turns == 1:
            return None, None, {}
        match _node(self.strategies.defence, index):
            case [reply, child, dict(others)]:
                return reply, child, others
        raise StrategyError(f"node {index} of the defence is malformed", " ".join(line))

    def _check_reply(
        self, answer: Any, index: int, after: Position, left: int, line: list[str]
    ) -> None:
        try:
            reply, child = answer
        except (TypeError, ValueError):
            raise StrategyError(f"node {index} of the defence is malformed") from None
        then: Position = after.play(_move(after, reply, line))
        if then.outcome is not None:
            if then.outcome.winner is self.attacker:
                raise StrategyError(f"{reply} loses at once", " ".join(line))
        elif left == 1:
            self._check_last_turn(then, [*line, reply])
        else:
            _node(self.strategies.defence, child, index)
            self.check(child, then, left, [*line, reply])

    def _check_last_turn(self, position: Position, line: list[str]) -> None:
        move = winning_move(position)
        if move is not None:
            text = position.format_move(move)
            raise StrategyError(f"{text} wins at once", " ".join(line))
