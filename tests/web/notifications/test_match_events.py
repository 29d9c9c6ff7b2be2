"""Notifications of match events, for players who do not view the match."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError

from antipodes.core import Color
from antipodes.games.registry import make_game
from antipodes.match import (
    ANY,
    Abort,
    Accept,
    ConditionalMoves,
    Decline,
    Offer,
    OfferKind,
    Play,
    Resign,
    Resume,
    SetConditionalMoves,
    Start,
    Terms,
)
from antipodes.records import Reason
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches import chat
from antipodes.web.matches.models import ChatLine, MatchRow, SeatRow
from antipodes.web.matches.services import begin_match, carry_out, let_flag_fall
from antipodes.web.matches.snapshots import look_up
from antipodes.web.notifications import match_events
from antipodes.web.notifications.consumers import start_viewing, stop_viewing
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.match_events import Feed
from antipodes.web.notifications.models import CursorRow, NotificationRow
from antipodes.web.notifications.selectors import line_of
from antipodes.web.platform import locks
from tests.raising import raising

pytestmark = pytest.mark.django_db

SECOND = 1_000
DAY = 86_400_000


@pytest.fixture(autouse=True)
def _fresh(time):
    """Feeds of a new process."""
    start_again()


def start_again():
    for feed in match_events.FEEDS:
        feed.forget()
    match_events.turns = match_events.TurnNotifier()
    CursorRow.objects.all().delete()


@pytest.fixture
def notified(time):
    """Run the delivery task; return the kinds of a user's new notifications."""

    def make(user, after=20 * SECOND):
        known = set(NotificationRow.objects.values_list("pk", flat=True))
        match_events.notify_of_match_events()
        time.forward(after)
        match_events.notify_of_match_events()
        rows = NotificationRow.objects.filter(user=user).exclude(pk__in=known).order_by("pk")
        return [NotificationKind(row.kind) for row in rows]

    return make


def play(match, move, key=None):
    seat = look_up(match.slug).match.seat_to_move
    assert seat is not None
    ply = look_up(match.slug).match.ply
    carry_out(match.slug, Play(seat=seat, ply=ply, key=key or f"key-{ply}", move=move))


def texts_of(user):
    rows = NotificationRow.objects.filter(user=user).order_by("pk")
    return [line_of(row).words for row in rows]


def test_both_players_are_notified_of_the_start(slow, people, notified):
    slow()
    assert notified(people[0]) == [NotificationKind.MATCH_BEGAN]
    assert texts_of(people[0]) == ["Hex with bob has begun. It is your turn."]
    assert texts_of(people[1]) == ["Hex with ann has begun."]


def test_a_player_who_has_moved_is_not_notified_of_the_start(slow, people, notified):
    play(slow(), 5)
    assert set(notified(people[1])) == {NotificationKind.MATCH_BEGAN, NotificationKind.YOUR_TURN}
    assert texts_of(people[0]) == []


def test_given_moves_are_moves_of_no_player(slow, people, notified):
    match = slow(start=Start(moves=(5, 6)))
    carry_out(match.slug, Offer(seat=0, ply=2, key="draw", kind=OfferKind.PAUSE))
    assert NotificationKind.MATCH_BEGAN in notified(people[0])
    assert "Hex with ann has begun." in texts_of(people[1])


def test_the_opponent_is_notified_of_a_move(match, people, notified):
    notified(people[1])
    play(match, 5)
    assert notified(people[1]) == [NotificationKind.YOUR_TURN]
    assert texts_of(people[1])[-1] == "ann played f1. It is your turn in Hex."
    assert notified(people[0]) == []


def test_dropped_conditional_moves_are_mentioned(match, people, notified):
    notified(people[1])
    plan = ConditionalMoves.read([{"move": ANY, "then": [{"move": 5, "then": []}]}])
    carry_out(match.slug, SetConditionalMoves(seat=1, ply=0, key="a plan", moves=plan))
    play(match, 5)
    assert notified(people[1]) == [NotificationKind.YOUR_TURN]
    assert texts_of(people[1])[-1] == (
        "ann played f1. Your conditional move is no longer legal; it is your turn in Hex."
    )
    play(match, 6)
    play(match, 7)
    assert notified(people[1]) == [NotificationKind.YOUR_TURN]
    assert texts_of(people[1])[-1] == "ann played h1. It is your turn in Hex."


