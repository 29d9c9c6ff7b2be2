"""Laws of costs: what one act of a person may cost all others."""

from __future__ import annotations

from collections.abc import Iterator

from antipodes.web.town.town import Town

_VALUES = 3_000  # that one act writes at most, with the periodic work that is due meanwhile
_VALUES_OF_PERSON = 100  # more for each person of the town
_BYTES = 60_000  # that one act sends to an open page of another person at most


def an_act_writes_little(town: Town) -> Iterator[str]:
    """An act writes as many values as a constant and some for each person, as all wait for it."""
    most = _VALUES + _VALUES_OF_PERSON * len(town.people)
    town.measured["values written by an act"].append(town.site.weather.written)
    if town.site.weather.written > most:
        yield f"{town.events[-1]} has written {town.site.weather.written} values"


def an_act_sends_little(town: Town) -> Iterator[str]:
    """An act sends a bounded number of bytes to each open page of another person."""
    who = town.events[-1].who if town.events else None
    for each in town.received:
        if each.person.number % 1_000 == who or not each.where.endswith("socket"):
            continue
        town.measured["bytes sent by an act to a page of another person"].append(len(each.text))
        if len(each.text) > _BYTES:
            yield f"{town.events[-1]} has sent {len(each.text)} bytes to {each.where}"
