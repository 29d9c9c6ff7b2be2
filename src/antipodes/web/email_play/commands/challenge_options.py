"""What somebody wants to play, read from the options of a command.

Options of the game have their own names, and those that the classic server gave them. Times are in
days, as they were there, or have their unit: ``--forfeittime=12h``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from antipodes.clocks import TimeControl, read_control
from antipodes.errors import Fault, InputError
from antipodes.games.base import BoardGame
from antipodes.games.registry import game_class, make_game
from antipodes.notation.text import shorten

_DAY = 86_400_000  # milliseconds
USUAL = TimeControl(per_move=21 * _DAY)  # as on the classic server: forfeit after three weeks ...
USUAL_NAG = 7 * _DAY  # ... and a reminder after one
_LONGEST = 366  # days

_UNITS = {"": 24, "d": 24, "h": 1}  # hours
_TIME = re.compile(r"([0-9]{1,5})([dh]?)")

# Names that the classic server, or other games of ours, have for an option.
_OTHER_NAMES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "antipod": {"radius": ("side",), "size": ("side",)},
    "antipalos": {"side": ("size",)},
    "hex": {"side": ("size",)},
    "cylindrical-hex": {"size": ("rows", "columns")},
}
_YES = frozenset({"on", "yes", "true", "1"})
_NO = frozenset({"off", "no", "false", "0"})

# What can be said of every game, with what it means; help and docs list it.
COMMON: Mapping[str, str] = {
    "forfeittime": "days for each move; whoever takes longer loses (21)",
    "totaltime": "days in a bank, for moves that take longer than that",
    "nagtime": "days of a turn after which a reminder is mailed (7); 0 for none",
    "clock": "the time as the site writes it, such as 3d/move+10d or unlimited",
    "rated": "on or off: whether it counts (on)",
    "unrated": "the same as rated=off",
    "lots": "draw lots for the seats; else they follow the order of the names",
    "private": "only those who play may watch",
    "points": "Antipalos: match play to 6, 9 or 15 points",
    "within": "seek: at most so many points of rating from you",
    "days": "after so many days the challenge runs out",
}


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """What is wanted, beside with whom.

    Attributes:
        game: the rules with their options.
        control: how much time there is.
        nag: milliseconds of a turn after which its player is reminded; 0 for never.
        lots: whether seats are drawn, whatever the order of the names.
        more: what else a `GameRequest` has, by name.
    """

    game: BoardGame[Any, Any]
    control: TimeControl
    nag: int
    lots: bool
    more: Mapping[str, Any]


def read_conditions(game_id: str, options: Mapping[str, str]) -> Conditions:
    """Read what somebody wants to play.

    Args:
        game_id: the game.
        options: by name, as they were written.

    Raises:
        InputError: with all that is wrong.
    """
    if not game_id:
        raise InputError.single(
            "mail/no-game", "say which game you mean, such as: hex challenge ann bob"
        )
    common = {name: text for name, text in options.items() if name in COMMON}
    rest = {name: text for name, text in options.items() if name not in COMMON}
    faults: list[Fault] = []
    found: dict[str, Any] = {}
    for name, read in (
        ("game", lambda: make_game(game_id, _own_names(game_id, rest))),
        ("control", lambda: _control(common)),
        ("nag", lambda: _nag(common)),
        ("lots", lambda: _is_on("lots", common.get("lots", "off"))),
        ("more", lambda: _more(common)),
    ):
        try:
            found[name] = read()
        except InputError as error:
            faults.extend(error.faults)
    if faults:
        raise InputError(faults)
    return Conditions(**found)


def _own_names(game_id: str, options: Mapping[str, str]) -> dict[str, object]:
    """Return options by the names that the game itself has for them."""
    game = game_class(game_id)
    known = {info.name for info in game().option_table()}
    others = _OTHER_NAMES.get(game.id, {})
    found: dict[str, object] = {}
    for name, text in options.items():
        own = (name,) if name in known else others.get(name, (name,))
        for one in own:
            if one in found:
                raise _refused("option/twice", f"{shorten(name)} is set twice", name)
            found[one] = text
    return found


def _control(options: Mapping[str, str]) -> TimeControl:
    days = {name for name in ("forfeittime", "totaltime") if name in options}
    if "clock" in options:
        if days:
            message = "say the time by --clock or by --forfeittime and --totaltime, not by both"
            raise _refused("mail/options", message, "clock")
        return read_control(options["clock"])
    if not days:
        return USUAL
    per_move = read_time("forfeittime", options.get("forfeittime", "0"))
    bank = read_time("totaltime", options.get("totaltime", "0"))
    return TimeControl(per_move=per_move, bank=bank)


def _nag(options: Mapping[str, str]) -> int:
    text = options.get("nagtime")
    return USUAL_NAG if text is None else read_time("nagtime", text)


def read_time(name: str, text: str) -> int:
    """Read so many days, ``7`` or ``7d``, or hours, ``12h``; in milliseconds.

    Raises:
        InputError: it is no such time, or longer than a year.
    """
    found = _TIME.fullmatch(text.strip().lower())
    hours = int(found[1]) * _UNITS[found[2]] if found else -1
    if not 0 <= hours <= _LONGEST * 24:
        message = f"{name} is {shorten(text)}, but must be 0 to {_LONGEST} days, such as 7 or 12h"
        raise _refused("mail/options", message, name)
    return hours * (_DAY // 24)


def _more(options: Mapping[str, str]) -> dict[str, Any]:
    more: dict[str, Any] = {"rated": _is_rated(options)}
    if "private" in options:
        more["is_private"] = _is_on("private", options["private"])
    for name, word in (("points", "points"), ("within", "within")):
        if name in options:
            more[word] = _number(name, options[name])
    if "days" in options:
        more["hours"] = 24 * _number("days", options["days"])
    return more


def _is_rated(options: Mapping[str, str]) -> bool:
    rated = _is_on("rated", options.get("rated", "on"))
    unrated = _is_on("unrated", options.get("unrated", "off"))
    if "rated" in options and "unrated" in options and rated is unrated:
        raise _refused("mail/options", "a game is rated or unrated, not both", "rated")
    return rated and not unrated


def _is_on(name: str, text: str) -> bool:
    word = text.strip().lower()
    if word in _YES | _NO:
        return word in _YES
    raise _refused("mail/options", f"{name} is {shorten(text)}, but must be on or off", name)


def _number(name: str, text: str) -> int:
    if text.isascii() and text.isdecimal() and 0 < int(text[:6]) <= _LONGEST * 10 and len(text) < 6:
        return int(text)
    message = f"{name} is {shorten(text)}, but must be a whole number above 0"
    raise _refused("mail/options", message, name)


def _refused(code: str, message: str, where: str) -> InputError:
    return InputError.single(code, message, where)
