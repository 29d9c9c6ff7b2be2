"""Laws of costs: what one act of a person may cost all others."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from antipodes.web.town.town import Town

_VALUES = 3_000  # that one act writes at most, with the periodic work that is due meanwhile
_VALUES_OF_PERSON = 100  # more for each person of the town
_MESSAGES = 12  # that one act, with periodic work, sends to an open page of another person at most
# A message has a state of a match, or less: rules, seats, clocks and offers, a line of chat or what
# an event's page shows; then the moves so far, and those that are legal now.
_FRAME = 4_000  # bytes without moves
_MOVE = 160  # bytes of a move: what it is, who made it, when and how, its text
_CHANGE = 40  # bytes of a cell that a move changes, of which a turn of Antipode has many
_LEGAL = 40  # bytes of a legal move, or of many that are told as multiples
_MEMORY = 400_000_000  # bytes that the program takes when people begin, whatever they do
_MEMORY_OF_ACT = 60_000  # bytes of each act, most of which are what the town itself remembers


def an_act_writes_little(town: Town) -> Iterator[str]:
    """An act writes as many values as a constant and some for each person, as all wait for it."""
    most = _VALUES + _VALUES_OF_PERSON * len(town.people)
    town.measured["values written by an act"].append(town.site.weather.written)
    if town.site.weather.written > most:
        yield f"{town.events[-1]} has written {town.site.weather.written} values"


def an_act_sends_little(town: Town) -> Iterator[str]:
    """An act sends few messages to each open page of another person, each of a bounded size."""
    who = town.events[-1].who if town.events else None
    for each in town.received:
        if each.person.number % 1_000 == who or not each.where.endswith("socket"):
            continue
        town.measured["bytes sent by an act to a page of another person"].append(len(each.text))
        messages = json.loads(each.text)
        if len(messages) > _MESSAGES:
            yield f"{town.events[-1]} has sent {len(messages)} messages to {each.where}"
        for message in messages:
            moves, changes, legal = _moves_in(message)
            told = _MOVE * moves + _CHANGE * changes + _LEGAL * legal
            size = len(json.dumps(message)) - told
            town.measured["bytes of a message beyond its moves"].append(max(0, size))
            if size > _FRAME:
                yield f"{town.events[-1]} has sent {str(message)[:200]} to {each.where}"


def memory_grows_with_what_people_do(town: Town) -> Iterator[str]:
    """Since the town began, the process has taken a constant and a little for each act at most."""
    import resource

    unit = 1 if sys.platform == "darwin" else 1_024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    # Of a process that has done something else before, such as a test, that is not counted.
    taken = most - town.memory.setdefault("bytes at the beginning", most)
    town.measured["bytes of memory"].append(taken)
    if taken > _MEMORY + _MEMORY_OF_ACT * len(town.events):
        yield f"{taken} bytes of memory were taken for {len(town.events)} acts"


def _moves_in(message: Any) -> tuple[int, int, int]:
    """Return how many moves a match in a message has, cells that they change, and legal moves."""
    match = message.get("match") if isinstance(message, dict) else None
    if not isinstance(match, dict):
        return 0, 0, 0
    moves = match.get("moves") or ()
    changes = sum(len(move.get("changed") or ()) for move in moves)
    return len(moves), changes, len(match.get("legal") or ())
