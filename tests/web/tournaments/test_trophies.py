"""Trophies on profiles, and files of events."""

import json
from typing import Any

import pytest

from antipodes.clocks import HOUR
from antipodes.tournaments import TieBreak, make_bout, make_format
from antipodes.tournaments.knockout import Knockout
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.tournaments.swiss import Swiss
from antipodes.web.accounts.models import User
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import directing, services
from antipodes.web.tournaments.exports import _folded
from antipodes.web.tournaments.models import GameRow, TournamentRow, TournamentState
from antipodes.web.tournaments.selectors import trophies_of
from antipodes.web.tournaments.templatetags.tournaments import time_of
from tests.web.tournaments.conftest import advance, play_out, play_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(make_event, host):
    row = make_event(4, format=RoundRobin(), title="Cup; of, all")
    directing.start(row.pk, host)
    return play_out(row)


def test_the_first_three_have_a_trophy_on_their_profile(client, finished):
    places = {one.rank: one.user.username for one in finished.entries.select_related("user")}
    winner = client.get(f"/people/{places[1]}/").content.decode()
    assert "First place" in winner
    last = finished.entries.select_related("user").order_by("-rank").first()
    if last.rank > 3:
        assert "trophies" not in client.get(f"/people/{last.user.username}/").content.decode()


def test_an_event_is_exported_in_every_format(client, finished):
    where = f"/tournament/{finished.slug}"
    report = client.get(f"{where}/tournament.trf").content.decode().splitlines()
    assert report[0] == "012 Cup; of, all"
    assert sum(line.startswith("001 ") for line in report) == 4
    table = client.get(f"{where}/tournament.csv").content.decode().splitlines()
    assert table[0].startswith("rank,number,name,rating,points,performance,direct-encounter")
    assert len(table) == 5
    data = client.get(f"{where}/tournament.json").json()
    assert len(data["pairings"]) == 6
    assert data["standings"][0]["rank"] == 1
    games = client.get(f"{where}/games.jsonl").getvalue().decode().splitlines()
    assert len(games) == 6
    assert json.loads(games[0])
    sgf = client.get(f"{where}/games.sgf").getvalue().decode()
    assert sgf.count("(;") == 6
    assert sgf.count("EV[Cup; of, all]") == sgf.count("RO[") == 6
    assert "RO[1.2]" in sgf


def test_calendars_have_the_events_with_a_time(client, make_event):
    row = make_event(title="Cup; of, all", starts_at=now() + 86_400_000)
    make_event(title="Whenever")
    for where in ("/tournaments/calendar.ics", f"/tournament/{row.slug}/tournament.ics"):
        text = client.get(where).content.decode()
        assert text.count("BEGIN:VEVENT") == 1
        assert "SUMMARY:Cup\\; of\\, all\r\n" in text
        assert f"/tournament/{row.slug}/" in text.replace("\r\n ", "")


def test_lines_of_calendars_have_75_bytes_at_most():
    line = "SUMMARY:" + "é" * 100
    folded = _folded(line)
    assert all(len(part.encode()) <= 75 for part in folded.split("\r\n"))
    assert folded.replace("\r\n ", "") == line
    assert _folded("x" * 75) == "x" * 75
    assert _folded("x" * 76) == "x" * 75 + "\r\n x"
    assert _folded("x" * 150) == "\r\n ".join(["x" * 75, "x" * 74, "x"])


def test_an_event_that_others_may_not_see_gives_no_trophy(finished):
    winner = finished.entries.filter(rank=1).first().user
    assert len(trophies_of(winner, None)) == 1
    finished.is_private = True
    finished.save()
    assert trophies_of(winner, None) == []


@pytest.fixture
def running(make_event, host, clocks):
    """A round robin of pairs of games in its second round; the first round was corrected."""
    clocks.wall = 1_800_000_000_000
    row = make_event(3, format=RoundRobin(), bout=make_bout("mirrored"), title="Cup é; a, b")
    directing.start(row.pk, host)
    for _ in range(2):
        play_round(advance(row))
    advance(row)
    directing.adjudicate(row.pk, host, 1, 2, "1-0", "a mistake")
    services.leave(row.pk, User.objects.get(username="p002"))
    row.refresh_from_db()
    return row


