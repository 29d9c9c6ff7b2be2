"""Laws of live games: no player loses time to a game of which they do not know."""

from __future__ import annotations

from collections.abc import Iterator

from antipodes.web.town.town import Town

_AWAY = 180.0  # seconds without an act or an open page


def no_time_is_lost_before_the_first_move(_town: Town) -> Iterator[str]:
    """In a live game between people no player loses on time who has made no move."""
    from antipodes.records import Reason
    from antipodes.web.matches.models import MatchRow
    from antipodes.web.matches.snapshots import look_up

    for row in MatchRow.objects.filter(ended_at__gt=0, aborts_late=True):
        snapshot = look_up(row.slug)
        match = snapshot.match
        if match.result is not None and match.result.reason is Reason.TIME:
            moved = {move.seat for move in match.moves}
            for seat in range(len(snapshot.seats)):
                if seat not in moved:
                    yield f"{row.slug} ended on time before the first move of seat {seat}"


def open_challenges_begin_with_their_authors(town: Town) -> Iterator[str]:
    """A live challenge to everyone is accepted only while its author is at the site."""
    from antipodes.web.challenges.models import ChallengeRow

    begun = ChallengeRow.objects.filter(match__isnull=False, seen_at__isnull=False)
    known: set[int] = town.memory.setdefault("begun challenges", set())
    now = town.site.loop.time()
    for row in begun.exclude(pk__in=known).select_related("by"):
        known.add(row.pk)
        for person in town.people:
            is_away = person.acted_at < now - _AWAY and not person.has_page
            if person.name == row.by.username and is_away:
                yield f"{person.name} was away when challenge {row.slug} was accepted"
