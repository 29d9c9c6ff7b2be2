"""New tournaments and their results as a feed, in Atom and RSS."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import translation
from django.utils.feedgenerator import Atom1Feed, Rss201rev2Feed, SyndicationFeed
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from antipodes.web.matches.labels import control_words
from antipodes.web.platform.feeds import MAX_AGE, feed_response
from antipodes.web.platform.translations import game_label, translate
from antipodes.web.tournaments.models import TournamentRow, TournamentState
from antipodes.web.tournaments.selectors import instant

_ENTRIES = 30
_WINNERS = 3  # whom a result names


@require_safe
def atom(request: HttpRequest) -> HttpResponseBase:
    return _feed(request, Atom1Feed)


@require_safe
def rss(request: HttpRequest) -> HttpResponseBase:
    return _feed(request, Rss201rev2Feed)


def _feed(request: HttpRequest, kind: type[SyndicationFeed]) -> HttpResponseBase:
    rows = TournamentRow.objects.filter(is_private=False).exclude(state=TournamentState.CANCELLED)
    made = rows.order_by("-made_at")[:_ENTRIES]
    over = rows.filter(state=TournamentState.FINISHED).order_by("-ended_at")[:_ENTRIES]
    news = [(one.made_at, one, False) for one in made]
    news += [(one.ended_at or 0, one, True) for one in over]
    news.sort(key=lambda entry: -entry[0])
    latest = "-".join(str(part) for at, row, _ in news[:1] for part in (at, row.pk))
    return feed_response(request, kind, latest, lambda: _written(request, kind, news[:_ENTRIES]))


def _written(
    request: HttpRequest,
    kind: type[SyndicationFeed],
    news: Sequence[tuple[int, TournamentRow, bool]],
) -> SyndicationFeed:
    feed = kind(
        title=_("Antipodes: tournaments"),
        link=request.build_absolute_uri(reverse("tournaments")),
        description=_("New tournaments, and the results of those that are over."),
        language=translation.get_language(),
        feed_url=request.build_absolute_uri(request.path),
        feed_guid=request.build_absolute_uri(reverse("tournaments-atom")),
        ttl=MAX_AGE // 60,
    )
    for at, row, is_result in news:
        page = request.build_absolute_uri(reverse("tournament", args=[row.slug]))
        title = _("Results: %(title)s") % {"title": row.title} if is_result else row.title
        lines = _result_lines(row) if is_result else _lines(row)
        feed.add_item(
            title=title,
            link=page,
            description="".join(format_html("<p>{}</p>", line) for line in lines),
            unique_id=f"{page}#{'results' if is_result else 'new'}",
            unique_id_is_permalink=False,
            pubdate=instant(at),
            updateddate=instant(at),
        )
    return feed


def _lines(row: TournamentRow) -> list[str]:
    """Return format, game, clock and start of an event."""
    about = (translate(row.format.title), game_label(row.game_id, row.options))
    lines = [" · ".join((*about, control_words(row.control)))]
    if row.starts_at is not None:
        at = date_format(instant(row.starts_at), "DATETIME_FORMAT")
        lines.append(_("starts %(time)s UTC") % {"time": at})
    return lines


def _result_lines(row: TournamentRow) -> list[str]:
    """Return the first players of an event."""
    entries = row.entries.filter(rank__lte=_WINNERS).select_related("user")
    best = entries.order_by("rank", "number")[:_WINNERS]
    return [f"{one.rank}. {one.user.name}" for one in best]