def test_the_data_of_an_event_has_its_rules_table_pairings_and_games(client, running):
    found = client.get(f"/tournament/{running.slug}/tournament.json").json()
    standings, pairings = found.pop("standings"), found.pop("pairings")
    assert found == {
        "slug": running.slug,
        "title": "Cup é; a, b",
        "format": "round-robin",
        "rules": {"cycles": 1},
        "state": "running",
        "game": "hex",
        "options": {"size": 3, "swap": "off"},
        "control": "5m+5s",
        "rated": False,
        "games": "mirrored",
        "openings": [],
        "startsAt": None,
        "round": 2,
        "rounds": 3,
        "tieBreaks": ["direct-encounter", "sonneborn-berger", "wins"],
        "columns": ["direct-encounter", "sonneborn-berger", "wins"],
    }
    assert standings[0] == {
        "rank": 1,
        "number": 2,
        "name": "p001",
        "rating": 1500,
        "points": 1.0,
        "performance": None,
        "tieBreaks": [0.0, 1.0, 1.0],
        "withdrawn": False,
        "team": None,
    }
    assert [one["withdrawn"] for one in standings] == [False, False, True]
    slugs = [game.match.slug for game in GameRow.objects.order_by("pk")]
    usual: dict[str, Any] = {
        "opening": "",
        "score": None,
        "forfeit": False,
        "adjudicated": False,
        "games": [],
    }
    bye = {**usual, "table": 1, "second": None, "points": [1.0, 0.0]}
    of_two = {**usual, "table": 2, "second": "p002"}
    assert pairings == [
        {**bye, "round": 1, "first": "p000", "players": ["p000"]},
        {
            **of_two,
            "round": 1,
            "first": "p001",
            "players": ["p001", "p002"],
            "points": [1.0, 0.0],
            "score": [1.0, 1.0],
            "adjudicated": True,
            "games": slugs[:2],
        },
        {**bye, "round": 2, "first": "p002", "players": ["p002"]},
        {
            **of_two,
            "round": 2,
            "first": "p000",
            "second": "p001",
            "players": ["p000", "p001"],
            "points": None,
            "games": slugs[2:],
        },
    ]


def test_files_of_an_event_have_names_and_types_and_are_asked_for_again(client, running):
    types = {
        "tournament.trf": ("text/plain", "trf"),
        "tournament.csv": ("text/csv", "csv"),
        "tournament.json": ("application/json", "json"),
        "tournament.ics": ("text/calendar", "ics"),
        "games.sgf": ("application/x-go-sgf", "sgf"),
        "games.jsonl": ("application/x-ndjson", "jsonl"),
    }
    for name, (kind, ending) in types.items():
        headers = client.get(f"/tournament/{running.slug}/{name}").headers
        assert headers["Content-Type"] == f"{kind}; charset=utf-8"
        assert headers["Content-Disposition"] == f'inline; filename="{running.slug}.{ending}"'
        assert headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "name", ["round-robin", "knockout", "double-elimination", "groups", "league"]
)
def test_an_event_that_has_not_begun_has_files_without_a_table(client, make_event, name):
    row = make_event(players=1, format=make_format(name))
    for path in (
        f"/tournament/{row.slug}/",
        f"/tournament/{row.slug}/embed/",
        f"/tournament/{row.slug}/tournament.trf",
        f"/tournament/{row.slug}/tournament.csv",
        f"/tournament/{row.slug}/tournament.json",
        f"/api/v1/tournaments/{row.slug}/standings",
    ):
        assert client.get(path).status_code == 200, path


