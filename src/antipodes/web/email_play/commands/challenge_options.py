"""Options of challenge and seek commands: game, time control, reminders and terms.

Options of a game have their own names and those of the classic server. Times are in days, as
there, or have a unit: ``--forfeittime=12h``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from antipodes.clocks import DAY, HOUR, TimeControl, read_control
from antipodes.core.numbers import read_number
from antipodes.errors import Fault, InputError
from antipodes.games.position import Game
from antipodes.games.registry import game_class
from antipodes.notation.text import shorten
from antipodes.web.matches.fair_options import agreed_game

# As on the classic server: a player loses after three weeks and is reminded after one.
DEFAULT_CONTROL = TimeControl(per_move=21 * DAY)
DEFAULT_REMINDER = 7 * DAY
_MAX_DAYS = 366

_UNITS = {"": 24, "d": 24, "h": 1}  # hours
_TIME = re.compile(r"([0-9]{1,5})([dh]?)")

# Names that the classic server, or other games here, have for an option.
_ALIASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "antipod": {"radius": ("side",), "size": ("side",)},
    "antipalos": {"side": ("size",)},
    "hex": {"side": ("size",)},
    "cylindrical-hex": {"size": ("rows", "columns")},
}
_YES = frozenset({"on", "yes", "true", "1"})
_NO = frozenset({"off", "no", "false", "0"})

# Options of every game.
_COMMON = frozenset(
    {
        "forfeittime",
        "totaltime",
        "nagtime",
        "clock",
        "rated",
        "unrated",
        "lots",
        "private",
        "points",
        "within",
        "days",
    }
)


@dataclass(frozen=True, kw_only=True)
class ChallengeOptions:
    """All options of a challenge except the opponents.

    Attributes:
        game: the rules with their options.
        control: the time control.
        reminder: milliseconds of a turn after which its player is reminded; 0 for never.
        lots: whether seats are drawn, whatever the order of the names.
        terms: further arguments of a `GameRequest`.
    """

    game: Game
    control: TimeControl
    reminder: int
    lots: bool
    terms: Mapping[str, Any]


def parse_options(game_id: str, options: Mapping[str, str]) -> ChallengeOptions:
    """Parse the options of a command.

    Args:
        game_id: the game.
        options: values as written, by name.

    Raises:
        InputError: with all faults.
    """
    if not game_id:
        raise InputError.single(
            "mail/no-game", "say which game you mean, such as: hex challenge ann bob"
        )
    common = {name: text for name, text in options.items() if name in _COMMON}
    of_game = {name: text for name, text in options.items() if name not in _COMMON}
    faults: list[Fault] = []
    parsed: dict[str, Any] = {}
    for name, parse in (
        ("game", lambda: agreed_game(game_id, _without_aliases(game_id, of_game))),
        ("control", lambda: _time_control(common)),
        ("reminder", lambda: _reminder(common)),
        ("lots", lambda: _is_on("lots", common.get("lots", "off"))),
        ("terms", lambda: _terms(common)),
    ):
        try:
            parsed[name] = parse()
        except InputError as error:
            faults.extend(error.faults)
    if faults:
        raise InputError(faults)
    return ChallengeOptions(**parsed)


def _without_aliases(game_id: str, options: Mapping[str, str]) -> dict[str, object]:
    """Return options by the game's own names for them."""
    game = game_class(game_id)
    own_names = {info.name for info in game().option_table()}
    aliases = _ALIASES.get(game.id, {})
    found: dict[str, object] = {}
    for name, text in options.items():
        for own_name in (name,) if name in own_names else aliases.get(name, (name,)):
            if own_name in found:
                raise _error("option/twice", f"{shorten(name)} is set twice", name)
            found[own_name] = text
    return found


def _time_control(options: Mapping[str, str]) -> TimeControl:
    in_days = {name for name in ("forfeittime", "totaltime") if name in options}
    if "clock" in options:
        if in_days:
            message = "use either --clock or --forfeittime and --totaltime"
            raise _error("mail/options", message, "clock")
        return read_control(options["clock"])
    if not in_days:
        return DEFAULT_CONTROL
    per_move = parse_time("forfeittime", options.get("forfeittime", "0"))
    bank = parse_time("totaltime", options.get("totaltime", "0"))
    return TimeControl(per_move=per_move, bank=bank)


def _reminder(options: Mapping[str, str]) -> int:
    text = options.get("nagtime")
    return DEFAULT_REMINDER if text is None else parse_time("nagtime", text)


def parse_time(name: str, text: str) -> int:
    """Return the milliseconds of a time in days, ``7`` or ``7d``, or in hours, ``12h``.

    Raises:
        InputError: it is not such a time, or longer than a year.
    """
    found = _TIME.fullmatch(text.strip().lower())
    hours = int(found[1]) * _UNITS[found[2]] if found else -1
    if not 0 <= hours <= _MAX_DAYS * 24:
        message = f"{name} is {shorten(text)}, but must be 0 to {_MAX_DAYS} days, such as 7 or 12h"
        raise _error("mail/options", message, name)
    return hours * HOUR


def _terms(options: Mapping[str, str]) -> dict[str, Any]:
    terms: dict[str, Any] = {"rated": _is_rated(options)}
    if "private" in options:
        terms["is_private"] = _is_on("private", options["private"])
    for name in ("points", "within"):
        if name in options:
            terms[name] = _number(name, options[name])
    if "days" in options:
        terms["hours"] = 24 * _number("days", options["days"])
    return terms


def _is_rated(options: Mapping[str, str]) -> bool:
    rated = _is_on("rated", options.get("rated", "on"))
    unrated = _is_on("unrated", options.get("unrated", "off"))
    if "rated" in options and "unrated" in options and rated is unrated:
        raise _error("mail/options", "a game is rated or unrated, not both", "rated")
    return rated and not unrated


def _is_on(name: str, text: str) -> bool:
    word = text.strip().lower()
    if word in _YES | _NO:
        return word in _YES
    raise _error("mail/options", f"{name} is {shorten(text)}, but must be on or off", name)


def _number(name: str, text: str) -> int:
    number = read_number(text, _MAX_DAYS * 10)
    if number:
        return number
    message = f"{name} is {shorten(text)}, but must be a whole number above 0"
    raise _error("mail/options", message, name)


def _error(code: str, message: str, where: str) -> InputError:
    return InputError.single(code, message, where)
