"""Vacations of an account, in all its correspondence matches."""

import re
from datetime import date

import pytest

from antipodes.errors import MatchError
from antipodes.match import EndVacation, Play, StartVacation
from antipodes.web.matches.services import carry_out, let_flag_fall
from antipodes.web.matches.snapshots import look_up
from antipodes.web.notifications import vacations
from antipodes.web.notifications.models import PreferenceRow
from antipodes.web.notifications.vacations import (
    budgets,
    end_of,
    end_vacation,
    start_vacation,
    sync_vacations,
)
from tests.web.notifications.conftest import DAY, HOUR, instant

pytestmark = pytest.mark.django_db


def away(match):
    return look_up(match.slug).match.clock.away


def test_a_vacation_stops_the_clocks_of_all_correspondence_games(slow, people, time):
    matches, live = [slow(), slow("7d/move")], slow("10m+5s")
    start_vacation(people[0], time.at + 10 * DAY)
    assert [away(match) for match in matches] == [{0}, {0}]
    assert away(live) == frozenset()
    time.forward(9 * DAY)
    for match in matches:
        let_flag_fall(match.slug)
        assert look_up(match.slug).match.result is None


def test_a_vacation_applies_to_games_that_begin_later(slow, people, time):
    start_vacation(people[0], time.at + 10 * DAY)
    match = slow()
    sync_vacations()
    assert away(match) == {0}


def test_a_vacation_ends_at_its_date(people, time, match):
    start_vacation(people[0], time.at + 10 * DAY)
    time.forward(10 * DAY - 1)
    sync_vacations()
    assert away(match) == {0}
    time.forward(1)
    sync_vacations()
    assert away(match) == frozenset()
    assert PreferenceRow.objects.get().away_until is None
    assert budgets(people[0])[0].left == 20 * DAY


def test_a_vacation_can_be_ended_or_extended(people, time, match):
    start_vacation(people[0], time.at + DAY)
    start_vacation(people[0], time.at + 5 * DAY)
    time.forward(2 * DAY)
    sync_vacations()
    assert away(match) == {0}
    end_vacation(people[0])
    assert away(match) == frozenset()


def test_a_vacation_ended_in_one_match_is_not_started_again(people, time, match):
    start_vacation(people[0], time.at + 10 * DAY)
    carry_out(match.slug, EndVacation(seat=0, ply=0, key="by-hand-1"))
    sync_vacations()
    assert away(match) == frozenset()


def test_a_vacation_started_in_one_match_does_not_end_with_the_account(slow, people, time):
    match, other = slow(), slow()
    carry_out(match.slug, StartVacation(seat=0, ply=0, key="by-hand-1"))
    start_vacation(people[0], time.at + 10 * DAY)
    end_vacation(people[0])
    assert (away(match), away(other)) == ({0}, frozenset())


def test_a_second_vacation(people, time, match):
    start_vacation(people[0], time.at + DAY)
    end_vacation(people[0])
    time.forward(HOUR)
    start_vacation(people[0], time.at + DAY)
    assert away(match) == {0}


def test_the_task_is_idempotent(people, time, match):
    start_vacation(people[0], time.at + 10 * DAY)
    version = look_up(match.slug).version
    sync_vacations()
    assert look_up(match.slug).version == version


def test_opponents_can_move_during_a_vacation(people, time, match):
    carry_out(match.slug, Play(seat=0, ply=0, key="12345678", move=5))
    start_vacation(people[0], time.at + 10 * DAY)
    carry_out(match.slug, Play(seat=1, ply=1, key="12345679", move=6))
    assert away(match) == {0}


def test_a_day_ends_at_local_midnight():
    assert end_of(date(2026, 3, 5), "UTC") == instant("2026-03-06 00:00")
    assert end_of(date(2026, 3, 29), "Europe/Berlin") == instant("2026-03-29 22:00")


