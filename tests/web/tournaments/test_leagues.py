"""Seasons of a league on the site: the next one is made with the players of the last."""

import pytest

from antipodes.tournaments.league import League
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import directing, notifications, series, services
from antipodes.web.tournaments.models import Repeat, TournamentRow
from tests.web.tournaments.conftest import advance, event_of, kept_events, play_out

pytestmark = pytest.mark.django_db

FORMAT = League(division_size=4, moved=1)


@pytest.fixture(scope="module")
def season(django_db_setup, django_db_blocker):
    """A season of eight players, one of whom has left, made once."""
    with kept_events(django_db_blocker):
        host = User.objects.create(username="host")
        row = event_of(
            host,
            8,
            format=FORMAT,
            starts_at=now() + 60_000,
            repeats=Repeat.MONTHLY,
            control="3d/move+10d",
            title="Town league",
        )
        directing.start(row.pk, host)
        advance(row)
        assert series.due() == []  # not before the season is over
        services.leave(row.pk, User.objects.get(username="p007"))
        yield play_out(row)


@pytest.fixture
def host(db, season):
    return User.objects.get(username="host")


@pytest.fixture
def finished(db, season):
    """The season as it is stored."""
    return TournamentRow.objects.get(pk=season.pk)


def next_season(row):
    made = series.make_next(row.pk)
    assert made is not None
    return made


def test_the_next_season_has_the_players_in_the_order_that_they_reached(finished, host):
    assert series.due() == [finished.pk]
    row = next_season(finished)
    assert series.make_next(finished.pk) is None
    assert series.due() == []
    names = set(row.entries.values_list("user__username", flat=True))
    assert names == {f"p{number:03}" for number in range(7)}
    services.join(row.pk, User.objects.create(username="newcomer"))
    directing.start(row.pk, host)
    advance(row)
    stayed = finished.entries.filter(is_withdrawn=False).order_by("rank", "number")
    ranked = list(stayed.values_list("user__username", flat=True))
    order = list(row.entries.order_by("number").values_list("user__username", flat=True))
    assert set(order[:4]) == {*ranked[:3], ranked[4]}
    assert order[3] == ranked[4]  # came up
    assert order[4] == ranked[3]  # went down
    assert order[-1] == "newcomer"


def test_players_hear_of_the_next_season(finished):
    row = next_season(finished)
    notifications.notify_of_steps()
    player = User.objects.get(username="p001")
    told = [one.arguments["act"] for one in player.notifications.filter(kind="tournament")]
    assert "entered" in told
    assert row.log.filter(kind="entered").count() == 1


def test_the_page_tells_who_goes_up_and_down(client, finished):
    page = client.get(f"/tournament/{finished.slug}/").text
    assert "Division 1" in page
    assert page.count("goes up") == page.count("goes down") == 1
    row = next_season(finished)
    log = client.get(f"/tournament/{row.slug}/log/").text
    assert "7 players of the last season were entered." in log


def test_only_players_who_can_play_are_entered_until_the_season_is_full(finished):
    User.objects.filter(username="p000").update(is_active=False)
    finished.entries.filter(user__username="p003").update(user=computer("1"))
    TournamentRow.objects.filter(pk=finished.pk).update(most_players=4)
    row = next_season(finished)
    entered = list(row.entries.order_by("pk").values_list("user__username", flat=True))
    assert entered == ["p001", "p002", "p004", "p005"]
    keys = [one.user_id for one in row.entries.order_by("pk")]
    step = row.log.last()
    assert (step.kind, step.by, step.data) == ("entered", None, {"users": keys})
