"""Template tags of tournaments: points, times, and what is played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from antipodes.web.accounts.services import current_user
from antipodes.web.clubs.models import ClubRow
from antipodes.web.clubs.permissions import role_in
from antipodes.web.matches.labels import control_words
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform.translations import game_label, phrase_text
from antipodes.web.tournaments.links import MatchLinks, match_links
from antipodes.web.tournaments.models import EntryRow, PairingRow, TournamentRow
from antipodes.web.tournaments.selectors import events_of_club, instant
from antipodes.web.tournaments.tables import points_text, score_text

register = template.Library()
register.filter("score", score_text)


@register.filter
def points(value: float | None) -> str:
    """Write points as tables show them, such as 2½."""
    return points_text(value)


@register.filter
def spoken_score(points: Iterable[float]) -> str:
    """Write the points of players so that screen readers do not read the colon."""
    between = format_html(
        '<span aria-hidden="true"> : </span><span class="unseen"> {} </span>', _("to")
    )
    return format_html_join(between, "{}", ((points_text(one),) for one in points))


@register.filter
def names(entries: Iterable[EntryRow]) -> str:
    """Write the names of players who meet."""
    return " – ".join(entry.user.name for entry in entries)


@register.filter
def team_of(entry: EntryRow, names: Mapping[int, str]) -> str:
    """Name the club for which a player plays; empty in an event without teams."""
    return names.get(entry.team or 0, "")


@register.simple_tag(takes_context=True)
def links_of(context: template.Context, match: MatchRow) -> MatchLinks | None:
    """Return the links from a match to its event; ``None`` if it belongs to none."""
    return match_links(match, current_user(context["request"]))


@register.inclusion_tag("tournaments/of_club.html", takes_context=True)
def club_tournaments(context: template.Context, club: ClubRow) -> dict[str, Any]:
    """Show the events of a club that are not over, and the latest ones."""
    viewer = current_user(context["request"])
    is_member = role_in(club, viewer) is not None
    return {"club": club, "rows": events_of_club(club, viewer), "is_member": is_member}


@register.simple_tag
def game_of(row: TournamentRow) -> str:
    """Name the game of an event, with the options that differ from the defaults."""
    return game_label(row.game_id, row.options)


@register.simple_tag
def bout_of(row: TournamentRow | PairingRow) -> str:
    """Name the games of one pairing, or of all pairings of an event."""
    return phrase_text(row.bout.title)


@register.simple_tag
def clock_of(row: TournamentRow) -> str:
    """Name the clock of an event."""
    return control_words(row.control)


@register.simple_tag
def time_of(milliseconds: int) -> str:
    """Write a day and a time with its zone; a script writes them in the browser's zone."""
    at = localtime(instant(milliseconds))
    text = f"{date_format(at, 'DATETIME_FORMAT')} {at.tzname()}"
    return format_html('<time datetime="{}" data-local>{}</time>', at.isoformat(), text)
