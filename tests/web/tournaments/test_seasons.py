"""Seasons of recurring events, statistics of hosts, and standings on other sites."""

from datetime import UTC, datetime

import pytest

from antipodes.tournaments.round_robin import RoundRobin
from antipodes.web.accounts.models import User
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import directing, services
from antipodes.web.tournaments.models import EntryRow, Repeat, TournamentRow, TournamentState
from antipodes.web.tournaments.series import is_recurring, make_next, season_of
from antipodes.web.tournaments.statistics import statistics_of
from tests.web.tournaments.conftest import advance, event_of, kept_events, play_out

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def weekly(django_db_setup, django_db_blocker):
    """Two finished events of a series, and the third one, made once."""
    with kept_events(django_db_blocker):
        host = User.objects.create(username="host")
        row = event_of(
            host,
            4,
            format=RoundRobin(),
            starts_at=now() + 60_000,
            repeats=Repeat.WEEKLY,
            title="Weekly",
        )
        first = row
        users = [one.user for one in row.entries.all()]
        for players in (4, 3):
            if row.entries.count() == 0:
                for user in users[:players]:
                    services.join(row.pk, user)
            directing.start(row.pk, host)
            play_out(row)
            row = make_next(row.pk)
        yield first, row


@pytest.fixture
def host(db, weekly):
    """The host of all events."""
    return User.objects.get(username="host")


@pytest.fixture
def series(db, weekly):
    """Two finished events of a series, and the third one, as they are stored."""
    return tuple(TournamentRow.objects.get(pk=row.pk) for row in weekly)


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


def test_a_season_has_the_years_of_the_series_the_latest_first(series, host):
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
    TournamentRow.objects.filter(pk=first.pk).update(state=TournamentState.CANCELLED)
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
