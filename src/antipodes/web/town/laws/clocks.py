"""Laws of time: clocks gain what the control gives, and nothing goes back."""

from __future__ import annotations

from collections.abc import Iterator

from antipodes.clocks import Clock
from antipodes.web.town.site import clock_now
from antipodes.web.town.town import Town

_ROUNDING = 2  # milliseconds


def clocks_gain_only_what_the_control_gives(_town: Town) -> Iterator[str]:
    """A turn's time is gone when it ends; a bank gains the increment of its own moves alone."""
    from antipodes.match.events import Moved
    from antipodes.web.town.laws.replays import steps

    for slug, before, event, after in steps():
        for seat, bank in enumerate(after.clock.banks):
            is_own_move = isinstance(event, Moved) and event.seat == seat
            goes_on = seat == after.clock.seat
            most = before.clock.banks[seat] if goes_on else _left(before.clock, seat, event.at)
            most += is_own_move * after.clock.control.increment
            if bank > most + _ROUNDING:
                yield f"match {slug}: {event.kind} gives seat {seat} {bank}, more than {most}"


def _left(clock: Clock, seat: int, at: int) -> int:
    """Return what a bank has at an instant, without what the present turn has used."""
    used = clock.used(at) if seat == clock.seat else 0
    return max(0, clock.banks[seat] - max(0, used - clock.control.per_move))


def an_outage_withdraws_no_offer(_town: Town) -> Iterator[str]:
    """A pause that the players did not agree to leaves their offers open."""
    from antipodes.match import OfferKind
    from antipodes.match.events import Paused
    from antipodes.web.town.laws.replays import steps

    for slug, before, event, after in steps():
        if isinstance(event, Paused) and not before.is_agreed(OfferKind.PAUSE):
            for kind in before.offers.keys() - after.offers.keys():
                yield f"match {slug}: an outage withdrew the offer of a {kind}"


def time_never_goes_back(town: Town) -> Iterator[str]:
    """The site's clock never shows an earlier time than before, whatever the machine's shows."""
    latest, now = town.memory.get("latest", 0), clock_now()
    town.memory["latest"] = now
    if now < latest:
        yield f"the site's clock went back by {latest - now} ms"