def test_a_player_who_views_the_match_is_not_notified(match, people, notified):
    notified(people[1])
    key = start_viewing(people[1], match.slug)
    play(match, 5)
    assert notified(people[1]) == []
    assert key is not None
    stop_viewing(people[1], key)
    play(match, 6)
    play(match, 7)
    assert notified(people[1]) == [NotificationKind.YOUR_TURN]


def test_a_viewing_mark_expires(people, notified, time, match):
    notified(people[1])
    start_viewing(people[1], match.slug)
    time.forward(2 * 60 * SECOND)
    play(match, 5)
    assert notified(people[1]) == [NotificationKind.YOUR_TURN]


def test_spectators_have_no_viewing_mark(slow, people):
    assert start_viewing(people[3], slow().slug) is None
    assert start_viewing(people[3], "nothing") is None


def test_a_move_marks_the_notification_of_the_turn_as_seen(people, notified, time, match):
    notified(people[0])
    play(match, 5)
    notified(people[1])
    assert NotificationRow.objects.filter(
        user=people[1], kind=NotificationKind.YOUR_TURN, seen_at=None
    ).exists()
    time.forward(SECOND)
    play(match, 6)
    notified(people[1])
    assert not NotificationRow.objects.filter(
        user=people[1], kind=NotificationKind.YOUR_TURN, seen_at=None
    ).exists()


def test_a_quick_answer_causes_no_notification(match, people, notified):
    notified(people[0])
    play(match, 5)
    assert notified(people[1], after=SECOND) == []
    play(match, 6)
    assert notified(people[0], after=5 * SECOND) == [NotificationKind.YOUR_TURN]
    assert texts_of(people[1]) == ["Hex with ann has begun."]


def test_quick_moves_in_a_live_game_cause_no_notifications(slow, people, notified, time):
    match = slow("5m+3s")
    notified(people[0])
    for move in range(6):
        play(match, move)
        match_events.notify_of_match_events()
        time.forward(3 * SECOND)
    assert not NotificationRow.objects.filter(kind=NotificationKind.YOUR_TURN).exists()
    assert notified(people[0]) == [NotificationKind.YOUR_TURN]


def test_players_are_notified_of_offers_and_answers(slow, people, notified):
    match = slow(game_id="antipalos")
    play(match, 5)
    notified(people[0])
    offer = Offer(seat=0, ply=1, key="offer-1", kind=OfferKind.DRAW)
    carry_out(match.slug, offer)
    assert notified(people[1]) == [NotificationKind.OFFER]
    assert texts_of(people[1])[-1] == "Antipalos: ann offered a draw."
    carry_out(match.slug, Decline(seat=1, ply=1, key="no-no-no", kind=OfferKind.DRAW))
    assert notified(people[0]) == [NotificationKind.OFFER]
    assert texts_of(people[0])[-1] == "Antipalos: bob declined the draw."


def test_players_are_notified_of_a_withdrawn_offer(slow, people, notified):
    match = slow(game_id="antipalos")
    carry_out(match.slug, Offer(seat=0, ply=0, key="offer-1", kind=OfferKind.DRAW))
    notified(people[1])
    carry_out(match.slug, Decline(seat=0, ply=0, key="withdraw", kind=OfferKind.DRAW))
    assert notified(people[1]) == [NotificationKind.OFFER]
    assert texts_of(people[1])[-1] == "Antipalos: ann withdrew the draw offer."
    assert notified(people[0]) == []


def test_players_are_notified_of_the_end_of_a_pause(match, people, notified):
    carry_out(match.slug, Offer(seat=0, ply=0, key="offer-1", kind=OfferKind.PAUSE))
    carry_out(match.slug, Accept(seat=1, ply=0, key="accept-1", kind=OfferKind.PAUSE))
    assert set(notified(people[0])) == {NotificationKind.OFFER, NotificationKind.MATCH_BEGAN}
    assert "Hex: bob accepted the pause." in texts_of(people[0])
    carry_out(match.slug, Resume(seat=0, ply=0, key="resume-1"))
    assert notified(people[1]) == [NotificationKind.OFFER]
    assert texts_of(people[1])[-1] == "Hex: ann ended the pause."