def test_the_page_starts_and_ends_a_vacation(slow, people, client, time):
    client.force_login(people[0])
    match = slow()
    assert client.post("/accounts/away/", {"until": "2026-03-05"}).status_code == 302
    assert away(match) == {0}
    page = client.get("/accounts/away/").content.decode()
    assert "You are on vacation until 6 March 2026, 00:00." in page
    assert "on vacation" in page
    client.post("/accounts/away/", {"back": "1"})
    assert away(match) == frozenset()


@pytest.mark.parametrize("until", ["2000-01-01", "2999-01-01", "soon", ""])
def test_invalid_dates_are_refused(people, client, until):
    client.force_login(people[0])
    page = client.post("/accounts/away/", {"until": until}).content.decode()
    assert "errorlist" in page
    assert not PreferenceRow.objects.exists()


def test_a_match_that_changes_meanwhile_is_tried_again(slow, people, time, monkeypatch, caplog):
    def carry_out_later(slug, command):
        if slug == changed.slug:
            raise MatchError.single("match/outdated", "the match has changed")
        carry_out(slug, command)

    changed, other = slow(), slow()
    with monkeypatch.context() as patched, caplog.at_level("INFO", vacations.logger.name):
        patched.setattr(vacations, "carry_out", carry_out_later)
        start_vacation(people[0], time.at + 10 * DAY)
    assert (away(changed), away(other)) == (frozenset(), {0})
    assert f"vacation command outdated match={changed.slug} command=StartVacation" in caplog.text
    sync_vacations()
    assert away(changed) == {0}


@pytest.mark.parametrize(
    ("day", "is_refused"),
    [("2026-03-02", True), ("2026-03-03", False), ("2027-03-04", False), ("2027-03-05", True)],
)
def test_a_vacation_ends_today_or_within_a_year(people, client, prefer, time, day, is_refused):
    prefer(people[0], zone="Asia/Tokyo")
    time.at = instant("2026-03-02 18:00")  # after midnight in Tokyo
    client.force_login(people[0])
    answer = client.post("/accounts/away/", {"until": day})
    assert answer.status_code == (200 if is_refused else 302)
    row = PreferenceRow.objects.get()
    assert (row.away_until is None) is is_refused


def test_the_page_shows_a_vacation_until_its_end(people, client, prefer, time):
    client.force_login(people[0])
    prefer(people[0], away_since=time.at, away_until=time.at + DAY)
    for is_shown in (True, False):
        page = client.get("/accounts/away/")
        assert (page.context["until"] != "") is is_shown
        assert ("End vacation" in page.content.decode()) is is_shown
        assert page.context["form"].errors == {}
        time.forward(DAY)


def test_the_remaining_vacation_of_each_match_is_shown_the_least_first(slow, people, client, time):
    live, one, other = slow("10m+5s"), slow(), slow()
    time.forward(HOUR)
    carry_out(other.slug, StartVacation(seat=0, ply=0, key="by-hand-1"))
    time.forward(2 * DAY)
    found = budgets(people[0])
    assert [(budget.row, budget.left, budget.is_away) for budget in found] == [
        (other, 28 * DAY, True),
        (one, 30 * DAY, False),
    ]
    client.force_login(people[0])
    page = client.get("/accounts/away/").content.decode()
    assert page.count("on vacation</span>") == 1
    assert re.findall(r"</a>:\s+(\d+)\sd", page) == ["28", "30"]
    assert live.slug not in page


def test_a_player_on_both_sides_has_one_budget_and_both_clocks_stop(people, time, match):
    match.seats.update(user=people[0])
    start_vacation(people[0], time.at + DAY)
    assert away(match) == {0, 1}
    assert len(budgets(people[0])) == 1
    end_vacation(people[0])
    assert away(match) == frozenset()


def test_a_match_without_vacation_left_goes_on(people, time, match):
    carry_out(match.slug, StartVacation(seat=0, ply=0, key="by-hand-1"))
    time.forward(31 * DAY)
    carry_out(match.slug, EndVacation(seat=0, ply=0, key="by-hand-2"))
    version = look_up(match.slug).version
    start_vacation(people[0], time.at + DAY)
    assert away(match) == frozenset()
    assert look_up(match.slug).version == version
    assert [one.left for one in budgets(people[0])] == [0]
