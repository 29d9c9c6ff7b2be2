"""Feeds of events, standings on other sites, and when events are repeated."""

import re
from datetime import datetime
from html import unescape
from xml.etree import ElementTree as ET

import pytest

from antipodes.clocks import HOUR
from antipodes.tournaments import FORMATS
from antipodes.tournaments.league import League
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import directing, feeds, series, views
from antipodes.web.tournaments.models import Repeat, TournamentRow, TournamentState
from tests.web.tournaments.conftest import advance, play_out

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("repeat", "start", "next_start"),
    [
        (Repeat.WEEKLY, "2026-12-28T20:30", "2027-01-04T20:30"),
        (Repeat.MONTHLY, "2026-10-31T20:30", "2026-11-30T20:30"),
        (Repeat.MONTHLY, "2026-11-30T20:30", "2026-12-30T20:30"),
        (Repeat.MONTHLY, "2026-12-31T20:30", "2027-01-31T20:30"),
        (Repeat.MONTHLY, "2028-01-31T00:00", "2028-02-29T00:00"),
        (Repeat.MONTHLY, "2028-02-29T00:00", "2028-03-29T00:00"),
    ],
)
def test_the_next_event_starts_at_the_same_time_of_its_day(repeat, start, next_start):
    at, later = (
        int(datetime.fromisoformat(f"{one}Z").timestamp() * 1_000) + 250
        for one in (start, next_start)
    )
    assert series.following(at, repeat) == later


@pytest.mark.parametrize("kind", [RoundRobin(), League()])
@pytest.mark.parametrize("state", TournamentState)
def test_an_event_is_repeated_once_it_has_begun_and_a_league_once_it_is_finished(
    make_event, kind, state
):
    row = make_event(format=kind, starts_at=now() + HOUR, repeats=Repeat.WEEKLY)
    TournamentRow.objects.update(state=state)
    has_begun = state not in {
        TournamentState.ANNOUNCED,
        TournamentState.OPEN,
        TournamentState.CHECK_IN,
    }
    is_due = (
        state == TournamentState.FINISHED if FORMATS[row.format_name].carries_over else has_begun
    )
    assert series.due() == [row.pk] * is_due
    for changed in ({"repeats": Repeat.NEVER}, {"repeats": Repeat.MONTHLY, "starts_at": None}):
        TournamentRow.objects.update(**changed)
        assert series.due() == []


ATOM = "{http://www.w3.org/2005/Atom}"


def entries_of_feed(client):
    """Return id, title, time and lines of each entry of the feed in Atom."""
    root = ET.fromstring(client.get("/tournaments/atom.xml").content)

    def text(entry, name):
        return entry.findtext(f"{ATOM}{name}")

    return [
        (
            text(one, "id").rpartition("/tournament/")[2],
            text(one, "title"),
            text(one, "updated"),
            re.findall("<p>(.*?)</p>", unescape(text(one, "summary"))),
        )
        for one in root.iter(f"{ATOM}entry")
    ]


def test_a_feed_has_each_event_when_it_is_made_and_when_it_ends(
    client, make_event, host, clocks, monkeypatch
):
    clocks.wall = 1_800_000_000_000
    row = make_event(4, format=RoundRobin(), title="Cup", starts_at=now() + HOUR)
    clocks.advance(60_000)
    directing.start(row.pk, host)
    play_out(row)
    for number in range(4):
        row.entries.filter(user__username=f"p00{number}").update(rank=4 - number)
    clocks.advance(60_000)
    latest = make_event(title="Later")
    directing.cancel(make_event(title="Rained off").pk, host, "rain")
    game = "Hex · size 3 · no swap · 5 minutes + 5 seconds a move"
    expected = [
        (f"{latest.slug}/#new", "Later", "2027-01-15T08:02:00+00:00", [f"Swiss system · {game}"]),
        (
            f"{row.slug}/#results",
            "Results: Cup",
            "2027-01-15T08:01:00+00:00",
            ["1. p003", "2. p002", "3. p001"],
        ),
        (
            f"{row.slug}/#new",
            "Cup",
            "2027-01-15T08:00:00+00:00",
            [f"Round robin · {game}", "starts 15 January 2027, 09:00 UTC"],
        ),
    ]
    assert entries_of_feed(client) == expected
    monkeypatch.setattr(feeds, "_ENTRIES", 2)
    assert entries_of_feed(client) == expected[:2]
    rss = client.get("/tournaments/rss.xml").text
    assert re.findall('<guid isPermaLink="false">(.*?)</guid>', rss) == [
        f"http://testserver/tournament/{one}" for one, *_ in expected[:2]
    ]
    assert "<ttl>15</ttl>" in rss
    assert "<link>http://testserver/tournaments/</link>" in rss


def test_a_frame_has_the_players_of_an_event_and_then_its_standings(
    client, make_event, host, monkeypatch
):
    monkeypatch.setattr(views, "_MOST_IN_FRAME", 2)
    row = make_event(3, format=RoundRobin(), title="Cup")
    where = f"/tournament/{row.slug}/embed/"
    before = client.get(where).context
    assert [len(before[name]) for name in ("entrants", "lines")] == [2, 0]
    directing.start(row.pk, host)
    advance(row)
    after = client.get(where).context
    assert (after["entrants"], len(after["lines"])) == (None, 2)
    preview = after["preview"]
    assert (preview.title, preview.author) == ("Cup", "host")
    assert preview.description == "Round robin, Hex · size 3 · no swap: running."
    assert preview.frame.endswith(where)
    row.is_private = True
    row.save()
    client.force_login(host)
    assert client.get(f"/tournament/{row.slug}/").context["preview"].frame == ""
