"""Lines of the event stream: each change of an account's matches, challenges and notices once."""

import pytest

from antipodes.clocks import MINUTE
from antipodes.games.registry import make_game
from antipodes.match import Offer, OfferKind, Play, Resign
from antipodes.web.api import event_stream
from antipodes.web.api.challenges import challenge_out, challenges
from antipodes.web.api.event_stream import EventStream
from antipodes.web.challenges import services as lobby
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.services import mark_seen, notify
from antipodes.web.platform.clock import now

pytestmark = pytest.mark.django_db


def brief(lines):
    """Return the type of each line, and what it is about."""
    return [
        (
            line["type"],
            line["match"]["slug"] if "match" in line else line.get("slug", line.get("id")),
        )
        for line in lines
    ]


def play(row, seat, ply, move):
    carry_out(row.slug, Play(seat=seat, ply=ply, key=f"{row.slug} {ply}", move=move))


def test_a_match_is_sent_once_with_each_turn_and_its_end(people, row):
    ann, bob, cy = (EventStream(user) for user in people[:3])
    assert brief(ann._all_changes()) == [("match", row.slug), ("your-turn", row.slug)]
    assert brief(bob._all_changes()) == [("match", row.slug)]
    assert ann._all_changes() == bob._all_changes() == []
    play(row, 0, 0, 4)
    assert ann._match_changes() == []
    (turn,) = bob._match_changes()
    assert (turn["type"], turn["match"]["toMove"], turn["match"]["own"]) == ("your-turn", 1, [1])
    # An offer during the turn is no other turn.
    carry_out(row.slug, Offer(seat=0, ply=1, key="an offer", kind=OfferKind.PAUSE))
    assert bob._match_changes() == []
    play(row, 1, 1, 0)
    assert bob._match_changes() == []
    assert brief(ann._match_changes()) == [("your-turn", row.slug)]
    carry_out(row.slug, Resign(seat=0, ply=2, key="resigned"))
    for stream in (ann, bob):
        (end,) = stream._all_changes()
        assert (end["type"], end["match"]["slug"]) == ("match-ended", row.slug)
        assert end["match"]["result"]
        assert stream._all_changes() == []
    assert cy._all_changes() == []


@pytest.mark.parametrize(("earlier", "is_sent"), [(0, True), (MINUTE, True), (MINUTE + 1, False)])
def test_the_end_of_a_match_is_sent_for_a_minute(people, clocks, earlier, is_sent, row):
    carry_out(row.slug, Resign(seat=0, ply=0, key="resigned"))
    MatchRow.objects.update(ended_at=now() - earlier)
    lines = EventStream(people[0])._all_changes()
    assert brief(lines) == ([("match-ended", row.slug)] if is_sent else [])


def test_of_many_matches_the_most_urgent_are_sent(people, begin, monkeypatch):
    monkeypatch.setattr(event_stream, "_MAX_MATCHES", 2)
    calm, late, soon = (begin(size=3).slug for _ in range(3))
    for slug, deadline in ((late, 9_000), (soon, 8_000)):
        MatchRow.objects.filter(slug=slug).update(deadline=deadline)
    lines = EventStream(people[1])._match_changes()
    assert {slug for _, slug in brief(lines)} == {soon, late}
    MatchRow.objects.filter(slug=soon).update(deadline=None)
    lines = EventStream(people[1])._match_changes()
    assert {slug for _, slug in brief(lines)} == {late, calm}


def test_a_challenge_is_sent_with_each_change_until_it_is_gone(people):
    ann, bob, cy, dee = (EventStream(user) for user in people)
    game = make_game("antipalos", {"seats": "cutthroat3"})
    wanted = GameRequest(game=game, opponent=Opponent.PEOPLE, people=(people[1], people[2]))
    slug = lobby.request_game(people[0], wanted).slug

    def told(user):
        challenge = challenge_out(challenges().get(slug=slug), user)
        return [
            {"type": "challenge", "challenge": challenge.model_dump(by_alias=True, mode="json")}
        ]

    streams = dict(zip(people, (ann, bob, cy), strict=False))
    for user, stream in streams.items():
        assert stream._challenge_changes() == told(user)
        assert stream._challenge_changes() == []
    lobby.join(slug, people[1])
    for user, stream in streams.items():
        assert stream._challenge_changes() == told(user)
    ChallengeRow.objects.all().delete()
    for stream in streams.values():
        assert stream._challenge_changes() == [{"type": "challenge-gone", "slug": slug}]
        assert stream._challenge_changes() == []
    assert dee._challenge_changes() == []


def test_unread_notifications_are_sent_from_the_oldest(people, monkeypatch):
    monkeypatch.setattr(event_stream, "_MAX_NOTIFICATIONS", 3)
    for number in range(5):
        notify(people[0], NotificationKind.MODERATION, key=str(number), text=f"{number}")
    keys = list(people[0].notifications.order_by("pk").values_list("pk", flat=True))
    notify(people[1], NotificationKind.MODERATION, key="other", text="other")
    NotificationRow.objects.filter(pk=keys[4]).update(is_shown=False)
    stream = EventStream(people[0])
    lines = stream._notification_changes()
    assert [(line["type"], line["notice"]["id"]) for line in lines] == [
        ("notice", key) for key in keys[1:4]
    ]
    mark_seen(people[0], keys[2:4])
    lines = stream._notification_changes()
    assert lines[:2] == [{"type": "notice-seen", "id": key} for key in keys[2:4]]
    assert [line["notice"]["id"] for line in lines[2:]] == keys[:1]
    assert stream._notification_changes() == []
