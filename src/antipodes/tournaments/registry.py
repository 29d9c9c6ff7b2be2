"""All formats by name."""

from __future__ import annotations

from collections.abc import Mapping

from antipodes.errors import Fault, InputError
from antipodes.notation.text import shorten
from antipodes.tournaments.arena import Arena
from antipodes.tournaments.double_elimination import DoubleElimination
from antipodes.tournaments.formats import Format
from antipodes.tournaments.groups import Groups
from antipodes.tournaments.knockout import Knockout
from antipodes.tournaments.ladder import Ladder
from antipodes.tournaments.league import League
from antipodes.tournaments.rolling_swiss import RollingSwiss
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.tournaments.swiss import Swiss
from antipodes.tournaments.tables import Tables
from antipodes.tournaments.team_match import TeamMatch

FORMATS: Mapping[str, type[Format]] = {
    one.name: one
    for one in (
        RoundRobin,
        Swiss,
        RollingSwiss,
        Knockout,
        DoubleElimination,
        Groups,
        League,
        TeamMatch,
        Tables,
        Ladder,
        Arena,
    )
}
"""The formats in the order in which hosts see them."""


def make_format(name: str, rules: Mapping[str, object] | None = None) -> Format:
    """Return a format with the rules that a host has chosen.

    Args:
        name: such as ``swiss``.
        rules: values by name, also as text; those left out have their defaults.

    Raises:
        InputError: there is no such format or rule, or a value is out of range.
    """
    if name not in FORMATS:
        fault = Fault.of(
            "tournament/format",
            "there is no format {name}; there are {known}",
            where="format",
            name=shorten(name),
            known=", ".join(FORMATS),
        )
        raise InputError([fault])
    return FORMATS[name].read(rules or {})
