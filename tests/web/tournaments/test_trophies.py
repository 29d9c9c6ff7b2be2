"""Trophies on profiles, and files of events."""

import json

import pytest

from antipodes.tournaments import RoundRobin
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import directing
from antipodes.web.tournaments.exports import _folded
from antipodes.web.tournaments.selectors import trophies_of
from tests.web.tournaments.conftest import play_out

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


def test_an_event_that_others_may_not_see_gives_no_trophy(finished):
    winner = finished.entries.filter(rank=1).first().user
    assert len(trophies_of(winner, None)) == 1
    finished.is_private = True
    finished.save()
    assert trophies_of(winner, None) == []
