"""Open data: contents, reproducible files, changed names and downloads."""

import gzip
import hashlib
import json
import threading
from typing import Any

import pytest
from django.db import OperationalError
from django.test import AsyncClient

from antipodes.clocks import MINUTE
from antipodes.records import from_json
from antipodes.web.accounts.models import BOT, User
from antipodes.web.accounts.services import transfer_guest
from antipodes.web.archive import open_data, open_data_views, services
from antipodes.web.archive.models import BucketRow, GameRow, MonthRow, NameRow, PlayerRow
from antipodes.web.archive.selectors import open_name, record_line
from antipodes.web.archive.services import bounds, month_of
from antipodes.web.matches.models import MatchRow
from tests.raising import raising
from tests.web.archive.conftest import abort, resign

pytestmark = pytest.mark.django_db

OCTOBER, NOVEMBER = 1_696_500_000_000, 1_700_000_000_000  # in 2023


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(open_data, "data_folder", lambda: tmp_path)
    return tmp_path / "open-data"


@pytest.fixture
def finish_at(finish):
    """Return a function that plays a match with a given end."""

    def make(at, **terms):
        row = finish(**{"size": 3, "by": resign, "moves": ("a1", "b1"), **terms})
        MatchRow.objects.filter(pk=row.pk).update(ended_at=at)
        GameRow.objects.filter(pk=row.pk).update(ended_at=at)
        PlayerRow.objects.filter(game=row.pk).update(ended_at=at)
        if not terms.get("is_private"):
            services.mark_month(at)
        return row

    return make


def lines_of(client, month):
    answer = client.get(f"/data/antipodes-{month}.jsonl.gz", headers={"accept-encoding": "gzip"})
    assert answer.status_code == 200
    assert "Content-Encoding" not in answer.headers
    data = b"".join(answer.streaming_content)
    assert len(data) == int(answer.headers["Content-Length"])
    row = MonthRow.objects.get(month=month)
    assert hashlib.sha256(data).hexdigest() == row.sha256
    return gzip.decompress(data).decode().splitlines()


def names_in(client, month):
    return [tuple(json.loads(line)["players"]) for line in lines_of(client, month)]


def test_every_public_game_is_in_the_file_of_its_month(finish_at, client):
    november = [finish_at(NOVEMBER + hour * 3_600_000, seed=hour) for hour in range(3)]
    earlier = finish_at(OCTOBER)
    finish_at(NOVEMBER, is_private=True)
    finish_at(NOVEMBER, by=abort, moves=())
    assert set(open_data.update_files()) >= {"2023-10", "2023-11"}
    for month, rows in (("2023-11", november), ("2023-10", [earlier])):
        lines = lines_of(client, month)
        assert len(lines) == len(rows)
        for line, row in zip(lines, rows, strict=True):
            record = from_json(line)
            match = MatchRow.objects.get(pk=row.pk).match()
            assert record.moves() == [move.move for move in match.moves]
            assert record.result == match.result
            assert record.players == ("ann", "bob")
            assert json.loads(line)["extra"]["antipodes-site"]["match"] == row.slug


def test_unchanged_months_are_not_written_again(finish_at):
    finish_at(OCTOBER)
    finish_at(NOVEMBER)
    open_data.update_files()
    MonthRow.objects.exclude(month__startswith="2023").update(is_stale=False)
    assert open_data.update_files() == []
    finish_at(NOVEMBER)
    MonthRow.objects.exclude(month__startswith="2023").update(is_stale=False)
    assert open_data.update_files() == ["2023-11"]


def test_an_update_during_an_outage_is_logged_without_a_traceback(monkeypatch, caplog):
    monkeypatch.setattr(
        open_data, "update_files", raising(OperationalError("database or disk is full"))
    )
    open_data.update_stale_files()
    for thread in threading.enumerate():
        if thread.name == "update_stale_files":
            thread.join(10)
    assert "task skipped: outage task=update_stale_files" in caplog.text
    assert "Traceback" not in caplog.text


def test_a_month_without_games_any_more_has_no_file(finish_at, client, folder):
    finish_at(NOVEMBER)
    open_data.update_files()
    GameRow.objects.all().delete()
    for file in folder.iterdir():
        file.unlink()
    for _ in range(2):
        assert client.get("/data/antipodes-2023-11.jsonl.gz").status_code == 404
        assert list(folder.iterdir()) == []


def test_another_machine_writes_the_same_file(finish_at, client, folder):
    for number in range(5):
        finish_at(NOVEMBER + number)
    open_data.update_files()
    before = MonthRow.objects.get(month="2023-11")
    lines = lines_of(client, "2023-11")
    for file in folder.iterdir():
        file.unlink()
    assert lines_of(client, "2023-11") == lines
    assert MonthRow.objects.get(month="2023-11").made_at == before.made_at


