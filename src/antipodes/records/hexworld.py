"""HexWorld links: a game of Hex in a web address, as the board at hexworld.org shows it.

Such a link looks like ``https://hexworld.org/board/#11nc1,c2:sh4g8:rb``: the size, how the board is
drawn (``r9`` turned, ``m`` mirrored, ``n`` numbered, ``c1`` red and blue), then the moves. ``:s``
swaps pieces, ``:S`` swaps sides, ``:p`` passes, ``:rb`` means that black resigns and ``:fw`` that
white forfeits. A comma among the moves tells where the viewer stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from antipodes.core import Color
from antipodes.errors import Fault, InvalidRecordError
from antipodes.games.registry import game_class, game_ids
from antipodes.notation.text import shorten
from antipodes.records.draft import Draft, DraftNode, faultless, finish
from antipodes.records.record import LINES, Record
from antipodes.records.result import Reason, Result

ADDRESS = "https://hexworld.org/board/#"

_HEAD = re.compile(r"(?P<size>[1-9]\d{0,3})(?:x(?P<rows>[1-9]\d{0,3}))?(?:r\d+|m|n|c\d+)*")
_TOKEN = re.compile(r"([a-z]+[1-9]\d*)|:([sSp]|[rf][bw])|(,)")
_LINK = re.compile(rf"(?:https?://)?(?:www\.)?hexworld\.org/|#?{_HEAD.pattern}(?:,|$)")
_LOSERS = {"b": Color.BLACK, "w": Color.WHITE}
_SWAPS = {"swap-pieces": ":s", "swap-sides": ":S"}
_SWAP_MOVES = {written: move for move, written in _SWAPS.items()}
_ENDINGS = {Reason.RESIGNATION: ":r", Reason.TIME: ":f", Reason.FORFEIT: ":f"}


def looks_like_link(text: str) -> bool:
    """Tell whether a text is meant as a HexWorld link, or as the part of one after the ``#``."""
    link = _bare(text)
    return "\n" not in link and _LINK.match(link) is not None


def _bare(text: str) -> str:
    """Return a link without spaces and the angle brackets that set it off in mails and notes."""
    link = text.strip()
    return link[1:-1].strip() if link.startswith("<") and link.endswith(">") else link


# --- writing --------------------------------------------------------------------------------


def to_hexworld(record: Record) -> str:
    """Write the main line of a record of Hex as a link.

    A link has no room for names, comments, clock times and variations; ``hexworld_losses`` lists
    what a link leaves out.

    Raises:
        InvalidRecordError: it is not Hex, or does not begin with an empty board.
    """
    record.check()
    if not record.game.plays_on_hexworld:
        message = f"HexWorld links are for Hex only, but this is {record.game.title}"
        raise InvalidRecordError([Fault("record/hexworld", message)])
    if record.start is not None:
        message = "HexWorld links begin with an empty board, but this record has another start"
        raise InvalidRecordError([Fault("record/hexworld", message)])
    swap = _SWAPS.get(record.game.swap_name, "")
    position = record.root.position
    texts = (position.format_move(move) for move in record.moves())
    moves = "".join(swap if text == "swap" else text for text in texts)
    ending = ""
    result = record.result
    if result is not None and result.winner is not None and result.reason in _ENDINGS:
        loser = "w" if result.winner is Color.BLACK else "b"
        ending = _ENDINGS[result.reason] + loser
    link = f"{ADDRESS}{record.game.options.size}nc1"
    return f"{link},{moves}{ending}" if moves or ending else link


def hexworld_losses(record: Record) -> tuple[str, ...]:
    """Return what a link leaves out of a record, in words; empty if it holds everything."""
    return tuple(dict.fromkeys(_losses(record)))


def _losses(record: Record) -> Iterator[str]:
    if any(record.players):
        yield "names"
    if any(getattr(record, name) for name in LINES):
        yield "date and event"
    if record.comment or any(node.comment for node in record.walk()):
        yield "comments"
    for node in record.walk():
        if len(node.children) > 1:
            yield "variations"
        if node.time_left is not None or node.time_spent is not None:
            yield "clock times"
        if node.mark is not None or node.extra:
            yield "marks and data of other programs"
    if record.extra:
        yield "marks and data of other programs"
    swap = record.game.options.swap
    if swap != "pieces" and not record.final_position().swapped:
        yield f"the option swap={swap}"
    yield from _result_losses(record)


