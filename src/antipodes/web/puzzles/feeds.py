"""The puzzle of the day as a feed, in Atom and RSS."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import translation
from django.utils.feedgenerator import Atom1Feed, Enclosure, Rss201rev2Feed, SyndicationFeed
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from antipodes.games.registry import game_class
from antipodes.puzzles.model import Puzzle
from antipodes.web.platform.feeds import MAX_AGE, feed_response
from antipodes.web.platform.translations import translate
from antipodes.web.puzzles.daily import dailies, daily, today
from antipodes.web.puzzles.labels import task_of

_ENTRIES = 30


@require_safe
def atom(request: HttpRequest) -> HttpResponseBase:
    return _feed(request, Atom1Feed)


@require_safe
def rss(request: HttpRequest) -> HttpResponseBase:
    return _feed(request, Rss201rev2Feed)


def _feed(request: HttpRequest, kind: type[SyndicationFeed]) -> HttpResponseBase:
    """Return the latest puzzles of the day as a feed, or 304 if the reader has them."""
    day = today()
    daily(day)  # chosen now, if this is the first request for it
    found = dailies(day, _ENTRIES)
    latest = found[0][1].id if found else ""
    return feed_response(request, kind, f"{day}-{latest}", lambda: _written(request, kind, found))


def _written(
    request: HttpRequest, kind: type[SyndicationFeed], daily_puzzles: Sequence[tuple[date, Puzzle]]
) -> SyndicationFeed:
    feed = kind(
        title=_("Antipodes: the puzzle of the day"),
        link=request.build_absolute_uri(reverse("puzzles")),
        description=_("A position each day in which exactly one move is right."),
        language=translation.get_language(),
        feed_url=request.build_absolute_uri(request.path),
        feed_guid=request.build_absolute_uri(reverse("puzzle-atom")),
        ttl=MAX_AGE // 60,
    )
    for day, puzzle in daily_puzzles:
        _add(request, feed, day, puzzle)
    return feed


def _add(request: HttpRequest, feed: SyndicationFeed, day: date, puzzle: Puzzle) -> None:
    """Add the puzzle of a day to a feed, with its picture."""
    at = datetime.combine(day, time(), UTC)
    page = request.build_absolute_uri(reverse("puzzle", args=[puzzle.id]))
    picture = request.build_absolute_uri(reverse("puzzle-picture-png", args=[puzzle.id]))
    game = translate(game_class(puzzle.game_id).title)
    title = f"{game}: {task_of(puzzle)}"
    feed.add_item(
        title=title,
        link=page,
        description=format_html(
            '<p>{}</p><p><a href="{}"><img src="{}" alt="{}" width="480"></a></p>',
            title,
            page,
            picture,
            title,
        ),
        unique_id=f"{page}#{day.isoformat()}",
        unique_id_is_permalink=False,
        pubdate=at,
        updateddate=at,
        enclosures=[Enclosure(picture, "0", "image/png")],
    )
