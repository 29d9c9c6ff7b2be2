"""Open data of puzzles."""

import gzip
import hashlib
import json

import pytest

from antipodes.puzzles.model import read_puzzle
from antipodes.web.platform.clock import now
from antipodes.web.puzzles import catalogue, open_data, services
from antipodes.web.puzzles.models import PuzzleFileRow, PuzzleRow
from antipodes.web.puzzles.services import Outcome, record

pytestmark = pytest.mark.django_db

NAME = "antipodes-puzzles.jsonl.gz"


@pytest.fixture(autouse=True)
def _few_puzzles(monkeypatch):
    """Offer few puzzles, because the file has all."""
    found = catalogue.offered()[::80]
    retired = catalogue.retired_ids
    monkeypatch.setattr(
        catalogue, "offered", lambda: [one for one in found if one.id not in retired()]
    )


def records(client):
    text = gzip.decompress(client.get("/data/puzzles.jsonl.gz").content).decode()
    return [json.loads(line) for line in text.splitlines()]


def test_each_puzzle_is_a_line_with_its_rating(client, ann):
    puzzle = catalogue.offered()[0]
    record(ann, puzzle, Outcome.SOLVED)
    open_data.write_file()
    lines = {line["id"]: line for line in records(client)}
    assert lines.keys() == {one.id for one in catalogue.offered()}
    line = lines[puzzle.id]
    assert (line["tries"], line["solved"]) == (1, 1)
    assert line["rating"] < round(catalogue.initial_rating(puzzle).value)
    assert read_puzzle(json.dumps(line)) == puzzle
    assert "ann" not in json.dumps(line)


def test_retired_puzzles_are_left_out(client):
    row = catalogue.row_of(catalogue.offered()[0])
    PuzzleRow.objects.filter(pk=row.pk).update(retired_at=1)
    open_data.write_file()
    assert row.puzzle_id not in {line["id"] for line in records(client)}


def test_the_file_is_listed_with_its_checksum(client):
    assert client.get("/data/puzzles.jsonl.gz").status_code == 404
    assert client.get("/data/manifest.json").json()["others"] == []
    open_data.write_file()
    answer = client.get("/data/puzzles.jsonl.gz", headers={"accept-encoding": "gzip"})
    digest = hashlib.sha256(answer.content).hexdigest()
    [other] = client.get("/data/manifest.json").json()["others"]
    assert (other["sha256"], other["name"]) == (digest, NAME)
    assert other["url"] == "http://testserver/data/puzzles.jsonl.gz"
    assert f"{digest}  {NAME}\n" in client.get("/data/SHA256SUMS").content.decode()
    assert "Puzzles with their solutions" in client.get("/data/").content.decode()
    known = client.get("/data/puzzles.jsonl.gz", headers={"if-none-match": answer["ETag"]})
    assert known.status_code == 304


def test_a_line_has_what_tries_and_votes_say(ann, bob, monkeypatch):
    first, second = sorted(catalogue.offered(), key=lambda one: one.id)[:2]
    monkeypatch.setattr(catalogue, "offered", lambda: [first, second])
    for user, outcome in ((ann, Outcome.SOLVED), (bob, Outcome.FAILED)):
        record(user, first, outcome)
        services.vote(user, first, is_up=user == ann)
    row = catalogue.row_of(first)
    found = {one["id"]: one for one in map(json.loads, open_data.lines())}
    assert found[first.id] == {
        **json.loads(json.dumps(first.as_dict())),
        "rating": round(row.value),
        "deviation": round(row.deviation),
        "tries": 2,
        "solved": 1,
        "votes": {"up": 1, "down": 1},
    }
    start = catalogue.initial_rating(second)
    results = {name: found[second.id][name] for name in ("rating", "deviation", "tries", "solved")}
    assert results == {"rating": start.value, "deviation": 150, "tries": 0, "solved": 0}
    assert found[second.id]["votes"] == {"up": 0, "down": 0}


def test_lines_are_ordered_by_game_and_id():
    found = [json.loads(line) for line in open_data.lines()]
    assert len({one["game"] for one in found}) > 1
    assert found == sorted(found, key=lambda one: (one["game"], one["id"]))
    assert all(" " not in line.partition('"source"')[0] for line in open_data.lines())


def test_the_file_is_written_again_after_exactly_a_day(clocks):
    open_data.update_file()
    first = PuzzleFileRow.objects.get()
    clocks.advance(first.made_at + 86_400_000 - 1 - now())
    open_data.update_file()
    assert PuzzleFileRow.objects.get().made_at == first.made_at
    clocks.advance(1)
    open_data.update_file()
    second = PuzzleFileRow.objects.get()
    assert second.made_at == first.made_at + 86_400_000
    assert second.sha256 == first.sha256  # the same ratings are the same bytes


def test_the_file_is_described_and_served_to_other_sites(client):
    row = open_data.write_file()
    [found] = open_data.data_files()
    assert (found.name, found.path, found.format) == (
        NAME,
        "/data/puzzles.jsonl.gz",
        "antipodes-puzzle, one per line, gzip",
    )
    assert (found.lines, found.size) == (len(catalogue.offered()), len(row.data))
    assert (found.sha256, found.made_at) == (row.sha256, row.made_at)
    answer = client.get("/data/puzzles.jsonl.gz")
    assert {
        "Content-Type": "application/gzip",
        "Content-Disposition": f'attachment; filename="{NAME}"',
        "ETag": f'"{row.sha256}"',
        "Cache-Control": "public, no-cache",
        "Access-Control-Allow-Origin": "*",
    }.items() <= answer.headers.items()
