"""The mail command ``tournament``."""

import pytest

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.tournaments import Ladder, RoundRobin, TeamMatch
from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow
from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.commands import tournaments
from antipodes.web.notifications import match_events
from antipodes.web.tournaments import directing, services
from antipodes.web.tournaments.models import GameRow, PairingRow, State
from antipodes.web.tournaments.plans import Plan
from antipodes.web.tournaments.selectors import PairingLine
from tests.web.email_play.conftest import HOST
from tests.web.tournaments.conftest import advance, unfinished

pytestmark = pytest.mark.django_db

COMMANDS = f"play@{HOST}"


@pytest.fixture
def host(db):
    return User.objects.create(username="host")


@pytest.fixture
def make_event(host):
    def make(kind, **wanted):
        plan = Plan(
            title="Mail cup",
            format=kind,
            game=make_game("hex"),
            control=read_control("3d/move+10d"),
            **wanted,
        )
        return services.create_tournament(host, plan)

    return make


@pytest.fixture
def write(post):
    """Return a function that sends a command of a user; it returns the text of the answer."""
    tokens: dict[User, str] = {}

    def send(user, *words):
        token = tokens.setdefault(user, mail_tokens.make_token(user, "a test"))
        line = " ".join(["tournament", user.username, token, *map(str, words)])
        return post.send(user, COMMANDS, line)[0].text

    return send


def test_tournaments_are_listed_joined_shown_and_left(reachable, post, make_event):
    ann, event = reachable[0], make_event(RoundRobin())
    token = mail_tokens.make_token(ann, "a test")

    def answer(line):
        [email] = post.send(ann, COMMANDS, line)
        return email.text

    assert "Mail cup" in answer("tournament list")
    assert "You have joined" in answer(f"tournament join ann {token} {event.pk}")
    assert event.entries.get().user == ann
    assert "ann" in answer(f"tournament standings {event.pk}")
    assert "You have left" in answer(f"tournament ann {token} leave {event.pk}")
    assert not event.entries.exists()
    assert "mail/tournament" in answer("tournament standings 999")
    assert "is none of list, standings" in answer("tournament win")


def test_players_challenge_others_of_a_ladder(reachable, write, make_event, host):
    ann, bob = reachable[:2]
    event = make_event(Ladder())
    for user in (host, bob, ann):
        services.join(event.pk, user)
    directing.start(event.pk, host)
    listed = write(ann, "challenge", event.pk)
    assert "host" in listed
    assert "bob" in listed
    assert "You have challenged" in write(ann, "challenge", event.pk, "BOB")
    assert "You cannot challenge bob now" in write(ann, "challenge", event.pk, "bob")
    advance(event)
    [game] = unfinished(event)
    pairings = write(ann, "pairings", event.pk)
    assert str(game.match.pk) in pairings
    assert "It is running." in write(ann, "standings", event.pk)
    assert "no pairings in round" in write(ann, "pairings", event.pk, 7)


def test_a_host_invites_players_who_join(reachable, write, make_event):
    ann, bob = reachable[:2]
    event = make_event(RoundRobin(), by_invitation=True)
    event.host = ann
    event.save()
    assert "by invitation" in write(bob, "list")
    assert "Only invited players" in write(bob, "join", event.pk)
    assert "Only the host" in write(bob, "invite", event.pk, "bob")
    assert "You have invited bob" in write(ann, "invite", event.pk, "BOB")
    assert "you are invited" in write(bob, "list")
    assert "You have joined" in write(bob, "join", event.pk)


def test_members_of_both_clubs_choose_their_team(reachable, write, make_event, host):
    ann, bob = reachable[:2]
    clubs = [
        ClubRow.objects.create(slug=slug, name=slug.title(), made_at=0)
        for slug in ("north", "south")
    ]
    for club in clubs:
        for user in (host, ann, bob):
            club.members.create(user=user, since=0)
    event = make_event(TeamMatch(), club=clubs[0], guest_club=clubs[1])
    assert "Choose the club" in write(ann, "join", event.pk)
    assert "South" in write(ann, "join", event.pk, "south")
    write(bob, "join", event.pk, 1)
    assert {one.user: one.team for one in event.entries.all()} == {ann: 2, bob: 1}
    directing.start(event.pk, host)
    assert "North 0. South 0." in write(bob, "standings", event.pk)


def test_boards_by_mail_say_which_moves_were_given(
    by_mail, post, write, make_event, host, monkeypatch
):
    monkeypatch.setattr(match_events, "_ARRIVAL", -1)
    event = make_event(RoundRobin(), openings="c2 d4\ne5")
    for user in by_mail[:2]:
        services.join(event.pk, user)
    directing.start(event.pk, host)
    advance(event)
    emails = post.notifications()
    assert {email.to for email in emails} == {"ann@example.org", "bob@example.org"}
    for email in emails:
        assert "\nGiven: 2; the first moves, by no player\n" in email.text
        assert "1. c2" in email.text
        assert "Turn: move 3; seat 1;" in email.text
    assert "Round 1. Opening: c2 d4." in " ".join(write(by_mail[0], "pairings", event.pk).split())


def test_players_check_in_by_mail(reachable, write, make_event):
    ann = reachable[0]
    event = make_event(RoundRobin())
    write(ann, "join", event.pk)
    assert "Check-in is not open" in write(ann, "check-in", event.pk)
    event.refresh_from_db()
    event.state = State.CHECK_IN
    event.save()
    assert "You are checked in" in write(ann, "check-in", event.pk)
    assert event.entries.get().is_checked_in


@pytest.mark.parametrize(
    ("fields", "games", "text"),
    [
        ({"second_id": None, "first_points": 1.0}, [], "bye"),
        ({}, [], ""),
        ({"first_points": 0.5, "second_points": 0.5}, [], "½-½"),
        ({"first_points": 1.0, "second_points": 0.0}, [(1.0, 0.0)], "1-0"),
        ({"first_points": 0.0, "second_points": 1.0, "is_forfeit": True}, [], "0-1 by forfeit"),
        ({}, [(1.0, 0.0), (0.5, 0.5)], "(1½ : ½)"),
        ({"first_points": 1.0, "second_points": 0.0}, [(1.0, 0.0), (0.5, 0.5)], "1-0 (1½ : ½)"),
        ({"is_forfeit": True}, [(None, 0.0)], "by forfeit"),
    ],
)
def test_the_result_of_a_pairing_has_the_score_of_its_games_where_that_tells_more(
    fields, games, text
):
    row = PairingRow(**{"first_id": 1, "second_id": 2, **fields})
    found = [GameRow(first_points=first, other_points=[other]) for first, other in games]
    assert tournaments._result(PairingLine(row, found)) == text
