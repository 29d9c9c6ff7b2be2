"""Test of a tournament of the computer's levels during which the server is killed several times.

Each pairing is made once and each game begun once, and the log tells the same as the tables.
"""

import os
import random
import time

import pytest

from antipodes.web.tournaments.log import replay
from tests.live import database
from tests.live.site import Site

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="needs kill -9")]

KILLS = 4
ENDING = 300.0  # seconds until the tournament is over

MAKE = """
from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.tournaments import RoundRobin
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
LOOK = """
from antipodes.web.tournaments.models import GameRow, TournamentRow

row = TournamentRow.objects.get()
games = GameRow.objects.select_related("pairing", "match")
report({
    "state": row.state,
    "version": row.version,
    "log": [one.data for one in row.log.all()],
    "pairings": [
        [one.round, one.table, one.first.number, one.second and one.second.number,
         one.first_points, one.second_points]
        for one in row.pairings.select_related("first", "second")
    ],
    "games": [
        [one.pairing.round, one.pairing.table, one.number, one.match.slug] for one in games
    ],
})
"""


@pytest.fixture
def site(tmp_path):
    """A site with a tournament that has begun; the server is not started."""
    site = Site(tmp_path / "data", tmp_path / "log")
    database.copy_to(site.folder)
    site.ask(MAKE)
    yield site
    site.kill()


def test_a_tournament_goes_on_after_kills(site):
    rng = random.Random(7)
    for _ in range(KILLS):
        site.start()
        time.sleep(rng.uniform(0.2, 4))
        site.kill()
    site.start()
    end = time.monotonic() + ENDING
    while (found := site.ask(LOOK))["state"] != "finished" and time.monotonic() < end:
        time.sleep(2)
    assert found["state"] == "finished", site.log_text()
    told = replay(found["log"])
    assert len(found["log"]) == found["version"]
    assert told.players == {(one[0], one[1]): (one[2], one[3]) for one in found["pairings"]}
    assert told.pairings == {(one[0], one[1]): (one[4], one[5]) for one in found["pairings"]}
    assert told.games == {tuple(one[:3]): one[3] for one in found["games"]}
    assert len(found["pairings"]) == len(found["games"]) == 6
