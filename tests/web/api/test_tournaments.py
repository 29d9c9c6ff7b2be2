"""Tournaments in the API: lists, standings, pairings, and the lines of their streams."""

from dataclasses import replace

import pytest

from antipodes.clocks import read_control
from antipodes.games.antipod import FAIR
from antipodes.games.registry import make_game
from antipodes.tournaments.knockout import Knockout
from antipodes.tournaments.swiss import Swiss
from antipodes.tournaments.team_match import TeamMatch
from antipodes.web.api.tournament_stream import TournamentStream
from antipodes.web.clubs.models import ClubRow, MemberRow
from antipodes.web.tournaments import directing
from antipodes.web.tournaments.models import TournamentRow
from antipodes.web.tournaments.plans import Plan
from antipodes.web.tournaments.services import create_tournament, join, leave
from tests.web.api.conftest import person
from tests.web.tournaments.conftest import GAME, advance, play_round, resign, unfinished

pytestmark = pytest.mark.django_db

CUP = {"title": "Cup", "format": "swiss", "game": "hex", "control": "5m+5s"}


@pytest.mark.parametrize("is_private", [False, True])
def test_a_member_hosts_a_tournament_of_the_club(ask, token, people, is_private):
    club = ClubRow.objects.create(name="Club", slug="club", made_at=1)
    MemberRow.objects.create(club=club, user=people[0], since=1)
    made = ask("POST", "tournaments", token(), {**CUP, "club": "club", "private": is_private})
    assert made.status_code == 200
    row = TournamentRow.objects.get(slug=made.data["slug"])
    assert (row.club, row.guest_club, row.is_private) == (club, None, is_private)
    refused = ask("POST", "tournaments", token(people[1]), {**CUP, "club": "club"})
    assert (refused.status_code, refused.data["code"]) == (403, "tournament/club")
    assert TournamentRow.objects.count() == 1


def test_the_state_of_a_tournament_is_sent_once_for_each_version(people):
    plan = Plan(title="Cup", format=Swiss(), game=make_game("hex"), control=read_control("5m+5s"))
    row = create_tournament(people[0], plan)
    stream = TournamentStream(row.slug, None)
    assert [line["type"] for line in stream._changes()] == ["tournament"]
    assert stream._changes() == []
    join(row.pk, people[1])
    (line,) = stream._changes()
    assert line["tournament"]["players"] == 1
    assert stream._changes() == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("opensAt", 2**53 - 1),
        ("opensAt", 253_402_300_800_000),
        ("startsAt", 2**53 - 1),
        ("leastGames", 32_768),
        ("lowest", 32_768),
        ("highest", 32_768),
        ("mostPlayers", 32_768),
        ("checkIn", 32_768),
    ],
)
def test_numbers_that_no_column_or_page_can_hold_are_refused(ask, token, field, value):
    refused = ask("POST", "tournaments", token(), {**CUP, field: value})
    assert (refused.status_code, TournamentRow.objects.count()) == (422, 0)
    assert str(value) in refused.data["message"]


def test_games_that_favour_a_colour_are_mirrored_unless_the_host_chooses(ask, token):
    classic = {**CUP, "game": "antipod", "options": {"handicap": "six"}}
    for plan, games, options in (
        (classic, "mirrored", {}),
        ({**classic, "games": "single"}, "single", {}),
        ({**classic, "options": {}}, "single", {"extra_stones": FAIR[6]}),
        ({**classic, "format": "arena"}, "single", {}),
    ):
        made = ask("POST", "tournaments", token(), plan)
        assert (made.data["games"], made.data["options"]) == (games, options)


@pytest.fixture
def cup(people):
    """A knockout of all people, which Ann hosts and which has not begun."""
    plan = Plan(title="Cup", format=Knockout(), game=GAME, control=read_control("5m+5s"))
    row = create_tournament(people[0], plan)
    for user in people:
        join(row.pk, user)
    return row


@pytest.fixture
def running(cup, people):
    directing.start(cup.pk, people[0])
    return advance(cup)


def test_a_tournament_has_all_its_fields(ask, token):
    wanted = {"startsAt": None, "mostPlayers": 8, "lowest": 1200, "tieBreaks": ["wins"]}
    made = ask("POST", "tournaments", token(), {**CUP, **wanted}).data
    assert made == {
        "slug": TournamentRow.objects.get().slug,
        "title": "Cup",
        "description": "",
        "host": person("ann"),
        "club": None,
        "guestClub": None,
        "private": False,
        "format": "swiss",
        "rules": {"rounds": 0, "late_entry": 0, "accelerated": "off"},
        "state": "open",
        "game": "hex",
        "options": {},
        "control": "5m+5s",
        "rated": False,
        "games": "single",
        "openings": [],
        "tieBreaks": ["wins"],
        "columns": ["wins"],
        "opensAt": None,
        "startsAt": None,
        "checkIn": 0,
        "startsWhenFull": False,
        "players": 0,
        "mostPlayers": 8,
        "lowest": 1200,
        "highest": None,
        "leastGames": 0,
        "byInvitation": False,
        "filler": "",
        "repeats": "",
        "bots": False,
        "round": 0,
        "rounds": None,
        "version": 1,
    }
    assert ask("GET", "tournaments").data == [made]
    assert ask("GET", f"tournaments/{made['slug']}").data == made
    usual = ask("POST", "tournaments", token(), CUP).data["tieBreaks"]
    assert usual == ["buchholz-cut", "buchholz", "direct-encounter", "wins"]
    missing = ask("GET", "tournaments/nowhere")
    assert missing.data["message"] == "There is no tournament 'nowhere'."


