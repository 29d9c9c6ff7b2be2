"""What lists and forms say: clocks, durations, games and levels in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from antipodes.clocks import Pace, read_control
from antipodes.games.base import BoardGame
from antipodes.games.options import OptionInfo
from antipodes.games.registry import game_class
from antipodes.search.levels import levels

CONTROLS: Mapping[str, Mapping[str, str]] = {
    "No clock": {"unlimited": "no clock"},
    "Live": {
        "3m+2s": "3 minutes + 2 seconds a move",
        "5m+5s": "5 minutes + 5 seconds a move",
        "10m+5s": "10 minutes + 5 seconds a move",
        "20m+10s": "20 minutes + 10 seconds a move",
        "30s/move": "30 seconds for each move",
        "1m/move": "1 minute for each move",
    },
    "Correspondence": {
        "1d/move": "1 day for each move",
        "1d/move+5d": "1 day for each move, and 5 in the bank",
        "3d/move+10d": "3 days for each move, and 10 in the bank",
        "7d/move+21d": "7 days for each move, and 21 in the bank",
    },
}
_WORDS_OF_CONTROLS = {text: words for group in CONTROLS.values() for text, words in group.items()}

_SECONDS = 1_000  # milliseconds
_UNITS = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))

# How long a game is, by the share of cells that the board has of the usual one.
_LENGTHS = ((0.2, "tiny"), (0.45, "quick"), (0.8, "short"), (1.0, "usual"), (1.6, "long"))
_LONGEST = "very long"
_SIZES = ("side", "size", "rows", "columns")


def control_words(control: str) -> str:
    """Say a time control; one that is not among the usual ones is shown as it is written."""
    return _WORDS_OF_CONTROLS.get(control, control)


def pace_of(control: str) -> Pace:
    """Return how a game with a time control is played."""
    return read_control(control).pace


def duration_words(milliseconds: int) -> str:
    """Say a duration with its two largest units."""
    left = max(0, milliseconds // _SECONDS)
    parts: list[str] = []
    for unit, size in _UNITS:
        count, left = divmod(left, size)
        if count or (parts and len(parts) < 2):
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2]) or "0 s"


def game_words(game_id: str, options: Mapping[str, object]) -> str:
    """Name a game with the options that are not the usual ones."""
    title = game_class(game_id).title
    return " · ".join([title, *(_option_words(name, value) for name, value in options.items())])


def _option_words(name: str, value: object) -> str:
    words = name.replace("_", " ")
    if name == "first":
        return f"{value} begins"
    return {"on": f"with {words}", "off": f"no {words}"}.get(str(value), f"{words} {value}")


def level_choices(game_id: str) -> list[tuple[str, str]]:
    """Return number and words of each level, with its rating in a game where that is known."""
    found = []
    for level in levels():
        rating = level.rating(game_id)
        known = "" if rating is None else f" ({rating})"
        name = f"{level.number} {level.name.capitalize()}{known}: {level.description}"
        found.append((str(level.number), name))
    return found


def is_size(info: OptionInfo) -> bool:
    """Return whether an option says how large the board is."""
    return info.name in _SIZES


def size_choices(info: OptionInfo, game: BoardGame[Any, Any]) -> list[tuple[int, str]]:
    """Return all sizes, each with a word on the length of a game."""
    usual = game.options.as_dict()[info.name]
    power = 1 if info.name in {"rows", "columns"} else 2
    return [
        (size, f"{size}: {length_word((size / int(usual)) ** power)}")
        for size in range(info.low, info.high + 1)
    ]


def length_word(share: float) -> str:
    """Say how long a game is on a board that has this share of the usual cells."""
    return next((word for most, word in _LENGTHS if share <= most), _LONGEST)
