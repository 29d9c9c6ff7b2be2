"""Seats of a challenge, as its page lists them."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from antipodes.core import Color
from antipodes.web.accounts.services import computer
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.platform.translations import color_name


@dataclass(frozen=True)
class SeatLine:
    """A seat of a challenge in a list.

    Attributes:
        seat: its number from 0; ``None`` for a player who takes any free seat.
        label: colour, and whether it moves first.
        name: the player's name; empty while the seat is free.
    """

    seat: int | None
    label: str
    name: str


def seat_lines(row: ChallengeRow) -> list[SeatLine]:
    """Return all seats in order, then the players who take any free seat."""
    game = row.game
    names = {seat: computer(level).name for seat, level in row.computers}
    waiting = []
    for seat, user in [(row.seat, row.by), *((one.seat, one.user) for one in row.joins.all())]:
        if seat is None:
            waiting.append(user.name)
        else:
            names[seat] = user.name
    taken = [
        SeatLine(seat, _label(game.color_of(seat), seat), names.get(seat, ""))
        for seat in range(game.seats)
    ]
    return taken + [SeatLine(None, _("any free seat"), name) for name in waiting]


def _label(color: Color, seat: int) -> str:
    values = {"seat": seat + 1, "colour": color_name(color)}
    if seat == 0:
        return _("%(seat)s: %(colour)s, moves first") % values
    return _("%(seat)s: %(colour)s") % values