def test_tournaments_are_listed_by_their_state(ask, running, people):
    upcoming = create_tournament(
        people[0], Plan(title="Next", format=Swiss(), game=GAME, control=read_control("5m+5s"))
    )
    for state, found in (
        ("", upcoming),
        ("?state=upcoming", upcoming),
        ("?state=running", running),
    ):
        assert [one["slug"] for one in ask("GET", f"tournaments{state}").data] == [found.slug]
    assert ask("GET", "tournaments?state=finished").data == []


def test_players_who_have_withdrawn_are_not_counted(ask, running, people):
    leave(running.pk, people[3])
    [listed] = ask("GET", "tournaments?state=running").data
    found = ask("GET", f"tournaments/{running.slug}").data
    assert (listed["players"], found["players"]) == (3, 3)
    lines = ask("GET", f"tournaments/{running.slug}/standings").data
    assert {one["person"]["name"]: one["withdrawn"] for one in lines} == {
        "ann": False,
        "bob": False,
        "cy": False,
        "dee": True,
    }


def test_standings_before_the_start_are_the_entries(ask, cup):
    lines = ask("GET", f"tournaments/{cup.slug}/standings").data
    assert lines == [
        {
            "person": person(name),
            "number": None,
            "rating": 1500,
            "rank": None,
            "points": 0,
            "performance": None,
            "tieBreaks": [],
            "checkedIn": False,
            "withdrawn": False,
            "team": None,
        }
        for name in ("ann", "bob", "cy", "dee")
    ]


def test_standings_and_pairings_follow_the_games(ask, running):
    path = f"tournaments/{running.slug}"
    first = ask("GET", f"{path}/pairings").data
    assert [(one["round"], one["table"], one["points"]) for one in first] == [
        (1, 1, None),
        (1, 2, None),
    ]
    play_round(running)
    advance(running)
    [final] = ask("GET", f"{path}/pairings").data
    assert (final["round"], final["points"]) == (2, None)
    decided = ask("GET", f"{path}/pairings?round=1").data
    assert [one["table"] for one in decided] == [1, 2]
    assert all(sorted(one["points"]) == [0, 1] for one in decided)
    lines = ask("GET", f"{path}/standings").data
    assert [line["points"] for line in lines] == [1, 1, 0, 0]
    assert sorted(line["number"] for line in lines) == [1, 2, 3, 4]
    assert lines[0]["rank"] == 1
    missing = ask("GET", f"{path}/pairings?round=3").data
    assert missing == []


def test_a_stream_begins_with_the_latest_round_and_then_sends_what_has_changed(running):
    def changes(stream):
        return [
            (one["round"], one["table"], one["points"] is not None)
            for one in (line["pairing"] for line in stream._changes() if line["type"] == "pairing")
        ]

    stream = TournamentStream(running.slug, None)
    assert changes(stream) == [(1, 1, False), (1, 2, False)]
    first, second = unfinished(running)
    resign(first, 0)
    advance(running)
    assert changes(stream) == [(1, first.pairing.table, True)]
    resign(second, 0)
    advance(running)
    assert sorted(changes(stream)) == [(1, second.pairing.table, True), (2, 1, False)]
    assert changes(stream) == []
    assert changes(TournamentStream(running.slug, None)) == [(2, 1, False)]


def test_a_member_of_both_clubs_chooses_a_team(ask, token, people):
    clubs = [ClubRow.objects.create(name=slug, slug=slug, made_at=1) for slug in ("owls", "hawks")]
    for club in clubs:
        for user in people[:2]:
            MemberRow.objects.create(club=club, user=user, since=1)
    clock = read_control("5m+5s")
    plan = Plan(title="Derby", format=TeamMatch(boards=4), game=GAME, control=clock)
    plan = replace(plan, club=clubs[0], guest_club=clubs[1])
    path = f"tournaments/{create_tournament(people[0], plan).slug}"
    bob = token(people[1])
    assert ask("POST", f"{path}/join", bob).data["code"] == "tournament/team"
    assert ask("POST", f"{path}/join?team=3", bob).data["code"] == "api/parameter"
    assert ask("POST", f"{path}/join?team=2", bob).status_code == 204
    assert ask("POST", f"{path}/join?team=1", token()).status_code == 204
    lines = ask("GET", f"{path}/standings", bob).data
    assert {line["person"]["name"]: line["team"] for line in lines} == {"ann": 1, "bob": 2}
    found = ask("GET", path).data
    assert (found["club"], found["guestClub"]) == ("owls", "hawks")
