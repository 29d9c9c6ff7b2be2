"""Seeks: creating, pairing and cancelling them."""

import threading
from contextlib import suppress

import pytest
from django.db import OperationalError, connection

from antipodes.clocks import DAY, HOUR
from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.web.accounts.models import BOT, User
from antipodes.web.challenges.game_limits import set_limit
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.challenges.services import GameRequest, Opponent, request_game
from antipodes.web.matches.models import MatchRow
from antipodes.web.matchmaking import services
from antipodes.web.matchmaking.models import SeekRow
from antipodes.web.matchmaking.presets import preset_game
from antipodes.web.moderation.models import SanctionRow
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import NEW_GAMES, TooManyError
from antipodes.web.relations.services import block
from tests.raising import code_of
from tests.web.matchmaking.seeks import CORRESPONDENCE, LIVE, seek

pytestmark = pytest.mark.django_db


def suspend(user):
    SanctionRow.objects.create(user=user, kind=SanctionRow.Kind.SUSPENSION, reason="cheating")


def test_identical_seeks_are_paired_at_once(ann, bob):
    first = seek(ann, rated=True)
    assert first.match is None
    second = seek(bob, rated=True)
    first.refresh_from_db()
    assert first.match == second.match is not None
    row = second.match
    assert {seat.user for seat in row.seats.all()} == {ann, bob}
    assert (row.rated, row.control, row.options) == (True, "5m+5s", {"size": 8})
    assert not row.is_private


@pytest.mark.parametrize(
    "other",
    [{"control": "3m+2s"}, {"board": "large"}, {"game_id": "antipod"}, {"rated": True}],
)
def test_different_seeks_are_not_paired(people, other):
    seek(people[0])
    assert seek(people[1], **other).match is None


def test_a_flexible_seek_meets_another_clock_and_board(ann, bob):
    seek(ann, is_flexible=True)
    row = seek(bob, board="standard", control="10m+5s")
    assert row.match is not None
    assert (row.match.control, row.match.rated) == ("10m+5s", False)
    assert row.match.game == preset_game("hex", "standard")


def test_a_flexible_seek_that_is_casual_is_never_paired_into_a_rated_game(ann, bob):
    seek(ann, is_flexible=True)
    assert seek(bob, rated=True).match is None


def test_accepting_a_seek_begins_its_match_whatever_the_ratings(ann, bob):
    row = seek(ann, rated=True)
    SeekRow.objects.update(rating=2_900)
    waiting = seek(bob, game_id="antipod")
    match = services.accept(row.slug, bob)
    assert (match.game_id, match.control, match.rated) == ("hex", "5m+5s", True)
    assert {seat.user for seat in match.seats.all()} == {ann, bob}
    for other in (row, waiting):
        other.refresh_from_db()
        assert other.match == match, "both pages that wait lead to the match"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda row, _bob: SeekRow.objects.update(seen_at=row.seen_at - 60_000), "pairing/over"),
        (lambda row, _bob: row.delete(), "pairing/over"),
        (lambda row, bob: SeekRow.objects.update(user=bob), "pairing/own"),
        (lambda row, bob: block(bob, row.user), "community/not-together"),
        (lambda row, bob: block(row.user, bob), "community/not-together"),
        (lambda row, bob: User.objects.filter(pk=bob.pk).update(first_name=BOT), "bot/rated"),
        (lambda row, bob: User.objects.filter(pk=bob.pk).update(is_guest=True), "match/rated"),
        (lambda row, bob: set_limit(row.user, "hex", 0), "lobby/limit-reached"),
        (lambda row, bob: set_limit(bob, "hex", 0), "lobby/limit-reached"),
        (lambda row, bob: suspend(bob), "community/suspended"),
        (lambda row, bob: suspend(row.user), "pairing/over"),
    ],
)
def test_a_seek_that_cannot_be_accepted_says_why(ann, bob, change, code):
    row = seek(ann, rated=True)
    change(row, bob)
    bob.refresh_from_db()
    with pytest.raises(InputError) as refused:
        services.accept(row.slug, bob)
    assert refused.value.code == code
    assert not MatchRow.objects.exists()


