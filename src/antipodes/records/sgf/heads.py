"""Reading what the root of an SGF tree says about the game as a whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from antipodes.boards.topology import letter
from antipodes.core import Color, Setup
from antipodes.errors import Phrase
from antipodes.games.position import Game
from antipodes.games.registry import game_class, game_ids
from antipodes.notation.text import shorten
from antipodes.records.json_format import read_setup
from antipodes.records.result import Reason, Result
from antipodes.records.schema import setup_faults
from antipodes.records.sgf import names
from antipodes.records.sgf.fields import Fields

_OTHER, _START = "record/other-game", "record/start"
_RESULT = re.compile(r"([BW])(?:lack|hite)?\s*(?:\+\s*(.*))?", re.IGNORECASE | re.DOTALL)
_REASONS = {
    "r": Reason.RESIGNATION,
    "resign": Reason.RESIGNATION,
    "t": Reason.TIME,
    "time": Reason.TIME,
    "f": Reason.FORFEIT,
    "forfeit": Reason.FORFEIT,
}
_POINT = re.compile(r"([a-z])(\d{1,2})", re.IGNORECASE)


def read_game(fields: Fields) -> str | None:
    """Take out the id of the game; ``None``, with a fault, where it is none of ours."""
    number = fields.text("GM").strip()
    own = fields.one(names.GAME)
    numbered = {game.sgf_number: game for game in map(game_class, game_ids()) if game.sgf_number}
    fields.all("FF")
    fields.all("CA")
    if number in numbered:
        game = numbered[number]
        if own not in (None, game.id):
            fields.note_fault(
                "{first} says {value}, but {second} says {other}",
                first="GM",
                value=Phrase(game.title),
                second=names.GAME,
                other=shorten(own),
            )
        return game.id
    if own is not None and number in ("", names.OWN_NUMBER):
        return own
    if number in ("", "1"):
        fields.note_fault(
            "this is a record of Go, as every SGF record without another GM is", _OTHER
        )
    else:
        fields.note_fault(
            "GM is {number}, but games here are {known} and our own, 0",
            _OTHER,
            number=shorten(number),
            known=tuple(f"{one} ({game.title})" for one, game in numbered.items()),
        )
    return None


def read_options(fields: Fields, game: type[Game]) -> dict[str, object]:
    """Take out the options, by name and as text."""
    options: dict[str, object] = {}
    for value in fields.all(names.OPTIONS):
        name, colon, chosen = value.partition(":")
        if not colon:
            fields.note_fault(
                "{name} has {value}, but must have name:value",
                name=names.OPTIONS,
                value=shorten(value),
            )
        else:
            options[name.strip()] = chosen.strip()
    if game.sgf_number:
        (size,) = game.size_options
        _read_size(fields, options, size)
    return options


def _read_size(fields: Fields, options: dict[str, object], size: str) -> None:
    value = fields.one("SZ")
    if value is None:
        return
    columns, _, rows = (part.strip() for part in value.partition(":"))
    if rows and rows != columns:
        fields.note_fault(
            "SZ is {value}, but boards here have as many rows as columns", value=shorten(value)
        )
    if options.setdefault(size, columns) != columns:
        fields.note_fault(
            "{first} says {value}, but {second} says {other}",
            first="SZ",
            value=shorten(value),
            second=names.OPTIONS,
            other=options[size],
        )


def read_version(fields: Fields) -> int | None:
    """Take out the version of the rules."""
    value = fields.one(names.RULES_VERSION)
    if value is None:
        return None
    if not re.fullmatch("[0-9]{1,6}", value.strip()):
        fields.note_fault(
            "{name} is {value}, but must be a whole number",
            name=names.RULES_VERSION,
            value=shorten(value),
        )
        return None
    return int(value)


def read_start(fields: Fields, game: Game) -> Setup | None:
    """Take out the start, from our own property or, in games that SGF knows, from the stones."""
    data = fields.data(names.START)
    stones = {color: fields.all(f"A{color}") for color in "BW"}
    to_move = fields.one("PL")
    fields.all("AE")
    if data is not None:
        faults = list(setup_faults(data))
        for fault in faults:
            fields.note_fault("{name}: {fault}", name=names.START, fault=fault.phrase)
        return None if faults else read_setup(data)
    if not any(stones.values()) and to_move is None:
        return None
    if not game.sgf_number:
        fields.note_fault("stones are set up, but not by {name}", _START, name=names.START)
        return None
    color = {"b": "black", "w": "white"}.get((to_move or "").strip().lower()[:1])
    placed = [
        (point, owner)
        for key, owner in (("B", "black"), ("W", "white"))
        for value in stones[key]
        for point in points_of(value)
    ]
    return Setup(stones=tuple(placed), to_move=color, composed=True)


def points_of(value: str) -> list[str]:
    """Return the points of a value, which may be a rectangle: ``a1:c2``."""
    first, _, last = value.strip().partition(":")
    begin, end = _POINT.fullmatch(first.strip()), _POINT.fullmatch(last.strip())
    if begin is None or end is None:
        return [value]
    columns, rows = (
        range(min(pair), max(pair) + 1)
        for pair in (
            (ord(begin[1].lower()) - 97, ord(end[1].lower()) - 97),
            (int(begin[2]), int(end[2])),
        )
    )
    return [f"{letter(column)}{row}" for row in rows for column in columns]


def read_players(fields: Fields, game: Game) -> tuple[str, ...]:
    """Take out the names by seat."""
    given = fields.all(names.NAMES)
    if game.seats > 2:
        return tuple(given)
    by_color = [fields.text("P" + names.letter_of(color, game.colors)) for color in game.colors]
    return tuple(given or by_color)


def read_result(fields: Fields, colors: Sequence[Color]) -> Result | None:
    """Take out the result, from our own property or from the one that all programs know."""
    public = _public_result(fields, colors)
    own = fields.all(names.RESULT)
    if not own:
        return public
    try:
        winner, reason, text, loser = own if len(own) > 3 else [*own, ""]
        values = {"winner": winner, "reason": reason, "text": text, "loser": loser}
        result = Result.read(values)
    except ValueError:
        shown = shorten(", ".join(own))
        fields.note_fault("{name} is {value}, which is no result", name=names.RESULT, value=shown)
        return public
    if public is not None and public.winner is not result.winner:
        fields.note_fault(
            "{first} says {value}, but {second} says {other}",
            first="RE",
            value=public,
            second=names.RESULT,
            other=result,
        )
    return result


def _public_result(fields: Fields, colors: Sequence[Color]) -> Result | None:
    value = fields.one("RE")
    if value is None or not value.strip():
        return None
    word = value.strip()
    match = _RESULT.fullmatch(word)
    if match:
        winner = names.color_of(match[1].upper(), colors)
        how = (match[2] or "").strip()
        reason = _REASONS.get(how.lower(), Reason.UNKNOWN)
        return Result(winner, reason, how if how and reason is Reason.UNKNOWN else "")
    if word.lower() in ("0", "draw", "jigo"):
        return Result(None, Reason.AGREEMENT)
    if word.lower() == "void":
        return Result(None, Reason.VOID)
    return Result(None, Reason.UNKNOWN, "" if word == "?" else word)


def read_extra(fields: Fields) -> dict[str, Any]:
    """Take out what other formats have kept for the record as a whole."""
    data = fields.data(names.RECORD_EXTRA)
    if data is None:
        return {}
    if not isinstance(data, dict):
        fields.note_fault("{name} must hold an object", name=names.RECORD_EXTRA)
        return {}
    return data
