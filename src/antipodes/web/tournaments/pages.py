"""Contents of the page of an event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from antipodes.core.numbers import read_number
from antipodes.tournaments import Standing
from antipodes.web.accounts.models import User
from antipodes.web.matches.labels import control_words, level_choices
from antipodes.web.platform.translations import (
    fault_message,
    game_label,
    option_label,
    translate,
    value_label,
)
from antipodes.web.ratings.ranges import RatingRange
from antipodes.web.tournaments import changes, selectors, series, services, tables
from antipodes.web.tournaments.access import may_direct
from antipodes.web.tournaments.directing import may_decide, results_of
from antipodes.web.tournaments.log import Step, reason_text
from antipodes.web.tournaments.models import SEATS, EntryRow, LogRow, TournamentRow, TournamentState

_PODIUM, _MOST_ON_PODIUM = 3, 6  # ranks, and players who share them
_ON_A_PAGE = 100  # players of the table, and pairings of a round
_LATEST_STEPS = 5
_MOST_UNDECIDED = 200  # pairings to decide

_STEPS = {
    Step.CREATED: gettext_lazy("The tournament was made."),
    Step.OPENED: gettext_lazy("Registration opened."),
    Step.CHECK_IN: gettext_lazy("Check-in opened."),
    Step.PAUSED: gettext_lazy("The tournament was paused."),
    Step.RESUMED: gettext_lazy("The tournament was resumed."),
    Step.FINISHED: gettext_lazy("The tournament is finished."),
    Step.CANCELLED: gettext_lazy("The tournament was cancelled."),
}


@dataclass(frozen=True)
class LogLine:
    """A step as players read it.

    Attributes:
        row: the step.
        at: when it was taken.
        text: what happened.
        reason: why, if it was given.
    """

    row: LogRow
    at: datetime
    text: str
    reason: str


def page_of(row: TournamentRow, user: User | None, query: Mapping[str, str]) -> dict[str, Any]:
    """Return the context of the page of an event."""
    entry = None if user is None else row.entries.filter(user=user).first()
    is_in = entry is not None and not entry.is_withdrawn
    reason = None if is_in else services.why_not(row, user)
    context: dict[str, Any] = {
        "row": row,
        "game_title": game_label(row.game_id, row.options),
        "clock": control_words(row.control),
        "rules": [*rule_labels(row)],
        "team_names": _team_names(row),
        "joins_for": [(one, _team_names(row)[one]) for one in services.teams_of(row, user)],
        "range": RatingRange(row.lowest, row.highest).label,
        "entry": entry,
        "is_in": is_in,
        "why_not": "" if reason is None else fault_message(reason),
        "needs_account": reason is not None and reason.code == "tournament/account",
        "can_join": reason is None and not is_in,
        "may_direct": may_direct(row, user),
        "players": row.entries.filter(is_withdrawn=False).count(),
        "starts": row.starts_at and selectors.instant(row.starts_at),
        "opens": row.opens_at and selectors.instant(row.opens_at),
        "ended": row.ended_at and selectors.instant(row.ended_at),
        "is_recurring": series.is_recurring(row),
        "is_check_in": row.state == TournamentState.CHECK_IN,
        "latest": log_lines(row, row.log.select_related("by").order_by("-number")[:_LATEST_STEPS]),
        "columns": row.format.columns(row.ranking),
        "results": [(name, _result_label(name)) for name in results_of(row)],
    }
    if context["may_direct"]:
        if row.is_before_start and user is not None:
            context["change_form"] = changes.form_of(row, user)
        context["invited"] = [one.user for one in row.invitations.select_related("user")]
    if row.is_before_start or row.begun_at is None:
        context["entrants"] = row.entries.select_related("user").order_by("-rating", "joined_at")
        if context["may_direct"] and not row.rated:
            context["levels"] = level_choices()
    else:
        context |= _tables_of(row, entry, query, may_direct=context["may_direct"])
    return context


def _team_names(row: TournamentRow) -> dict[int, str]:
    return {number: club.name for number, club in row.teams.items()}


def rule_labels(row: TournamentRow) -> Iterator[tuple[str, str, str]]:
    """Yield the rules that a host has chosen for the format: names, values and meanings."""
    for info in row.format.describe():
        value = getattr(row.format, info.name)
        if value not in {0, "off"}:
            # What follows a semicolon explains values that are not shown.
            meaning = translate(info.help).partition(";")[0].rstrip()
            yield option_label(info.name), value_label(value), meaning


def _tables_of(
    row: TournamentRow, entry: EntryRow | None, query: Mapping[str, str], *, may_direct: bool
) -> dict[str, Any]:
    """Return table, pairings of a round, and crosstable or bracket of an event that has begun."""
    ranked = selectors.table(row)
    standings = Paginator(ranked, _ON_A_PAGE).get_page(query.get("page"))
    own = [one for one in ranked if entry is not None and one.player == entry.number]
    mine = reduce(or_, (Q(**{seat: entry}) for seat in SEATS))
    shown = read_number(query.get("round", "")) or row.round
    shown = min(max(1, shown), max(1, row.round))
    pairings = row.pairings.filter(round=shown).order_by("table")
    playing = row.pairings.filter(mine) if entry is not None else row.pairings.none()
    if row.is_continuous:
        pairings = row.pairings.order_by("-round", "table")
        playing = playing.filter(first_points=None)
    else:
        playing = playing.filter(round=shown)
    page = Paginator(pairings, _ON_A_PAGE).get_page(query.get("tables"))
    undecided = row.pairings.filter(first_points=None).select_related(
        *(f"{seat}__user" for seat in SEATS)
    )
    own_pairings = selectors.with_games(playing)
    context: dict[str, Any] = {
        "standings": standings,
        "lines": selectors.table_lines(row, list(standings)),
        "podium": selectors.table_lines(row, podium_of(row, ranked)),
        "own_line": next(iter(selectors.table_lines(row, own)), None),
        "shown_round": shown,
        "rounds": range(1, row.round + 1),
        "opening": "" if row.is_continuous or not page.object_list else page[0].opening_moves(),
        "pairings": page,
        "pairing_lines": selectors.with_games(row.pairings.filter(pk__in=[p.pk for p in page])),
        "own_pairing": own_pairings[0] if own_pairings else None,
        "challengeable": [other for other, _made in services.challenges(row, entry)],
        "is_waiting": row.is_continuous
        and not row.format.has_places
        and row.state == TournamentState.RUNNING
        and not own_pairings
        and entry is not None
        and not entry.is_withdrawn,
    }
    if may_direct:
        decidable = [one.row for one in context["pairing_lines"] if may_decide(row, one.row)]
        context["undecided"] = undecided[:_MOST_UNDECIDED]
        context["may_prove"] = not (row.has_larger_tables or row.counts_chart)
        context["decided"] = [one for one in decidable if one.is_decided]
    if row.is_continuous:
        context["pairing_lines"].reverse()
    else:
        number = None if entry is None else entry.number
        shown_parts = selectors.parts(row, number)
        rounds = {one.number for part in shown_parts for one in getattr(part, "rounds", ())}
        lines = selectors.with_games(row.pairings.filter(round__in=rounds)) if rounds else []
        context["parts"] = tables.part_views(
            shown_parts, selectors.entries_of(row), lines, _team_names(row)
        )
    return context


def podium_of(row: TournamentRow, ranked: Sequence[Standing]) -> list[Standing]:
    """Return the first three ranks of a finished event; none while it goes on."""
    if row.state != TournamentState.FINISHED:
        return []
    return [one for one in ranked[:_MOST_ON_PODIUM] if one.rank <= _PODIUM]


def _result_label(name: str) -> str:
    if name.isdecimal():
        return _("Seat %(number)s wins") % {"number": name}
    return {
        "1-0": _("The first player wins"),
        "0-1": _("The second player wins"),
        "draw": _("Draw"),
        "0-0": _("All lose"),
    }[name]


def log_lines(row: TournamentRow, steps: Iterable[LogRow]) -> list[LogLine]:
    """Return steps as sentences, with the names of players."""
    rows = list(steps)
    users = {one.data["user"] for one in rows if "user" in one.data}
    keys = ("withdrawn", "dropped")
    numbers = {number for one in rows for key in keys for number in one.data.get(key, ())}
    names = {user.pk: user.name for user in User.objects.filter(pk__in=users)}
    entries = row.entries.filter(number__in=numbers).select_related("user")
    numbered = {one.number: one.user.name for one in entries}
    return [
        LogLine(
            step,
            selectors.instant(step.at),
            _text(step, names, numbered),
            reason_text(step.reason, is_of_site=step.by_id is None),
        )
        for step in rows
    ]


def _text(step: LogRow, names: Mapping[int, str], numbered: Mapping[int | None, str]) -> str:
    """Return a step as a sentence."""
    kind, data = Step(step.kind), step.data
    if kind in _STEPS:
        return str(_STEPS[kind])
    if kind in _BY_PLAYERS:
        return _BY_PLAYERS[kind] % {"name": names.get(data["user"], "")}
    if kind in _WITH_DATA:
        return _WITH_DATA[kind](data)
    if kind == Step.DROPPED:
        dropped = ", ".join(numbered.get(one, "") for one in data["dropped"])
        return _("%(names)s dropped, without a game for long.") % {"names": dropped}
    withdrawn = ", ".join(numbered.get(one, "") for one in data["withdrawn"])
    return _("%(names)s withdrew.") % {"names": withdrawn}


_BY_PLAYERS = {
    Step.INVITED: gettext_lazy("%(name)s was invited."),
    Step.JOINED: gettext_lazy("%(name)s joined."),
    Step.LEFT: gettext_lazy("%(name)s left."),
    Step.CHECKED_IN: gettext_lazy("%(name)s checked in."),
}


def _started(data: Mapping[str, Any]) -> str:
    values = {"players": len(data["players"]), "rounds": data["rounds"]}
    if data["rounds"] is None:
        return _("The tournament began with %(players)d players.") % values
    text = ngettext(
        "The tournament began with %(players)d players and %(rounds)d round.",
        "The tournament began with %(players)d players and %(rounds)d rounds.",
        data["rounds"],
    )
    return text % values


def _entered(data: Mapping[str, Any]) -> str:
    count = len(data["users"])
    return ngettext(
        "%(count)d player of the last season was entered.",
        "%(count)d players of the last season were entered.",
        count,
    ) % {"count": count}


def _paired(data: Mapping[str, Any]) -> str:
    return _("Round %(round)d was paired.") % {"round": data["round"]}


def _begun(data: Mapping[str, Any]) -> str:
    count = len(data["games"])
    return ngettext("%(count)d game began.", "%(count)d games began.", count) % {"count": count}


def _counted(data: Mapping[str, Any]) -> str:
    count = len(data.get("results", data["points"]))
    text = ngettext("%(count)d result was counted.", "%(count)d results were counted.", count)
    return text % {"count": count}


def _adjudicated(data: Mapping[str, Any]) -> str:
    ((round_number, table, *points),) = data["points"]
    texts = [tables.points_text(one) for one in points]
    values = {"round": round_number, "table": table, "points": " : ".join(texts)}
    return _("Round %(round)d, table %(table)d was decided: %(points)s.") % values


def _at_table(template: str) -> Callable[[Mapping[str, Any]], str]:
    """Return a function that fills round and table of a step in a sentence."""
    return lambda data: _(template) % {"round": data["round"], "table": data["table"]}


def _proven(data: Mapping[str, Any]) -> str:
    ((round_number, table, number, *points),) = data["results"]
    texts = " : ".join(tables.points_text(one) for one in points)
    values = {"round": round_number, "table": table, "number": number, "points": texts}
    return _("Proven: round %(round)d, table %(table)d, game %(number)d, %(points)s.") % values


_WITH_DATA: dict[Step, Callable[[Mapping[str, Any]], str]] = {
    Step.ENTERED: _entered,
    Step.CHANGED: lambda data: changes.changed_text(data["changed"]),
    Step.STARTED: _started,
    Step.PAIRED: _paired,
    Step.BEGUN: _begun,
    Step.RESULTS: _counted,
    Step.ADJUDICATED: _adjudicated,
    Step.PROOF: _at_table(
        gettext_noop("The computer looks for a proof in round %(round)d, table %(table)d.")
    ),
    Step.UNPROVEN: _at_table(
        gettext_noop("The computer found no proof in round %(round)d, table %(table)d.")
    ),
    Step.PROVEN: _proven,
}
