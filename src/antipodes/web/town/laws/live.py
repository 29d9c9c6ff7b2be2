"""Laws of live games: no player loses time to a game of which they do not know."""

from __future__ import annotations

from collections.abc import Iterator

from antipodes.web.town.site import clock_now
from antipodes.web.town.town import Town

_AWAY = 180.0  # seconds without an act or an open page
_BELL = "/notices/socket"
_DOWN = 60_000  # milliseconds of a downtime that players notice


def no_time_is_lost_before_the_first_move(_town: Town) -> Iterator[str]:
    """In a live game between people no player loses on time who has made no move."""
    from antipodes.records import Reason
    from antipodes.web.matches.models import MatchRow
    from antipodes.web.matches.snapshots import look_up

    for row in MatchRow.objects.filter(ended_at__gt=0, aborts_late=True):
        snapshot = look_up(row.slug)
        result = snapshot.match.result
        if result is not None and result.reason is Reason.TIME:
            # Players whose first moves were taken back know of the game.
            moves = row.events.filter(data__kind="moved")
            moved = set(moves.values_list("data__seat", flat=True))
            for seat in range(len(snapshot.seats)):
                if seat not in moved:
                    yield f"{row.slug} ended on time before the first move of seat {seat}"


def players_are_told_before_a_quarter_of_their_time(town: Town) -> Iterator[str]:
    """A player to move in a live game, with a page open, knows of it before a quarter is gone."""
    from antipodes.web.matches.models import MatchRow

    weather, now = town.site.weather, clock_now()
    is_bad = bool(weather.outage or weather.loses_messages or weather.forgets_after_commit)
    people = {person.name: person for person in town.people}
    # Whether players have been told of a game, or could not hear of it all the time.
    knows: dict[tuple[str, str], bool] = town.memory.setdefault("knows", {})
    running = MatchRow.objects.filter(ended_at=None, aborts_late=True, deadline__isnull=False)
    seats = running.values_list(
        "slug", "seats__user__username", "seats__number", "seat_to_move", "changed_at", "deadline"
    )
    tables = ("matches_matchrow", "matches_seatrow", "accounts_user")
    for slug, name, seat, to_move, since, deadline in town.remember(
        "seats of live games", tables, lambda: list(seats.all())
    ):
        if (person := people.get(name)) is None:
            continue
        bell = person.sockets.get(_BELL)
        knows[slug, name] = (
            knows.get((slug, name), is_bad)
            or bell is None
            or not bell.is_open
            or any(each.person is person and slug in each.text for each in town.received)
        )
        is_quarter_gone = deadline is not None and now - since > (deadline - since) / 4
        if seat == to_move and is_quarter_gone and not knows[slug, name]:
            yield f"{name} has not been told of {slug}, with a quarter of the time gone"
            knows[slug, name] = True


def no_time_passes_while_the_site_is_down(town: Town) -> Iterator[str]:
    """No time of a live game runs from before a downtime until after it."""
    from antipodes.web.town.laws.replays import steps

    long = [each for each in town.site.downtimes if each[1] - each[0] > _DOWN]
    for slug, before, event, after in steps() if long else ():
        runs = before.clock.is_running and not before.clock.paused and before.terms.aborts_late
        for begin, end in long if runs else ():
            if before.clock.latest < begin and end < after.clock.latest:
                yield f"{slug}: time ran from {begin} to {end}, while the site was down: {event}"


def open_challenges_begin_with_their_authors(town: Town) -> Iterator[str]:
    """A live challenge to everyone is accepted only while its author is at the site."""
    from antipodes.web.challenges.models import ChallengeRow

    if not town.has_changed("challenges_"):
        return
    begun = ChallengeRow.objects.filter(match__isnull=False, seen_at__isnull=False)
    known: set[int] = town.memory.setdefault("begun challenges", set())
    now = town.site.loop.time()
    for row in begun.exclude(pk__in=known).select_related("by"):
        known.add(row.pk)
        for person in town.people:
            is_away = person.acted_at < now - _AWAY and not person.has_page
            if person.name == row.by.username and is_away:
                yield f"{person.name} was away when challenge {row.slug} was accepted"
