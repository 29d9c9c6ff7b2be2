"""Laws of matches: moves stay, results follow, ratings can be computed again."""

from __future__ import annotations

from collections.abc import Iterator

from antipodes.web.town.site import clock_now
from antipodes.web.town.town import Town

_DIGITS = 6  # of ratings that are compared
_LATE = 120_000  # milliseconds after which what is due has been done


def ratings_are_those_computed_again(_town: Town) -> Iterator[str]:
    """All ratings equal those that are computed again from the games."""
    from django.db import transaction

    from antipodes.web.ratings import services

    services.rate_all()
    before = _ratings()
    with transaction.atomic():
        services.recalculate()
        after = _ratings()
        transaction.set_rollback(True)
    for key in sorted(before.keys() | after.keys()):
        if before.get(key) != after.get(key):
            yield f"user {key[1]} in pool {key[0]} has {before.get(key)}, again {after.get(key)}"


def _ratings() -> dict[tuple[int, int], tuple[float, ...]]:
    """Return value, deviation and volatility of each user in each pool."""
    from antipodes.web.ratings.models import RatingRow

    return {
        (row.pool_id, row.user_id): tuple(
            round(number, _DIGITS) for number in (row.value, row.deviation, row.volatility)
        )
        for row in RatingRow.objects.all()
    }


def ratings_change_by_own_games_alone(town: Town) -> Iterator[str]:
    """A rating changes by games of its own player, and by no other's deletion or sanction."""
    from antipodes.web.accounts.account_deletion import existing_accounts
    from antipodes.web.ratings.models import RatedMatch, Unrated

    if not town.has_changed("ratings_"):
        return
    ratings = _ratings()
    games = dict(RatedMatch.objects.values_list("match", "pool"))
    before, town.memory["ratings"] = town.memory.get("ratings", (ratings, games)), (ratings, games)
    gone = before[1].keys() - games.keys()
    decided = (Unrated.Reason.VOIDED, Unrated.Reason.RESTORED)
    voided = Unrated.objects.filter(match__in=gone, reason__in=decided)
    # A decision about a game is one about the ratings of all who have played in its pool.
    pools = {before[1][match] for match in voided.values_list("match", flat=True)}
    new = RatedMatch.objects.filter(match__in=games.keys() - before[1].keys())
    pools |= set(new.filter(match__in=_voided_once(town)).values_list("pool", flat=True))
    played = {
        (row.pool_id, player["user"])
        for row in new
        for side in row.sides
        for player in side["players"]
    }
    for key in before[0].keys() - played:
        is_same = ratings.get(key) == before[0][key]
        if not is_same and key[0] not in pools and existing_accounts([key[1]]):
            yield f"user {key[1]} has {ratings.get(key)} in pool {key[0]}, before {before[0][key]}"
    for match in gone:
        if before[1][match] not in pools:
            yield f"the rated match {match} is rated no longer"


def _voided_once(town: Town) -> set[int]:
    """Return the matches that moderators have voided at any time."""
    from antipodes.web.ratings.models import Unrated

    voided: set[int] = town.memory.setdefault("voided", set())
    rows = Unrated.objects.filter(reason=Unrated.Reason.VOIDED)
    voided.update(rows.values_list("match", flat=True))
    return voided


def matches_can_be_replayed(_town: Town) -> Iterator[str]:
    """The events of a match lead to what its row says."""
    from antipodes.web.matches.models import MatchRow
    from antipodes.web.matches.snapshots import look_up

    for row in MatchRow.objects.all():
        match = look_up(row.slug).match
        if (match.result is None) != (row.ended_at is None):
            yield f"match {row.slug}: its row says ended at {row.ended_at}, its events do not"


def no_flag_stays_up(_town: Town) -> Iterator[str]:
    """A game ends when the time of the player to move is over."""
    from antipodes.web.matches.models import MatchRow

    late = clock_now() - _LATE
    for row in MatchRow.objects.filter(ended_at=None, deadline__lt=late):
        yield f"match {row.slug} goes on, though the time of seat {row.seat_to_move} is over"


def the_computer_plays_in_its_turn(_town: Town) -> Iterator[str]:
    """The computer does not wait when it is to move, whatever was lost."""
    from antipodes.web.matches.downtime import COMPUTER_MOVES
    from antipodes.web.matches.models import MatchRow

    late = clock_now() - _LATE
    running = MatchRow.objects.filter(COMPUTER_MOVES, ended_at=None, page_engine=None)
    for row in running.filter(changed_at__lt=late):
        yield f"match {row.slug} waits for the computer since {row.changed_at}"


def no_job_stays(_town: Town) -> Iterator[str]:
    """No job waits when everything has been worked off."""
    from antipodes.web.jobs.models import JobRow

    for row in JobRow.objects.all():
        yield f"job {row.kind} {row.key} stays"