def test_an_agreed_draw_is_notified_as_the_end(slow, people, notified):
    match = slow(game_id="antipalos")
    play(match, 5)
    notified(people[0])
    carry_out(match.slug, Offer(seat=0, ply=1, key="offer-1", kind=OfferKind.DRAW))
    carry_out(match.slug, Accept(seat=1, ply=1, key="accept-1", kind=OfferKind.DRAW))
    assert notified(people[0]) == [NotificationKind.MATCH_ENDED]
    assert texts_of(people[0])[-1] == "Antipalos with bob is drawn (agreement)."


def test_a_player_who_resigns_is_not_notified(match, people, notified):
    play(match, 5)
    notified(people[0])
    carry_out(match.slug, Resign(seat=1, ply=1, key="resign-1"))
    assert notified(people[1]) == []
    assert texts_of(people[0])[-1] == "You won Hex against bob (resignation)."


def test_the_opponent_is_notified_of_an_abort(match, people, notified):
    notified(people[0])
    carry_out(match.slug, Abort(seat=0, ply=0, key="abort-12"))
    notified(people[1])
    assert texts_of(people[1])[-1] == "Hex with ann was aborted."


def test_both_players_are_notified_of_a_loss_on_time(slow, people, notified, time):
    match = slow("1d/move")
    notified(people[0])
    time.forward(2 * DAY)
    let_flag_fall(match.slug)
    notified(people[0])
    assert texts_of(people[0])[-1] == "You ran out of time and lost Hex against bob."
    assert texts_of(people[1])[-1] == "You won Hex against ann on time."


def test_chat_messages_share_one_notification(match, people, notified):
    notified(people[1])
    for text in ("hello", "are you there?"):
        chat.say(look_up(match.slug), people[0], {"key": f"say {text}", "text": text})
    chat.say(look_up(match.slug), people[3], {"key": "spectator", "text": "what a game"})
    assert notified(people[1]) == [NotificationKind.CHAT]
    expected = "2 new chat messages in Hex. ann: are you there?"
    assert texts_of(people[1])[-1] == expected
    assert notified(people[0]) == []


def test_invited_players_are_notified(people, notified):
    challenge = ChallengeRow.objects.create(game_id="hex", by=people[0], made_at=0)
    challenge.invited.set(people[1:3])
    assert notified(people[1]) == [NotificationKind.INVITED]
    assert texts_of(people[2]) == ["ann invites you to a game of Hex."]
    assert notified(people[3]) == []


def test_invitations_by_blocked_players_are_suppressed(people, notified):
    from antipodes.web.relations.services import block

    block(people[1], people[0])
    challenge = ChallengeRow.objects.create(game_id="hex", by=people[0], made_at=0)
    challenge.invited.set(people[1:2])
    assert notified(people[1]) == []


def test_games_with_the_computer_send_no_mail(people, notified, time, prefer):
    prefer(people[0], choices={"your-turn": ["page", "mail"]})
    users = [computer("1"), people[0]]
    terms = Terms(game=make_game("hex", {}), players=tuple(str(user.pk) for user in users))
    match = begin_match(terms, users)
    assert notified(people[0]) == []
    play(match, 5)
    assert notified(people[0]) == [NotificationKind.YOUR_TURN]
    assert NotificationRow.objects.get().mail_due is None


def test_a_restart_loses_and_repeats_no_notification(match, people, notified):
    play(match, 5)
    notified(people[1])
    before = list(NotificationRow.objects.values_list("pk", "seen_at"))
    start_again()
    match_events.notify_of_match_events()
    assert list(NotificationRow.objects.values_list("pk", "seen_at")) == before
    play(match, 6)
    start_again()
    assert notified(people[0]) == [NotificationKind.YOUR_TURN]


