"""Who sits where at a challenge, as its page shows it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from antipodes.core import Color
from antipodes.web.accounts.services import computer
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.platform.translations import color_words


@dataclass(frozen=True)
class Chair:
    """A seat of a challenge.

    Attributes:
        seat: its number from 0; ``None`` for somebody who takes what is left.
        label: what it is called: the colour, and whose turn is first.
        name: who sits there; empty while it is free.
    """

    seat: int | None
    label: str
    name: str


def chairs(row: ChallengeRow) -> list[Chair]:
    """Return all seats in order, then those who take what is left."""
    game = row.game
    names = {seat: computer(level).name for seat, level in row.computers}
    waiting = []
    for seat, user in [(row.seat, row.by), *((one.seat, one.user) for one in row.joins.all())]:
        if seat is None:
            waiting.append(user.name)
        else:
            names[seat] = user.name
    found = [
        Chair(seat, _label(game.colors[seat % len(game.colors)], seat), names.get(seat, ""))
        for seat in range(game.seats)
    ]
    return found + [Chair(None, _("takes what is left"), name) for name in waiting]


def _label(color: Color, seat: int) -> str:
    values = {"seat": seat + 1, "colour": color_words(color)}
    if seat == 0:
        return _("%(seat)s: %(colour)s, begins") % values
    return _("%(seat)s: %(colour)s") % values
