"""Tests of tournaments during which the server is killed several times.

Each pairing is made once and each game begun once, and the log tells the same as the tables.
"""

import os
import random
import time
from typing import Any

import pytest

from tests.live import database, tournaments
from tests.live.site import Site

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="needs kill -9")]

KILLS = 4
ENDING = 300.0  # seconds until the tournament is over

MAKE = """
from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.web.accounts.models import User
from antipodes.web.tournaments import directing
from antipodes.web.tournaments.plans import Plan
from antipodes.web.tournaments.services import create_tournament

host = User.objects.create(username="host")
game = make_game("hex", {"size": 3, "swap": "off"})
clock = read_control("5m+5s")
plan = Plan(title="Cup", format=RoundRobin(), game=game, control=clock)
row = create_tournament(host, plan)
for level in "1234":
    directing.add_computer(row.pk, host, level)
directing.start(row.pk, host)
report(row.pk)
"""
LOOK = f"{tournaments.LOOK}\nreport(found)"
OF_PLAYERS = {
    "ladder": {},
    "team-match": {"cycles": 2},
    "tables": {"rounds": 2},
    "rolling-swiss": {"games_each": 2},
    "knockout": {},
    "swiss": {"rounds": 2},
}


@pytest.fixture
def site(tmp_path):
    """A site that is not started."""
    site = Site(tmp_path / "data", tmp_path / "log")
    database.copy_to(site.folder)
    yield site
    site.kill()


def play_on(site, play=lambda: None):
    """Kill the server several times, then let it run until all tournaments are over."""
    rng = random.Random(7)
    for _ in range(KILLS):
        site.start()
        play()
        time.sleep(rng.uniform(0.2, 4))
        site.kill()
    site.start()
    found: list[dict[str, Any]] = []
    end = time.monotonic() + ENDING
    while time.monotonic() < end:
        play()
        found = site.ask(LOOK)
        if all(one["state"] == "finished" for one in found):
            break
        time.sleep(2)
    assert {one["state"] for one in found} == {"finished"}, site.log_text()
    for one in found:
        tournaments.check(one)
    return found


def test_a_tournament_goes_on_after_kills(site):
    site.ask(MAKE)
    [found] = play_on(site)
    assert len(found["pairings"]) == len(found["games"]) == 6


def test_ladders_team_matches_and_other_formats_go_on_after_kills(site):
    site.ask(f"FORMATS = {OF_PLAYERS!r}\n{tournaments.MAKE}\nreport(0)")
    play = f"CHALLENGES = {tournaments.CHALLENGES}\n{tournaments.PLAY}\nreport(play_once())"
    found = play_on(site, lambda: site.ask(play))
    assert {one["format"] for one in found} == set(OF_PLAYERS)
    assert all(one["games"] for one in found)
