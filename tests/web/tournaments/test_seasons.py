"""Seasons of recurring events, statistics of hosts, and standings on other sites."""

from datetime import UTC, datetime

import pytest

from antipodes.tournaments import RoundRobin
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import directing, repeats, services
from antipodes.web.tournaments.models import Repeat, TournamentRow
from antipodes.web.tournaments.seasons import season_of
from antipodes.web.tournaments.statistics import statistics_of
from tests.web.tournaments.conftest import play_out

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