def _result_losses(record: Record) -> Iterator[str]:
    outcome = record.final_position().outcome
    result = record.result
    if result is None or (outcome is not None and result == Result.of(outcome)):
        return
    if result.winner is None or result.reason not in _ENDINGS or result.text:
        yield "the result"
    elif result.reason is Reason.TIME:
        yield "that it ended on time (a link says forfeit)"


# --- reading --------------------------------------------------------------------------------


def from_hexworld(text: str) -> Record:
    """Read a record from a link, or from the part of one after the ``#``.

    Raises:
        InvalidRecordError: with everything that is wrong and where.
    """
    return faultless(from_hexworld_leniently(text), "hexworld")


def from_hexworld_leniently(text: str) -> tuple[Record, tuple[Fault, ...]]:
    """Read what can be read; the line ends before its first illegal move.

    Raises:
        InvalidRecordError: it is no such link.
    """
    faults: list[Fault] = []
    link = unquote(_bare(text))
    body = link.partition("#")[2] if "#" in link else link
    offset = len(link) - len(body)
    head = _HEAD.match(body)
    if head is None or body[head.end() : head.end() + 1] not in ("", ","):
        values = {"text": shorten(text), "example": f"{ADDRESS}11nc1,a2b3:rw"}
        raise InvalidRecordError(
            [
                Fault.of(
                    "record/not-hexworld",
                    "{text} is no HexWorld link; such links look like {example}",
                    **values,
                )
            ]
        )
    if head["rows"] not in (None, head["size"]):
        size = {"columns": head["size"], "rows": head["rows"]}
        raise InvalidRecordError(
            [
                Fault.of(
                    "record/hexworld",
                    "the board is {columns}x{rows}, but boards here are square",
                    where="the size",
                    **size,
                )
            ]
        )
    root = DraftNode("", "the start")
    result = _read_moves(root, body, head.end(), offset, faults)
    # A link does not say which swap is allowed: only one that is played tells.
    swap = "sides" if any(node.move == "swap-sides" for node in _line(root)) else "pieces"
    options = {"size": head["size"], "swap": swap}
    game_id = next(one for one in game_ids() if game_class(one).plays_on_hexworld)
    draft = Draft(game_id, options, root, result=result, where={"options": "the size"})
    record, all_faults = finish(draft, faults, "hexworld")
    outcome = record.final_position().outcome
    if record.result is None and outcome is not None:
        record.result = Result.of(outcome)
    return record, all_faults


def _line(root: DraftNode) -> Iterator[DraftNode]:
    node = root
    while node.children:
        node = node.children[0]
        yield node


def _read_moves(
    root: DraftNode, body: str, begin: int, offset: int, faults: list[Fault]
) -> Result | None:
    """Read the moves into a line after ``root`` and return the result that stands among them."""
    result = None
    node = root
    while begin < len(body):
        where = f"character {offset + begin + 1}"
        token = _TOKEN.match(body, begin)
        if token is None:
            text = shorten(body[begin : begin + 20])
            faults.append(Fault.of("record/hexworld", "{text} is no move", where=where, text=text))
            break
        begin = token.end()
        point, special, comma = token.groups()
        if comma:
            continue
        if result is not None:
            faults.append(
                Fault.of(
                    "record/hexworld",
                    "{text} comes after the end of the game",
                    where=where,
                    text=token[0],
                )
            )
            break
        if special == "p":
            message = "a player passes, which the rules here do not allow"
            faults.append(Fault("record/pass", message, where))
            break
        if special and special[0] in "rf":
            winner = _LOSERS[special[1]].opponent
            reason = Reason.RESIGNATION if special[0] == "r" else Reason.FORFEIT
            result = Result(winner, reason)
            continue
        after = DraftNode(point or _SWAP_MOVES[f":{special}"], where)
        node.children.append(after)
        node = after
    return result
