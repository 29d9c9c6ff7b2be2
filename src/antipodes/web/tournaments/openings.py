"""Openings that a host chooses for the games of an event."""

from __future__ import annotations

from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError
from antipodes.games.position import Game, Position
from antipodes.lab.atlas import shipped_atlas
from antipodes.lab.openings import opening_lines, read_opening
from antipodes.web.platform.limits import count_limit
from antipodes.web.platform.translations import fault_message, game_label

OPENINGS = count_limit("tournament-openings", 100, per="event", what="openings of a tournament")

FAIR = "fair"
LONGEST_TEXT = 20_000  # characters
_WHERE = "openings"


def openings_of(game: Game, text: str) -> tuple[str, ...]:
    """Return the openings of an event, each as moves with spaces between them.

    Args:
        game: the game with its options.
        text: empty for no openings; `FAIR` for the fair first moves of the atlas that comes with
            the program, the most even first; or a line for each opening.

    Raises:
        InputError: a move cannot be played, no fair openings are known, or there are too many; the
            error has all faults, with lines and moves.
    """
    if not text:
        return ()
    if text.strip() == FAIR:
        return _fair(game)
    if len(text) > LONGEST_TEXT:
        message = _("The openings have %(count)d characters; the most are %(most)d.")
        raise _error(message % {"count": len(text), "most": LONGEST_TEXT})
    lines = list(opening_lines(text))
    if not 0 < len(lines) <= OPENINGS.value:
        message = _("The list has %(count)d openings; it must have 1 to %(most)d.")
        raise _error(message % {"count": len(lines), "most": OPENINGS.value})
    openings, faults = [], []
    for number, line in lines:
        try:
            openings.append(_written(game, read_opening(game, line)))
        except InputError as error:
            for fault in error.faults:
                message = _("Line %(line)d of the openings: %(fault)s")
                values = {"line": number, "fault": fault_message(fault)}
                faults.append(Fault("tournament/openings", message % values, _WHERE))
    if faults:
        raise InputError(faults)
    return tuple(openings)


def _fair(game: Game) -> tuple[str, ...]:
    atlas = shipped_atlas(game)
    if atlas is None or not atlas.fair:
        message = _("No fair openings of %(game)s are known; write a list of your own.")
        raise _error(message % {"game": game_label(game.id, game.options.changed())})
    return tuple(one.move for one in atlas.fair[: OPENINGS.value])


def _written(game: Game, moves: tuple[int, ...]) -> str:
    position: Position = game.initial()
    texts = []
    for move in moves:
        texts.append(position.format_move(move))
        position = position.play(move)
    return " ".join(texts)


def _error(message: str) -> InputError:
    return InputError([Fault("tournament/openings", message, _WHERE)])
