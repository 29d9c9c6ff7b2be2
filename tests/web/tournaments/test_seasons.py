"""Seasons of recurring events, statistics of hosts, feeds, and standings on other sites."""

import re
from datetime import UTC, datetime
from html import unescape
from xml.etree import ElementTree as ET

import pytest

from antipodes.clocks import HOUR
from antipodes.tournaments import FORMATS, League, RoundRobin
from antipodes.web.accounts.models import User
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import directing, embeds, feeds, repeats, services
from antipodes.web.tournaments.models import EntryRow, Repeat, State, TournamentRow
from antipodes.web.tournaments.seasons import is_recurring, season_of
from antipodes.web.tournaments.statistics import statistics_of
from tests.web.tournaments.conftest import advance, play_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def series(make_event, host, clocks):
    """Two finished events of a series, and the third one."""
    row = make_event(
        4, format=RoundRobin(), starts_at=now() + 60_000, repeats=Repeat.WEEKLY, title="Weekly"
    )
    first = row
    users = [one.user for one in row.entries.all()]
    for players in (4, 3):
        if row.entries.count() == 0:
            for user in users[:players]:
                services.join(row.pk, user)
        directing.start(row.pk, host)
        play_out(row)
        row = repeats.make_next(row.pk)
    return first, row


def test_a_season_adds_the_points_of_its_finished_events(series):
    first, third = series
    assert third.series == first
    season = season_of(third, None)
    assert season.events == [first]  # the second one had three players
    assert sum(line.points for line, _ in season.lines) == pytest.approx(10 + 8 + 6 + 5)
    assert season.lines[0][0].rank == 1
    assert season_of(first, None, 1999).lines == []


@pytest.mark.parametrize(("ended", "year"), [(-1, 2025), (0, 2026), (60_000, 2026)])
def test_an_event_belongs_to_the_year_of_its_end_in_utc(series, ended, year):
    first, third = series
    new_year = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp() * 1_000)
    TournamentRow.objects.filter(pk=first.pk).update(ended_at=new_year + ended)
    assert season_of(third, None).year == year
    assert season_of(third, None, year).events == [first]


def test_private_events_do_not_count_for_others(series, host):
    first, third = series
    first.is_private = True
    first.save()
    assert season_of(third, None).events == []
    assert season_of(third, host).events == [first]


def test_the_season_has_a_page_and_an_operation(client, series):
    first, third = series
    for row in series:
        assert f"/tournament/{row.slug}/season/" in client.get(f"/tournament/{row.slug}/").text
        page = client.get(f"/tournament/{row.slug}/season/").text
        assert "p000" in page
        assert "Weekly" in page
    assert "No tournament" in client.get(f"/tournament/{third.slug}/season/?year=1999").text
    data = client.get(f"/api/v1/tournaments/{third.slug}/season").json()
    assert data["tournaments"] == [first.slug]
    assert data["standings"][0]["rank"] == 1


def test_statistics_count_events_players_and_games(client, series, host):
    found = statistics_of(host)
    assert (found.events, found.finished, found.players, found.returning) == (2, 2, 4, 3)
    assert found.games == 6 + 3
    latest, earlier = found.lines
    assert (latest.players, latest.returning, latest.games) == (3, 3, 3)
    assert (earlier.players, earlier.returning, earlier.games) == (4, 0, 6)
    assert client.get("/tournaments/hosted/").status_code == 302
    client.force_login(host)
    assert "Weekly" in client.get("/tournaments/hosted/").text
    assert "/tournaments/hosted/" in client.get("/tournaments/").text


def test_statistics_count_an_event_before_its_first_game_ends(series, host):
    first, third = series
    for one in first.entries.all()[:2]:
        services.join(third.pk, one.user)
    directing.start(third.pk, host)
    line = statistics_of(host).lines[0]
    assert (line.players, line.games, line.forfeits, line.withdrawn) == (2, 0, 0, 0)