def test_reports_and_tables_have_a_line_for_each_player(client, running):
    where = f"/tournament/{running.slug}"
    report = client.get(f"{where}/tournament.trf").content.decode().splitlines()
    assert [" ".join(line.split()) for line in report] == [
        "012 Cup é; a, b",
        "042 2027/01/15",
        "062 3",
        "072 3",
        "082 0",
        "092 Round robin",
        "XXR 3",
        "001 1 p000 1500 1.0 2 0000 - U 2 w",
        "001 2 p001 1500 1.0 1 3 w 1 1 b",
        "001 3 p002 1500 1.0 2 2 b 0 0000 - U",
    ]
    assert client.get(f"{where}/tournament.csv").content.decode().splitlines() == [
        "rank,number,name,rating,points,performance,direct-encounter,sonneborn-berger,wins",
        "1,2,p001,1500,1.0,,0.0,1.0,1.0",
        "2,1,p000,1500,1.0,,0.0,1.0,0.0",
        "2,3,p002,1500,1.0,,0.0,1.0,0.0",
    ]
    games = client.get(f"{where}/games.jsonl").getvalue().decode().splitlines()
    records = [json.loads(line) for line in games]
    assert [one["round"] for one in records] == ["1.2.1", "1.2.2", "2.2.1"]
    slugs = [game.match.slug for game in GameRow.objects.order_by("pk")]
    assert [one["place"] for one in records] == [f"http://testserver/m/{one}/" for one in slugs]
    assert "Cup é; a, b" in games[0]
    sgf = client.get(f"{where}/games.sgf").getvalue().decode()
    assert sgf.count("\n(;") == 2


def test_a_report_leaves_out_a_playoff_and_has_the_rounds_of_an_event_that_has_ended(
    client, make_event, host, clocks
):
    clocks.wall = 1_800_000_000_000
    row = make_event(2, format=Swiss(rounds=1), tie_breaks=(TieBreak.PLAYOFF,))
    directing.start(row.pk, host)
    advance(row)
    directing.adjudicate(row.pk, host, 1, 1, "draw", "agreed")
    play_out(row)
    assert row.pairings.filter(is_playoff=True).exists()
    report = client.get(f"/tournament/{row.slug}/tournament.trf").content.decode().splitlines()
    assert report[1:3] == ["042 2027/01/15", "052 2027/01/15"]
    players = [line.split() for line in report if line.startswith("001 ")]
    assert [len(cells) for cells in players] == [9, 9]  # the cells of one round


def test_a_calendar_has_the_times_of_events_in_utc(client, make_event, clocks):
    clocks.wall = 1_800_000_000_999
    row = make_event(title="Cup \\ a; b, c", starts_at=1_800_003_600_123)
    text = client.get("/tournaments/calendar.ics")
    assert text.headers["Content-Disposition"] == 'inline; filename="antipodes.ics"'
    assert text.content.decode().split("\r\n") == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Antipodes//Tournaments//EN",
        "BEGIN:VEVENT",
        f"UID:{row.slug}@testserver",
        "DTSTAMP:20270115T080000Z",
        "DTSTART:20270115T090000Z",
        "DTEND:20270115T110000Z",
        "SUMMARY:Cup \\\\ a\\; b\\, c",
        f"URL:http://testserver/tournament/{row.slug}/",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


def test_a_calendar_of_an_event_without_a_time_is_empty(client, make_event):
    row = make_event()
    text = client.get(f"/tournament/{row.slug}/tournament.ics").content.decode()
    assert "VEVENT" not in text
    assert text.startswith("BEGIN:VCALENDAR\r\n")


def test_trophies_are_for_the_first_three_of_at_least_four_the_latest_first(
    make_event, host, clocks
):
    rows = []
    for players in (4, 3, 4):
        row = make_event(players, format=Knockout(), title=f"Cup of {players}")
        directing.start(row.pk, host)
        rows.append(play_out(row))
        clocks.advance(HOUR)
    player = User.objects.get(username="p000")
    for row, rank in zip(rows, (3, 1, 2), strict=True):
        row.entries.update(rank=4)
        row.entries.filter(user=player).update(rank=rank)
    found = [(one.row, one.rank, one.ended.timestamp()) for one in trophies_of(player, None)]
    assert found == [(rows[at], rank, rows[at].ended_at / 1_000) for at, rank in ((2, 2), (0, 3))]
    assert trophies_of(User.objects.get(username="p001"), None) == []
    TournamentRow.objects.filter(pk=rows[0].pk).update(state=TournamentState.CANCELLED)
    assert [one.row for one in trophies_of(player, None)] == [rows[2]]


def test_times_are_written_with_their_zone_for_scripts_and_readers():
    text = time_of(1_800_000_000_000)
    shown = "15 January 2027, 08:00 UTC"
    assert text == f'<time datetime="2027-01-15T08:00:00+00:00" data-local>{shown}</time>'
