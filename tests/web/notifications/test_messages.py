"""Texts of notifications."""

import pytest

from antipodes.web.notifications.kinds import Kind
from antipodes.web.notifications.messages import text_of, title_of
from antipodes.web.notifications.services import notify

pytestmark = pytest.mark.django_db


def text(user, kind, **more):
    row = notify(user, kind, key=f"{kind} {sorted(more)} {more.get('act')}", **more)
    assert row is not None
    return text_of(row)


def test_followers_read_who_plays_whom(people, slow):
    ann, _, cy, _ = people
    match = slow()
    about = {"match": match, "by": ann}
    assert text(cy, Kind.FOLLOWED_PLAYS, act="began", **about) == "ann started a game of Hex."
    moved = text(cy, Kind.FOLLOWED_PLAYS, act="moved", move="a1", **about)
    assert moved == "Hex, which you follow: ann played a1."
    over = text(cy, Kind.FOLLOWED_PLAYS, act="over", result="Black wins on time", **about)
    assert over == "Hex between ann, bob, which you follow, is over: Black wins on time."


def test_the_title_depends_on_whether_the_recipient_plays(people, slow):
    match = slow()
    titles = []
    for user in (people[0], people[2]):
        row = notify(user, Kind.FOLLOWED_PLAYS, key="k", match=match)
        assert row is not None
        titles.append(title_of(row))
    assert titles == ["Hex with bob", "Hex between ann, bob"]


def test_moderators_decisions_name_action_and_reason(people):
    told = text(people[0], Kind.MODERATION, act="mute", text="insults")
    assert told == "The moderators muted you in chats: insults"
    lifted = text(people[0], Kind.MODERATION, act="lifted", text="a mistake")
    assert lifted == "The moderators lifted a decision about you: a mistake"


def test_invitations_to_clubs(people):
    told = text(people[0], Kind.INVITED, by=people[1], club="North Pole")
    assert told == "bob invites you to the club North Pole."