def test_games_are_read_in_batches(finish_at, client, monkeypatch):
    monkeypatch.setattr(open_data, "_BATCH", 2)
    for number in range(5):
        finish_at(NOVEMBER + number // 2)
    open_data.update_files()
    assert len(set(lines_of(client, "2023-11"))) == 5


def test_a_game_archived_late_is_added_to_the_file(finish_at, client, folder):
    finish_at(NOVEMBER + 5)
    open_data.update_files()
    finish_at(NOVEMBER)
    for file in folder.iterdir():
        file.unlink()
    assert len(lines_of(client, "2023-11")) == 2
    open_data.update_files()
    assert len(lines_of(client, "2023-11")) == 2


def test_recent_games_are_added_after_a_delay(finish, finish_at, monkeypatch):
    finish(size=3, by=resign, moves=("a1", "b1"))
    assert open_data.update_files() == []
    row = MonthRow.objects.get()
    assert row.is_stale
    monkeypatch.setattr(open_data, "_DELAY", -1_000)
    assert open_data.update_files() == [row.month]
    assert MonthRow.objects.get().games == 1


def test_a_new_name_replaces_the_old_one_in_the_files(finish_at, people, client):
    finish_at(NOVEMBER)
    finish_at(OCTOBER, users=people[2:4])
    open_data.update_files()
    MonthRow.objects.exclude(month__startswith="2023").update(is_stale=False)
    people[0].username = "anna"
    people[0].save()
    assert names_in(client, "2023-11") == [("ann", "bob")]
    assert open_data.update_files() == ["2023-11"]
    assert names_in(client, "2023-11") == [("anna", "bob")]


def test_a_deleted_account_is_anonymous_in_the_files(finish_at, people, client):
    finish_at(NOVEMBER)
    open_data.update_files()
    User.objects.filter(pk=people[0].pk).update(username="deleted-1", is_active=False)
    open_data.update_files()
    assert names_in(client, "2023-11") == [("deleted", "bob")]


def test_games_of_a_guest_get_the_name_of_the_account(finish_at, people, client):
    guest = User.objects.create(username="Guest 77", is_guest=True)
    finish_at(NOVEMBER, users=[guest, people[1]])
    open_data.update_files()
    assert names_in(client, "2023-11") == [("Guest 77", "bob")]
    transfer_guest(guest, people[2])
    open_data.update_files()
    assert names_in(client, "2023-11") == [("cy", "bob")]
    assert not NameRow.objects.filter(name="Guest 77").exists()


def test_the_manifest_describes_the_files(finish_at, client):
    finish_at(NOVEMBER)
    open_data.update_files()
    data = client.get("/data/manifest.json").json()
    assert data["licence"] == "CC0-1.0"
    (one,) = data["files"]
    assert one["games"] == 1
    assert one["is_over"]
    answer = client.get(one["url"])
    content = b"".join(answer.streaming_content)
    assert (len(content), hashlib.sha256(content).hexdigest()) == (one["bytes"], one["sha256"])
    checksums = client.get("/data/SHA256SUMS").content.decode()
    assert checksums == f"{one['sha256']}  {one['name']}\n"
    page = client.get("/data/").content.decode()
    assert one["sha256"] in page
    assert "CC0" in page


def test_a_matching_etag_answers_304(finish_at, client):
    finish_at(NOVEMBER)
    open_data.update_files()
    address = "/data/antipodes-2023-11.jsonl.gz"
    tag = client.head(address).headers["ETag"]
    answer = client.get(address, headers={"if-none-match": tag})
    assert answer.status_code == 304


def test_months_without_games_have_no_file(client):
    assert client.get("/data/antipodes-1999-01.jsonl.gz").status_code == 404
    assert "No files yet" in client.get("/data/").content.decode()
    assert client.get("/data/manifest.json").json()["files"] == []


@pytest.mark.parametrize("month", ["1970-01", "2023-11", "2024-02", "2025-12"])
def test_each_month_ends_where_the_next_begins(month):
    begin, end = bounds(month)
    assert month_of(begin) == month_of(end - 1) == month
    assert month_of(begin - 1) != month != month_of(end)
    assert bounds(month_of(end))[0] == end


@pytest.mark.django_db(transaction=True)
async def test_asgi_servers_stream_records(tmp_path):
    from asgiref.sync import sync_to_async

    def prepare():
        users = [User.objects.create(username=name) for name in ("eve", "fay")]
        from antipodes.games.registry import make_game
        from antipodes.match import Terms
        from antipodes.web.matches.services import begin_match

        terms = Terms(game=make_game("hex", {"size": 3}), players=tuple(str(u.pk) for u in users))
        row = begin_match(terms, users)
        from tests.web.archive.conftest import play

        play(row, "a1", "b1")
        resign(row)
        services.archive_recent()

    await sync_to_async(prepare)()
    answer: Any = await AsyncClient().get("/games/found.jsonl")
    content = b"".join([part async for part in answer.streaming_content])
    assert from_json(content.decode()).players == ("eve", "fay")


def test_the_latest_month_comes_first_in_the_whole_manifest(finish_at, client, monkeypatch):
    monkeypatch.setattr(open_data_views, "now", lambda: NOVEMBER)
    for at in (OCTOBER, NOVEMBER, NOVEMBER):
        finish_at(at)
    open_data.update_files()
    MonthRow.objects.create(month="2023-09", sha256="none", is_stale=False)
    rows = {row.month: row for row in MonthRow.objects.filter(month__startswith="2023")}
    MonthRow.objects.filter(month="2023-10").update(made_at=0)
    MonthRow.objects.filter(month="2023-11").update(made_at=NOVEMBER + 999)
    expected = [("2023-11", 2, False, "2023-11-14T22:13:20Z"), ("2023-10", 1, True, None)]
    assert client.get("/data/manifest.json").json()["files"] == [
        {
            "month": month,
            "name": f"antipodes-{month}.jsonl.gz",
            "url": f"http://testserver/data/antipodes-{month}.jsonl.gz",
            "games": games,
            "bytes": rows[month].size,
            "sha256": rows[month].sha256,
            "made_at": made_at,
            "is_over": is_over,
        }
        for month, games, is_over, made_at in expected
    ]
    assert client.get("/data/").context["games"] == 3


def test_a_file_names_neither_its_time_nor_its_name(finish_at, folder):
    finish_at(NOVEMBER)
    open_data.update_files()
    [file] = folder.iterdir()
    assert file.read_bytes()[3:8] == bytes(5)  # no flags, no time


def test_a_line_of_a_file_has_the_record_and_the_data_of_the_site(finish_at, people, client):
    people[0].username = "Zoë"
    people[0].save()
    row = finish_at(NOVEMBER, rated=True, control="5m+5s")
    open_data.update_files()
    [line] = lines_of(client, "2023-11")
    assert '"players":["Zoë","bob"]' in line
    assert json.loads(line)["extra"] == {
        "antipodes-site": {
            "match": row.slug, "rated": True, "speed": "blitz", "ended": "2023-11-14T22:13:20Z"
        }
    }  # fmt: skip


def test_games_from_a_position_are_in_no_file(finish_at):
    finish_at(NOVEMBER)
    BucketRow.objects.update(from_position=True)
    MonthRow.objects.exclude(month="2023-11").delete()
    assert open_data.update_files() == []


@pytest.mark.parametrize(("age", "games"), [(MINUTE, 0), (MINUTE + 1, 1)])
def test_a_game_is_included_a_minute_after_its_end(finish_at, monkeypatch, age, games):
    begin = bounds("2023-11")[0]
    finish_at(begin)
    monkeypatch.setattr(open_data, "now", lambda: begin + age)
    open_data.write_month(MonthRow.objects.get(month="2023-11"))
    row = MonthRow.objects.get(month="2023-11")
    assert (row.games, row.is_stale, row.made_at) == (games, not games, begin + age)
    assert (row.last_ended, row.last_match != 0) == (begin if games else 0, bool(games))


def test_an_old_file_is_replaced(finish_at, folder):
    for count in (1, 2):
        finish_at(NOVEMBER)
        MonthRow.objects.exclude(month="2023-11").delete()
        assert open_data.update_files() == ["2023-11"]
        [file] = folder.iterdir()
        assert len(gzip.decompress(file.read_bytes()).splitlines()) == count


def test_only_months_with_a_row_are_marked(finish_at, people):
    finish_at(NOVEMBER)
    finish_at(OCTOBER)
    MonthRow.objects.exclude(month="2023-11").delete()
    MonthRow.objects.update(is_stale=False)
    open_data.mark_months_of(people[2].pk)
    assert not MonthRow.objects.filter(is_stale=True).exists()
    open_data.mark_months_of(people[0].pk)
    assert [row.month for row in MonthRow.objects.filter(is_stale=True)] == ["2023-11"]


def test_another_etag_gets_the_file(finish_at, client):
    finish_at(NOVEMBER)
    open_data.update_files()
    answer = client.get("/data/antipodes-2023-11.jsonl.gz", headers={"if-none-match": '"other"'})
    assert answer.status_code == 200
    assert (
        answer.headers["Content-Disposition"] == 'attachment; filename="antipodes-2023-11.jsonl.gz"'
    )
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    ("user", "name"),
    [
        ({"username": "ann"}, "ann"),
        ({"username": "Deleted-7"}, "deleted"),
        ({"username": "robo", "first_name": BOT}, "robo (bot)"),
        ({"username": "level", "computer": "1", "first_name": "level 1"}, "computer, level 1"),
    ],
)
def test_names_in_open_data_depend_on_no_language(user, name):
    assert open_name(User(**user)) == name


def test_a_record_gets_the_names_and_the_data_of_the_site_as_they_are_written():
    assert record_line('{"moves":[]}', ["Zoë"], {"match": "é"}) == (
        '{"moves":[],"players":["Zoë"],"extra":{"antipodes-site":{"match":"é"}}}\n'
    )