def test_notifications_are_delivered_after_an_outage(
    people, notified, monkeypatch, caplog, time, match
):
    notified(people[1])
    play(match, 5)
    match_events.notify_of_match_events()
    time.forward(20 * SECOND)

    with monkeypatch.context() as outage:
        outage.setattr(
            "antipodes.web.notifications.match_events.store",
            raising(OperationalError("the database is away")),
        )
        with pytest.raises(OperationalError):
            match_events.notify_of_match_events()
    assert "Traceback" not in caplog.text
    assert notified(people[1]) == [NotificationKind.YOUR_TURN]


def test_contexts_of_a_thousand_matches(time):
    many = range(1_100)
    users = User.objects.bulk_create(User(username=f"player{n}") for n in many)
    begun = time() - DAY
    rows = MatchRow.objects.bulk_create(
        MatchRow(game_id="hex", begun_at=begun, changed_at=begun, seat_to_move=0) for _ in many
    )
    SeatRow.objects.bulk_create(
        SeatRow(match=row, number=seat, user=users[(n + seat) % len(users)])
        for n, row in enumerate(rows)
        for seat in (0, 1)
    )
    contexts = match_events._contexts([row.pk for row in rows])
    assert {user.pk for context in contexts for user in context.users()} == {
        one.pk for one in users
    }


def test_only_one_process_reads_at_a_time(time, monkeypatch):
    monkeypatch.setattr(locks, "now", time)
    read = []
    monkeypatch.setattr(Feed, "read", lambda feed: read.append(feed.name))
    for holder, are_read in (("first", True), ("second", False)):
        monkeypatch.setattr(locks, "THIS_PROCESS", holder)
        match_events.notify_of_match_events()
        assert bool(read) is are_read
        read.clear()
    time.forward(30 * SECOND)
    match_events.notify_of_match_events()
    assert read


def test_rows_committed_late_are_read(slow, people, notified, monkeypatch):
    """A transaction with a lower row id may commit after one with a higher id."""
    first, second = slow(), slow()
    feed = match_events.FEEDS[0]
    handed = []

    def note(keys):
        handed.extend(keys)
        return ()

    monkeypatch.setattr(feed, "_handle", note)
    manager = feed._rows
    monkeypatch.setattr(feed, "_rows", manager.exclude(pk=first.pk))
    feed.read()
    monkeypatch.setattr(feed, "_rows", manager)
    feed.read()
    assert handed == [second.pk, first.pk]


def test_a_turn_during_which_an_offer_comes_is_notified_later(slow, people, notified, time):
    match = slow(game_id="antipalos")
    notified(people[1])
    play(match, 5)
    assert notified(people[1], after=0) == []
    assert match_events.turns.next_due == time.at + match_events.TURN_DELAY
    time.forward(match_events.TURN_DELAY)
    carry_out(match.slug, Offer(seat=0, ply=1, key="offer-1", kind=OfferKind.DRAW))
    assert notified(people[1], after=0) == [NotificationKind.OFFER]
    assert match_events.turns.next_due == time.at + match_events.TURN_DELAY
    assert notified(people[1], after=match_events.TURN_DELAY - 1) == []
    assert notified(people[1], after=1) == [NotificationKind.YOUR_TURN]
    assert match_events.turns.next_due is None


def test_a_turn_before_the_first_move_is_not_notified_again(match, people, notified, caplog):
    notified(people[0])
    play(match, 5)
    carry_out(match.slug, Offer(seat=0, ply=1, key="offer-1", kind=OfferKind.TAKEBACK))
    assert NotificationKind.OFFER in notified(people[1])
    [offer] = NotificationRow.objects.filter(kind=NotificationKind.OFFER)
    assert line_of(offer).words == "Hex: ann asked to take back move 1."
    carry_out(match.slug, Accept(seat=1, ply=1, key="accept-1", kind=OfferKind.TAKEBACK))
    assert look_up(match.slug).match.moves == ()
    assert NotificationKind.YOUR_TURN not in notified(people[0])
    assert "notification failed" not in caplog.text