@pytest.mark.parametrize(
    ("other", "code"),
    [
        ({"control": "unlimited"}, "pairing/clock"),
        ({"board": "huge"}, "pairing/board"),
        ({"game_id": "chess"}, "game/unknown"),
    ],
)
def test_an_invalid_seek_is_refused(people, other, code):
    assert code_of(seek, people[0], **other) == code
    assert not SeekRow.objects.exists()


def test_guests_are_paired_for_casual_games_only(people):
    guest = User.objects.create(username="Guest 1", is_guest=True)
    assert code_of(seek, guest, rated=True) == "match/rated"
    seek(guest)
    assert seek(people[0]).match is not None


def test_blocked_players_are_not_paired(ann, bob, cy):
    block(bob, ann)
    seek(ann)
    assert seek(bob).match is None
    assert seek(cy).match is not None


def test_suspended_players_are_not_paired(ann, bob):
    seek(ann)
    suspend(ann)
    assert seek(bob).match is None
    assert not SeekRow.objects.filter(user=ann).exists()
    with pytest.raises(InputError):
        seek(ann)


def test_a_repeated_seek_keeps_its_place(people):
    first = seek(people[0])
    SeekRow.objects.update(entered_at=1)
    again = seek(people[0])
    assert (again.pk, again.entered_at) == (first.pk, 1)


def test_a_repeated_seek_shows_that_the_player_is_at_the_page(people, clocks):
    first = seek(people[0])
    SeekRow.objects.update(rating=1, deviation=2)
    clocks.advance(60_000)
    again = seek(people[0])
    assert again.seen_at == now() == first.entered_at + 60_000
    assert (again.rating, again.deviation) == (first.rating, first.deviation)


def test_a_user_has_one_live_seek(people):
    seek(people[0])
    seek(people[0], board="large")
    for board in ("small", "large"):
        seek(people[0], control="1d/move", board=board)
    assert SeekRow.objects.filter(is_live=True).get().board == "large"
    assert SeekRow.objects.filter(is_live=False).count() == 2


def test_correspondence_seeks_are_limited(people, monkeypatch):
    monkeypatch.setattr(services, "MOST_SEEKS", 1)
    seek(people[0], **CORRESPONDENCE)
    with pytest.raises(InputError) as caught:
        seek(people[0], **{**CORRESPONDENCE, "board": "large"})
    assert caught.value.code == "pairing/too-many"
    assert caught.value.faults[0].message == "you have 1 searches; cancel one first"
    seek(people[0])
    seek(people[1], **{**CORRESPONDENCE, "board": "large"})
    assert SeekRow.objects.count() == 3


def test_a_player_who_left_the_page_is_not_paired(ann, bob, cy):
    seek(ann)
    seek(cy, **CORRESPONDENCE)
    SeekRow.objects.update(seen_at=now() - services.TIMEOUT - 1)
    assert seek(bob).match is None
    services.pair_seeks()
    assert set(SeekRow.objects.values_list("user__username", flat=True)) == {"bob", "cy"}


def test_a_player_seen_exactly_the_timeout_ago_is_still_paired(people, clocks):
    waiting = seek(people[0])
    clocks.advance(services.TIMEOUT)
    services.drop_absent()
    assert SeekRow.objects.filter(pk=waiting.pk).exists()
    assert seek(people[1]).match is not None


def test_a_player_seen_a_millisecond_longer_ago_has_left(people, clocks):
    waiting = seek(people[0])
    clocks.advance(services.TIMEOUT + 1)
    assert seek(people[1]).match is None
    services.drop_absent()
    assert not SeekRow.objects.filter(pk=waiting.pk).exists()


def test_players_with_distant_ratings_are_paired_after_a_while(ann, bob):
    seek(ann)
    SeekRow.objects.update(rating=1000, deviation=50)
    assert seek(bob).match is None
    services.pair_seeks()
    assert not MatchRow.objects.exists()
    SeekRow.objects.update(entered_at=now() - 120_000)
    services.pair_seeks()
    services.pair_seeks()
    assert MatchRow.objects.count() == 1