def test_standings_are_shown_in_frames_of_other_sites(client, series, make_event):
    first, third = series
    for row in (first, third, make_event(2)):
        answer = client.get(f"/tournament/{row.slug}/embed/")
        assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
        assert "<form" not in answer.text
    assert "p000" in client.get(f"/tournament/{first.slug}/embed/").text
    frame = f"/tournament/{first.slug}/embed/"
    assert frame in client.get(f"/tournament/{first.slug}/").text
    address = f"http://testserver/tournament/{first.slug}/"
    assert frame in client.get("/oembed", {"url": address}).json()["html"]
    first.is_private = True
    first.save()
    assert client.get(frame).status_code == 404


def test_a_season_has_the_years_of_the_series_the_latest_first(series, host, clocks):
    first, third = series
    second = first.following
    for row, year, ranks in ((first, 2026, (1, 2, 3, 4)), (second, 2024, (2, 1, 4, 3))):
        ended = int(datetime(year, 7, 1, tzinfo=UTC).timestamp() * 1_000)
        TournamentRow.objects.filter(pk=row.pk).update(ended_at=ended)
        EntryRow.objects.get_or_create(
            tournament=row,
            user=User.objects.get(username="p003"),
            defaults={"rating": 1_500, "joined_at": 0, "number": 4},
        )
        for number, rank in enumerate(ranks):
            row.entries.filter(user__username=f"p00{number}").update(rank=rank)
    season = season_of(third, None)
    assert (season.year, season.years, season.events) == (2026, [2026, 2024], [first])
    names = [user.username for _, user in season.lines]
    assert names == ["p000", "p001", "p002", "p003"]
    earlier = season_of(third, None, 2024)
    assert (earlier.year, earlier.events) == (2024, [second])
    assert [user.username for _, user in earlier.lines] == ["p001", "p000", "p003", "p002"]
    second.refresh_from_db()
    TournamentRow.objects.filter(pk=first.pk).update(ended_at=second.ended_at - 1)
    both = season_of(third, None)
    assert (both.years, both.events) == ([2024], [first, second])
    TournamentRow.objects.filter(pk=first.pk).update(state=State.CANCELLED)
    assert season_of(third, None).events == [second]


def test_events_that_are_repeated_or_repeat_others_are_recurring(series, make_event):
    first, third = series
    first.repeats = third.repeats = Repeat.NEVER
    assert [is_recurring(row) for row in (first, third, make_event())] == [False, True, False]
    first.repeats = Repeat.MONTHLY
    assert is_recurring(first)


def test_statistics_count_forfeits_and_players_who_have_left(series, host, make_event):
    _, third = series
    for name in ("p000", "p001", "p002", "p003"):
        services.join(third.pk, User.objects.get(username=name))
    directing.start(third.pk, host)
    services.leave(third.pk, User.objects.get(username="p000"))
    advance(third)
    make_event(2)  # has not begun
    found = statistics_of(host)
    line = found.lines[0]
    counts = (line.players, line.games, line.forfeits, line.withdrawn, line.returning)
    assert (line.row, counts) == (third, (4, 1, 1, 1, 4))
    assert [one.withdrawn for one in found.lines] == [1, 0, 0]
    assert (found.events, found.finished, found.players, found.returning) == (3, 2, 4, 4)
    assert statistics_of(User.objects.get(username="p000")).lines == []


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
    assert repeats.following(at, repeat) == later


@pytest.mark.parametrize("kind", [RoundRobin(), League()])
@pytest.mark.parametrize("state", State)
def test_an_event_is_repeated_once_it_has_begun_and_a_league_once_it_is_finished(
    make_event, kind, state
):
    row = make_event(format=kind, starts_at=now() + HOUR, repeats=Repeat.WEEKLY)
    TournamentRow.objects.update(state=state)
    has_begun = state not in {State.ANNOUNCED, State.OPEN, State.CHECK_IN}
    is_due = state == State.FINISHED if FORMATS[row.format_name].carries_over else has_begun
    assert repeats.due() == [row.pk] * is_due
    for changed in ({"repeats": Repeat.NEVER}, {"repeats": Repeat.MONTHLY, "starts_at": None}):
        TournamentRow.objects.update(**changed)
        assert repeats.due() == []


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
    monkeypatch.setattr(embeds, "_MOST_LINES", 2)
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
