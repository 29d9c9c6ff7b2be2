"""Rules of new events: the times that they may have, and what a refusal says."""

import pytest

from antipodes.clocks import read_control
from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.tournaments import RoundRobin, Swiss
from antipodes.web.tournaments.models import Repeat
from antipodes.web.tournaments.plans import BOUTS, LATEST, LONGEST_TITLE, PLAYERS, Plan

NOW = 1_000_000


def faults_of(**wanted):
    """Return code, field and text of each fault of a plan."""
    rules = {"title": "Cup", "format": Swiss(), "game": make_game("hex", {"size": 3})}
    plan = Plan(**{**rules, "control": read_control("5m+5s"), **wanted})
    try:
        plan.check(NOW)
    except InputError as error:
        return [(one.code, one.where, one.message) for one in error.faults]
    return []


def of_time(where, message):
    """Return the only fault of a plan whose times do not fit."""
    return [("tournament/time", where, message)]


@pytest.mark.parametrize("start", [NOW + 1, NOW + LATEST, None])
def test_an_event_starts_within_a_year_or_by_its_host(start):
    assert faults_of(starts_at=start) == []


@pytest.mark.parametrize("start", [0, NOW, NOW + LATEST + 1])
def test_a_start_in_the_past_or_after_a_year_is_refused(start):
    message = "The start must be in the future, and within a year."
    assert faults_of(starts_at=start) == of_time("starts_at", message)


def test_registration_opens_before_the_start():
    start = NOW + 100
    assert faults_of(opens_at=start - 1, starts_at=start) == []
    assert faults_of(opens_at=start) == []
    message = "Registration must open before the start."
    for opens in (start, start + 1):
        assert faults_of(opens_at=opens, starts_at=start) == of_time("opens_at", message)


def test_a_check_in_takes_at_most_two_hours_and_needs_a_start():
    for minutes in (0, 1, 120):
        assert faults_of(check_in=minutes, starts_at=NOW + 1) == []
    for minutes in (-1, 121):
        message = f"Check-in of {minutes} minutes: it takes 0 to 120 minutes."
        assert faults_of(check_in=minutes, starts_at=NOW + 1) == of_time("check_in", message)
    message = "Only a tournament with a time of its start can have a check-in."
    assert faults_of(check_in=1) == of_time("check_in", message)


@pytest.mark.parametrize("repeats", [Repeat.WEEKLY, Repeat.MONTHLY])
def test_only_an_event_with_a_start_is_repeated(repeats):
    assert faults_of(repeats=repeats, starts_at=NOW + 1) == []
    message = "Only a tournament with a time of its start can be repeated."
    assert faults_of(repeats=repeats) == of_time("repeats", message)
    assert faults_of(repeats=Repeat.NEVER) == []


def test_an_event_has_at_least_two_players_and_a_limit():
    for count in (2, PLAYERS.value):
        assert faults_of(most_players=count) == []
    for count in (1, PLAYERS.value + 1):
        message = f"{count} players: a tournament takes 2 to {PLAYERS.value}."
        assert faults_of(most_players=count) == [("tournament/size", "most_players", message)]
    meeting = BOUTS.value
    assert faults_of(format=RoundRobin(), most_players=meeting) == []
    message = f"{meeting + 1} players would all meet each other; the most are {meeting}."
    refused = faults_of(format=RoundRobin(), most_players=meeting + 1)
    assert refused == [("tournament/size", "most_players", message)]


def test_the_lowest_rating_is_not_above_the_highest():
    for bounds in ((1_500, 1_500), (1_500, None), (None, 1_500)):
        assert faults_of(lowest=bounds[0], highest=bounds[1]) == []
    message = "No rating is from 1501 to 1500."
    refused = faults_of(lowest=1_501, highest=1_500)
    assert refused == [("tournament/rating", "lowest", message)]


def test_a_title_is_counted_without_superfluous_spaces():
    assert faults_of(title=f"  {'x' * (LONGEST_TITLE - 2)}   y ") == []
    for title, count in (("   ", 0), ("x" * (LONGEST_TITLE + 1), LONGEST_TITLE + 1)):
        message = f"The title has {count} characters; it must have 1 to {LONGEST_TITLE}."
        assert faults_of(title=title) == [("tournament/title", "title", message)]