def test_cancelling_a_seek_that_was_paired_returns_the_match(ann, bob, cy):
    assert services.cancel(seek(ann).slug, ann) is None
    assert not SeekRow.objects.exists()
    waiting = seek(bob)
    found = seek(cy)
    assert services.cancel(waiting.slug, bob) == found.match
    with pytest.raises(SeekRow.DoesNotExist):
        services.cancel(found.slug, bob)


def test_old_seeks_are_deleted(ann, bob, cy, dee):
    seek(ann), seek(bob)
    seek(cy, **CORRESPONDENCE), seek(dee, game_id="antipod", control="1d/move")
    services.delete_old_seeks()
    assert SeekRow.objects.count() == 4
    MatchRow.objects.update(begun_at=now() - 3_600_001)
    SeekRow.objects.filter(user=cy).update(entered_at=now() - 31 * 86_400_000)
    services.delete_old_seeks()
    assert SeekRow.objects.get().user == dee


def test_a_pair_is_kept_for_an_hour_and_a_search_for_thirty_days(ann, bob, cy, clocks):
    seek(ann), seek(bob)
    clocks.advance(HOUR)
    services.delete_old()
    assert SeekRow.objects.count() == 2
    clocks.advance(1)
    services.delete_old()
    assert not SeekRow.objects.exists()
    seek(cy, **CORRESPONDENCE)
    clocks.advance(30 * DAY)
    services.delete_old()
    assert SeekRow.objects.count() == 1
    clocks.advance(1)
    services.delete_old()
    assert not SeekRow.objects.exists()


def test_an_expired_challenge_is_kept_for_a_day(ann, bob, clocks):
    invitation = GameRequest(game=make_game("hex"), opponent=Opponent.PEOPLE, people=(bob,))
    request_game(ann, invitation)
    ChallengeRow.objects.update(expires_at=now())
    clocks.advance(DAY)
    services.delete_expired_challenges()
    assert ChallengeRow.objects.count() == 1
    clocks.advance(1)
    services.delete_expired_challenges()
    assert not ChallengeRow.objects.exists()


def test_presence_is_stored_every_three_seconds(people, clocks):
    row = seek(people[0])
    entered = row.seen_at
    clocks.advance(3_000)
    services.note_presence(row)
    assert SeekRow.objects.get().seen_at == entered
    clocks.advance(1)
    services.note_presence(row)
    assert SeekRow.objects.get().seen_at == entered + 3_001
    seek(people[1])
    row.refresh_from_db()
    clocks.advance(9_000)
    services.note_presence(row)
    assert not SeekRow.objects.filter(seen_at__gt=entered + 3_001).exists()


def test_pairing_needs_few_queries_without_pairs(people, django_assert_max_num_queries):
    for user, rating in zip(people, (500, 1500, 2500, 3500), strict=True):
        SeekRow.objects.create(
            user=user,
            is_live=True,
            rating=rating,
            deviation=40,
            entered_at=now(),
            seen_at=now(),
            **LIVE,
        )
    with django_assert_max_num_queries(4):
        services.pair_seeks()


@pytest.mark.django_db(transaction=True)
def test_concurrent_workers_pair_each_player_once(people):
    more = [User.objects.create(username=f"user{number}") for number in range(8)]
    for user in (*people, *more):
        SeekRow.objects.create(
            user=user,
            is_live=True,
            rating=1500,
            deviation=50,
            entered_at=now(),
            seen_at=now(),
            **LIVE,
        )
    start = threading.Barrier(4)

    def work():
        try:
            start.wait(10)
            for _ in range(200):
                # SQLite in memory refuses at once what a file lets wait.
                with suppress(OperationalError):
                    services.pair_all()
                    return
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert MatchRow.objects.count() == 6
    seated = MatchRow.objects.values_list("seats__user", flat=True)
    assert len(seated) == len(set(seated)) == 12


def test_seeks_count_as_new_games(people, monkeypatch):
    monkeypatch.setenv(NEW_GAMES.setting, "1/hour")
    first = seek(people[0])
    assert seek(people[0]) == first  # the same one counts once
    with pytest.raises(TooManyError):
        seek(people[0], control="3m+2s")
    assert SeekRow.objects.get() == first
