"""Labels in lists and forms: time controls, durations, games, board sizes and levels."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from antipodes.clocks import Pace, read_control
from antipodes.games import pairing_strategy
from antipodes.games.options import OptionInfo, Options
from antipodes.games.position import Game
from antipodes.search.levels import levels
from antipodes.web.accounts.levels import level_description
from antipodes.web.platform.translations import game_label

__all__ = [
    "CONTROLS",
    "control_words",
    "duration_words",
    "game_label",
    "is_size",
    "length_word",
    "level_choices",
    "pace_of",
    "pairing_choice",
    "pairing_conditions",
    "size_choices",
]

CONTROLS: Mapping[str | Promise, Mapping[str, str | Promise]] = {
    _("No clock"): {"unlimited": _("no clock")},
    _("Live"): {
        "3m+2s": _("3 minutes + 2 seconds a move"),
        "5m+5s": _("5 minutes + 5 seconds a move"),
        "10m+5s": _("10 minutes + 5 seconds a move"),
        "20m+10s": _("20 minutes + 10 seconds a move"),
        "30s/move": _("30 seconds for each move"),
        "1m/move": _("1 minute for each move"),
    },
    _("Correspondence"): {
        "1d/move": _("1 day for each move"),
        "1d/move+5d": _("1 day a move + 5 in the bank"),
        "3d/move+10d": _("3 days a move + 10 in the bank"),
        "7d/move+21d": _("7 days a move + 21 in the bank"),
    },
}
_WORDS_OF_CONTROLS = {text: words for group in CONTROLS.values() for text, words in group.items()}

_SECONDS = 1_000  # milliseconds
_UNITS = (
    (_("%(count)s d"), 86_400),
    (_("%(count)s h"), 3_600),
    (_("%(count)s min"), 60),
    (_("%(count)s s"), 1),
)

# Labels for the length of a game, by the board's number of cells relative to the default board.
_LENGTHS = (
    (0.2, _("tiny")),
    (0.45, _("quick")),
    (0.8, _("short")),
    (1.0, _("usual")),
    (1.6, _("long")),
)
_LONGEST = _("very long")
_SIZES = ("side", "size", "rows", "columns")


def control_words(control: str) -> str:
    """Return the label of a time control; an unusual one is returned as written."""
    return str(_WORDS_OF_CONTROLS.get(control, control))


def pace_of(control: str) -> Pace:
    """Return the pace of a time control: live, correspondence or unlimited."""
    return read_control(control).pace


def duration_words(milliseconds: int) -> str:
    """Format a duration with its two largest units, which stay on a line with their numbers."""
    left = max(0, milliseconds // _SECONDS)
    parts: list[str] = []
    for unit, size in _UNITS:
        count, left = divmod(left, size)
        if count or (parts and len(parts) < 2):
            parts.append(unit % {"count": count})
    words = parts[:2] or [_UNITS[-1][0] % {"count": 0}]
    return " ".join(word.replace(" ", "\N{NO-BREAK SPACE}") for word in words)


def level_choices() -> list[tuple[str, str]]:
    """Return number and label of each level."""
    return [(str(level.number), level_description(level)) for level in levels()]


def pairing_choice(game_type: type[Game]) -> list[tuple[str, str]]:
    """Return the pairing strategy as a choice, for games to which it applies."""
    if not pairing_strategy.is_for(game_type):
        return []
    return [(pairing_strategy.PLAYER, gettext("Pairing strategy: cannot lose"))]


def pairing_conditions(game_type: type[Game]) -> str:
    """Return what the pairing strategy needs, for games to which it applies."""
    if not pairing_strategy.is_for(game_type):
        return ""
    if "handicap" in {info.name for info in game_type.option_table()}:
        return gettext("White begins, without a handicap and without a swap.")
    return gettext("White begins, on an even number of columns.")


def is_size(info: OptionInfo) -> bool:
    """Return whether an option sets the size of the board."""
    return info.name in _SIZES


def size_choices(info: OptionInfo, options: Options) -> list[tuple[int, str]]:
    """Return the sizes that the other options allow, each labelled with the game's length."""
    usual = type(options)().as_dict()[info.name]
    power = 1 if info.name in {"rows", "columns"} else 2
    return [
        (int(size), _size_words(int(size), (int(size) / int(usual)) ** power))
        for size in options.offered(info.name)
    ]


def _size_words(size: int, share: float) -> str:
    return gettext("%(size)s: %(length)s") % {"size": size, "length": length_word(share)}


def length_word(share: float) -> str:
    """Return how long a game is on a board with this share of the default board's cells."""
    return str(next((word for most, word in _LENGTHS if share <= most), _LONGEST))
