"""Databases of earlier versions become those of this one, and nothing in them is lost."""

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from django.apps import apps

from tests.live import database
from tests.live.site import Site
from tests.upgrades.versions import VERSIONS, store

pytestmark = pytest.mark.slow

# The addresses of all versions, as players have stored and shared them; those with {} have the slug
# of a row.
READ = """
from django.test import Client
from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform import schema_version
from antipodes.web.ratings import services
from antipodes.web.ratings.models import RatingRow
from antipodes.web.simuls.models import SimulRow
from antipodes.web.studies.models import StudyRow
from antipodes.web.tournaments.models import TournamentRow

def ratings():
    return sorted(RatingRow.objects.values_list("user", "pool", "value", "deviation", "games"))

client, ann = Client(SERVER_NAME="127.0.0.1"), User.objects.get(username="ann")
client.force_login(ann)
paths = [
    "/", "/lobby/", "/games/", "/games/?player=ann", "/statistics/", "/knowledge/", "/data/",
    "/data/SHA256SUMS", "/people/ann/", "/people/ann/against/bob/", "/following/", "/blocked/",
    "/accounts/", "/accounts/data.json", "/accounts/tokens/", "/notices/", "/clubs/", "/tv/",
    "/learn/", "/learn/hex-rules/", "/rules/", "/rules/hex/", "/puzzles/",
    "/puzzles/daily/atom.xml", "/puzzles/history/", "/puzzles/mistakes/", "/studies/", "/simuls/",
    "/tournaments/", "/tournaments/atom.xml", "/tournaments/calendar.ics", "/analysis/hex/",
    "/api/", "/api/v1/games/hex",
]
of_rows = [
    (ClubRow, "/clubs/{}/"), (MatchRow, "/m/{}/"), (MatchRow, "/m/{}/embed/"),
    (MatchRow, "/m/{}/record.json"), (MatchRow, "/m/{}/record.sgf"), (MatchRow, "/m/{}/board.svg"),
    (SimulRow, "/simul/{}/"), (StudyRow, "/study/{}/"), (StudyRow, "/study/{}/1/embed/"),
    (StudyRow, "/study/{}/study.sgf"), (TournamentRow, "/tournament/{}/"),
    (TournamentRow, "/tournament/{}/embed/"), (TournamentRow, "/tournament/{}/tournament.json"),
]
for model, address in of_rows:
    paths += [address.format(row.slug) for row in model.objects.all()]
answers = {path: client.get(path, follow=True).status_code for path in paths}
before = ratings()
services.recalculate()
report({
    "other than 200": {path: status for path, status in answers.items() if status != 200},
    "difference": schema_version.difference(),
    "ratings": len(before),
    "same ratings": ratings() == before,
})
"""


def rows_of(path):
    """Return how many rows each table has."""
    with closing(sqlite3.connect(path)) as stored:
        names = stored.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            name: stored.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
            for (name,) in names
        }


@pytest.mark.parametrize("version", VERSIONS, ids=lambda path: path.stem)
def test_a_stored_database_is_upgraded_without_loss_and_can_be_read(version, tmp_path):
    path = tmp_path / database.NAME
    store(version, path)
    before = rows_of(path)
    site = Site(tmp_path, tmp_path / "log")
    command = [sys.executable, "-m", "antipodes", "migrate"]
    subprocess.run(command, env=site.environment, check=True, timeout=120)
    after = rows_of(path)
    lost = {name: count for name, count in before.items() if after.get(name, count) < count}
    assert lost == {}
    told = site.ask(READ)
    assert told == {
        "other than 200": {},
        "difference": "",
        "ratings": told["ratings"],
        "same ratings": True,
    }
    assert told["ratings"] > 4


def test_the_latest_stored_database_has_a_row_in_each_table(tmp_path):
    path = tmp_path / database.NAME
    store(VERSIONS[-1], path)
    counts = rows_of(path)
    tables = {
        model._meta.db_table
        for model in apps.get_models(include_auto_created=True)
        if model.__module__.startswith("antipodes.")
    }
    assert {table for table in tables & counts.keys() if not counts[table]} == set()
