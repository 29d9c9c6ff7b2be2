"""The mail command ``tournament``."""

import re
from datetime import UTC, datetime

import pytest

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.tournaments.ladder import Ladder
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.tournaments.team_match import TeamMatch
from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow
from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.commands import tournaments
from antipodes.web.notifications import match_events
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import directing, services
from antipodes.web.tournaments.invitations import invite
from antipodes.web.tournaments.models import GameRow, PairingRow, TournamentRow, TournamentState
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


def test_players_challenge_others_of_a_ladder(reachable, ann, bob, write, make_event, host):
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


def test_an_invited_player_joins(reachable, ann, bob, write, make_event):
    event = make_event(RoundRobin(), by_invitation=True)
    event.host = ann
    event.save()
    assert "by invitation" in write(bob, "list")
    assert "Only invited players" in write(bob, "join", event.pk)
    invite(event.pk, ann, "bob")
    assert "you are invited" in write(bob, "list")
    assert "You have joined" in write(bob, "join", event.pk)


def test_members_of_both_clubs_choose_their_team(reachable, ann, bob, write, make_event, host):
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


def test_players_check_in_by_mail(reachable, ann, write, make_event):
    event = make_event(RoundRobin())
    write(ann, "join", event.pk)
    assert "Check-in is not open" in write(ann, "check-in", event.pk)
    event.refresh_from_db()
    event.state = TournamentState.CHECK_IN
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


def table_of(text):
    """Return the cells of the table in an answer, without its heads."""
    table = "\n".join(line for line in text.splitlines() if line.startswith("  "))
    # A line that is indented further continues its row.
    lines = re.sub(r"\n {3,}", "  ", table).splitlines()
    return [re.split(r"\s{2,}", line.strip()) for line in lines[1:]]


def test_the_list_has_tournaments_in_progress_and_then_the_next_ones(
    reachable, ann, bob, write, make_event, host, monkeypatch
):
    club = ClubRow.objects.create(slug="north", name="North", made_at=0)
    other = ClubRow.objects.create(slug="south", name="South", made_at=0)
    club.members.create(user=host, since=0)
    running = make_event(RoundRobin())
    for user in (ann, bob):
        services.join(running.pk, user)
    directing.start(running.pk, host)
    at = now() + 3_600_000
    event = make_event(RoundRobin(), starts_at=at)
    of_clubs = make_event(TeamMatch(), club=club, guest_club=other)
    rows = table_of(write(ann, "list"))
    assert {row[0] for row in rows[1:]} == {str(event.pk), str(of_clubs.pk)}
    [line] = [row for row in rows if row[0] == str(event.pk)]
    day = datetime.fromtimestamp(at / 1_000, UTC)
    assert (line[1], line[3]) == ("Mail cup", "hex")
    assert f"{day:%Y-%m-%d %H:%M}" in line
    assert line[-1] == "everyone"
    assert rows[0][0] == str(running.pk)
    assert rows[0][-3:] == ["2", "running", "everyone"]
    [line] = [row for row in rows if row[0] == str(of_clubs.pk)]
    assert line[-1] == "north or south"
    monkeypatch.setattr(tournaments, "_MOST_LINES", 1)
    assert len(table_of(write(ann, "list"))) == 1


def test_the_players_are_shown_by_rating_before_the_start_and_by_rank_after(
    reachable, ann, bob, cy, write, make_event, host
):
    event = make_event(RoundRobin())
    for user in (ann, bob, cy):
        services.join(event.pk, user)
    for user, rating in ((ann, 1_400), (bob, 1_600), (cy, 1_500)):
        event.entries.filter(user=user).update(rating=rating)
    before = write(ann, "standings", event.pk)
    assert "News: Mail cup. It has not begun." in before
    assert [row[1:3] for row in table_of(before)] == [
        ["bob", "1600"],
        ["cy", "1500"],
        ["ann", "1400"],
    ]
    directing.start(event.pk, host)
    advance(event)
    after = " ".join(write(ann, "standings", event.pk).split())
    event.refresh_from_db()
    assert f"Mail cup. It is running. Round {event.round} of {event.last_round}." in after
    shown = table_of(write(ann, "standings", event.pk))
    assert [row[0] for row in shown] == ["1", "1", "1"]
    assert {row[1] for row in shown} == {"ann", "bob", "cy"}


def test_the_pairings_are_those_of_the_round_or_of_the_latest_one(
    reachable, ann, bob, write, make_event, host
):
    event = make_event(RoundRobin())
    for user in (ann, bob):
        services.join(event.pk, user)
    assert "mail/tournament" in write(ann, "pairings", event.pk)
    directing.start(event.pk, host)
    advance(event)
    event.refresh_from_db()
    [game] = unfinished(event)
    latest = write(ann, "pairings", event.pk)
    assert f"News: Mail cup. Round {event.round}.\n" in latest
    [row] = table_of(latest)
    assert sorted(row[1].split(", ")) == ["ann", "bob"]
    assert (row[0], row[-1]) == ("1", str(game.match.pk))
    assert write(ann, "pairings", event.pk, event.round) == latest
    for word in (9, "x"):
        refused = " ".join(write(ann, "pairings", event.pk, word).split())
        assert f"has no pairings in round '{word}'" in refused


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("standings 999", "there is no tournament '999'"),
        ("join x", "there is no tournament 'x'"),
        ("join", "there is no tournament without a number"),
        ("win 1", "'win' is none of list, standings, pairings, join"),
    ],
)
def test_a_refused_command_tells_what_there_is_not(reachable, write, words, text):
    assert f"mail/tournament; {text}" in " ".join(write(reachable[0], words).split())


def test_a_private_tournament_of_a_club_is_there_for_its_members_only(
    reachable, ann, write, make_event, host
):
    club = ClubRow.objects.create(slug="north", name="North", made_at=0)
    club.members.create(user=host, since=0)
    event = make_event(RoundRobin(), club=club)
    TournamentRow.objects.filter(pk=event.pk).update(is_private=True)
    assert f"there is no tournament '{event.pk}'" in write(ann, "standings", event.pk)
    assert "Mail cup" not in write(ann, "list")
    club.members.create(user=ann, since=0)
    assert "Mail cup. It has not begun." in write(ann, "standings", event.pk)


def test_players_outside_a_ladder_have_none_to_challenge(reachable, write, make_event, host):
    ann, bob = reachable[:2]
    event = make_event(Ladder())
    for user in (host, bob, ann):
        services.join(event.pk, user)
    directing.start(event.pk, host)
    listed = table_of(write(ann, "challenge", event.pk))
    assert {row[1] for row in listed} == {"host", "bob"}
    assert table_of(write(reachable[2], "challenge", event.pk)) == []