@pytest.mark.parametrize(
    ("seats", "outcome"), [([0], "won"), ([0, 2], "won"), ([1], "lost"), ([0, 1], "over")]
)
def test_who_plays_both_sides_has_neither_won_nor_lost(seats, outcome):
    colors = {0: Color.BLACK, 1: Color.WHITE, 2: Color.BLACK}
    snapshot: Any = SimpleNamespace(
        match=SimpleNamespace(color_of=colors.__getitem__), seats_of={7: seats}.__getitem__
    )
    result: Any = SimpleNamespace(reason="resignation", winner=Color.BLACK, is_draw=False)
    assert match_events.outcome_for(snapshot, 7, result) == outcome


def test_an_outage_ends_the_run_and_another_error_is_logged(people, caplog):
    def fail(error, _user):
        raise error

    with pytest.raises(OperationalError):
        match_events._safely(fail, OperationalError("away"), people[0])
    assert "notification failed" not in caplog.text
    assert match_events._safely(fail, ValueError("broken"), people[0]) is None
    assert f"for=ValueError, User {people[0].pk}" in caplog.text


@pytest.mark.parametrize(("age", "is_told"), [(3_999, False), (4_000, True)])
def test_a_match_is_new_for_four_seconds(slow, people, time, age, is_told):
    slow()
    time.forward(age)
    match_events.notify_of_match_events()
    assert NotificationRow.objects.filter(kind=NotificationKind.MATCH_BEGAN).exists() is is_told


def test_overseers_learn_neither_of_their_turns_nor_of_the_start(
    match, people, notified, monkeypatch
):
    seen = [(match.pk, people[1].pk), (match.pk, people[2].pk)]
    monkeypatch.setattr(match_events, "overseen_by", [lambda _: seen])
    assert notified(people[0]) == [NotificationKind.MATCH_BEGAN]
    play(match, 5)
    assert notified(people[1]) == []
    play(match, 6)
    assert notified(people[0]) == [NotificationKind.YOUR_TURN]
    assert not NotificationRow.objects.filter(user=people[1]).exists()


def test_a_match_against_oneself_causes_no_notifications(match, people, notified):
    match.seats.update(user=people[0])
    notified(people[0])
    NotificationRow.objects.all().delete()
    play(match, 5)
    assert notified(people[0]) == []


def test_a_message_that_is_read_twice_is_counted_once(people, time, match):
    for text in ("hello", "again"):
        chat.say(look_up(match.slug), people[0], {"key": f"say {text}", "text": text})
    keys = list(ChatLine.objects.values_list("pk", flat=True))
    for _ in range(2):
        assert match_events._notify_of_chat(keys) == ()
    told = NotificationRow.objects.get(kind=NotificationKind.CHAT)
    assert (told.user, told.by) == (people[1], people[0])
    assert told.arguments == {"text": "again", "last": keys[-1], "count": 2}


def test_hosts_and_guests_of_challenges_that_are_taken_are_not_invited(match, people, notified):
    for taken in (None, match):
        challenge = ChallengeRow.objects.create(game_id="hex", by=people[0], made_at=0, match=taken)
        challenge.invited.set([people[0], people[2]])
        expected = [] if taken else [NotificationKind.INVITED]
        assert notified(people[2]) == expected
    assert not NotificationRow.objects.filter(
        user=people[0], kind=NotificationKind.INVITED
    ).exists()


@pytest.mark.parametrize(
    ("reason", "winner", "is_draw", "outcome"),
    [
        (Reason.VOID, None, False, "void"),
        (Reason.AGREEMENT, None, True, "drawn"),
        (Reason.RESIGNATION, None, False, "over"),
        (Reason.RESIGNATION, Color.BLACK, False, "won"),
        (Reason.TIME, Color.WHITE, False, "lost"),
    ],
)
def test_an_outcome_is_that_of_the_player(reason, winner, is_draw, outcome):
    snapshot: Any = SimpleNamespace(
        match=SimpleNamespace(color_of={0: Color.BLACK}.__getitem__), seats_of={7: [0]}.__getitem__
    )
    result: Any = SimpleNamespace(reason=reason, winner=winner, is_draw=is_draw)
    assert match_events.outcome_for(snapshot, 7, result) == outcome
