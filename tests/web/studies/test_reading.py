"""Reading studies: its cost in memory and time is bounded, and a chapter is written once."""

import gc
import gzip
import tracemalloc

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from antipodes.core.array_cache import ArrayCache
from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.records import Record, tree
from antipodes.web.platform import limits
from antipodes.web.studies import chapters, reading_costs, services
from antipodes.web.studies.chapters import Piece, opened, piece
from tests.web.studies.conftest import edit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    """Forget the chapters in memory, and what was written of them."""
    monkeypatch.setattr(chapters, "_chapters", chapters._Chapters())
    monkeypatch.setattr(chapters, "_pieces", ArrayCache(16 * 1024 * 1024))


def deep_record(moves=200):
    """Return a record of which each node is 15 or 16 moves from the start of a large board."""
    record = Record(make_game("hex", {"size": 26, "swap": "off"}))
    node = record.root
    for cell in range(15):
        node = node.add(cell)
    for cell in range(15, 15 + moves):
        node.add(cell)
    return record


@pytest.fixture
def large(make_study, people):
    """Return a study of several chapters with many moves each."""
    study = make_study("public")
    for _ in range(5):
        services.add_chapter(study, people[0], "", deep_record())
    return study


@pytest.fixture
def reads(monkeypatch):
    """Return the list of the chapters that are read from the database from now on."""
    found: list[int] = []
    read = chapters._read

    def noted(row, charge):
        chapter = read(row, charge)
        found.append(row.number)
        return chapter

    monkeypatch.setattr(chapters, "_read", noted)
    return found


@pytest.mark.django_db(transaction=True)
def test_a_chapter_is_read_before_the_database_is_locked(study, people, monkeypatch):
    read, locked = chapters._read, []

    def noted(row, charge):
        locked.append(connection.in_atomic_block)
        return read(row, charge)

    monkeypatch.setattr(chapters, "_read", noted)
    edit(study, people[0], "add", move=5)
    monkeypatch.setattr(chapters, "_chapters", chapters._Chapters())
    services.remove_comment(study.chapters.get(), [], "a key")
    assert locked == [False, False]


def test_a_refused_edit_leaves_the_chapter_in_memory(large, people, reads):
    for _ in range(3):
        with pytest.raises(InputError, match="another writer has removed"):
            edit(large, people[0], "mark", [99], number=2, mark="good")
    assert reads == [2]


@pytest.mark.parametrize("is_anonymous", [False, True])
def test_an_edit_by_a_user_who_may_not_write_reads_nothing(large, people, reads, is_anonymous):
    user = None if is_anonymous else people[1]
    queries = CaptureQueriesContext(connection)
    with queries, pytest.raises(InputError, match="may not"):
        edit(large, user, "add", number=2, move=5)
    texts = [one["sql"] for one in queries]
    assert not [text for text in texts if text.startswith(("BEGIN", "SAVEPOINT"))]
    assert bool(texts) is not is_anonymous
    assert reads == []


def test_large_chapters_read_for_an_edit_count_as_several(large, people, monkeypatch):
    services.add_chapter(large, people[0], "", deep_record(400))
    limits.reset(services.EDITS, str(people[0].pk))
    monkeypatch.setenv(services.EDITS.setting, "7/minute")
    edit(large, people[0], "comment", number=7, text="one", before="")  # 1, and 4 to read it
    edit(large, people[0], "comment", number=7, text="two", before="one")
    with pytest.raises(InputError, match="too often"):
        edit(large, people[0], "comment", number=2, text="one", before="")  # 1, and 2 to read it


FILES = ("study.sgf", "print/", "1/tree.json", "2/chapter.sgf", "2/chapter.json", "2/embed/")


def test_reading_deep_chapters_keeps_little_memory(large, client, monkeypatch):
    monkeypatch.setattr(tree, "_latest", ArrayCache(200_000))
    monkeypatch.setattr(chapters, "_KEPT", 300_000)
    monkeypatch.setattr(chapters, "_pieces", ArrayCache(100_000))
    for path in FILES:  # templates and games are loaded once
        assert client.get(f"/study/{large.slug}/{path}").status_code == 200
    tracemalloc.start()
    for path in FILES * 2:
        assert client.get(f"/study/{large.slug}/{path}").status_code == 200
    gc.collect()
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 1_500_000  # the positions of the five chapters are 17 MB
    assert peak < 4_000_000
    assert chapters._chapters._nbytes <= 300_000
    assert chapters._pieces.nbytes <= 100_000


def test_chapters_that_leave_the_memory_need_no_garbage_collection(large, monkeypatch):
    monkeypatch.setattr(tree, "_latest", ArrayCache(200_000))
    monkeypatch.setattr(chapters, "_KEPT", 300_000)
    rows = list(large.chapters.all())

    def read_all():
        for row in rows:
            with opened(row) as chapter, opened(row) as again:  # both are read, one is put back
                assert chapter.size == again.size

    read_all()
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        for _ in range(5):
            read_all()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        gc.enable()
    assert kept < 700_000  # each of the fifty trees that were read has 100 kB


@pytest.fixture
def long(make_study, people, monkeypatch):
    """Return a study with half a megabyte of comments in each of five chapters."""
    monkeypatch.setenv(services.EDITS.setting, "10000/minute")
    study = make_study("public")
    for _ in range(5):
        written = deep_record(130)
        for node in written.root.walk():
            node.comment = "A comment of fifty characters that has \N{SNOWMAN} in it. " * 80
        services.add_chapter(study, people[0], "", written)
    return study


@pytest.mark.parametrize("path", ["study.sgf", "print/", "2/tree.json", "2/chapter.json"])
def test_studies_are_sent_in_small_parts(long, client, path):
    where = f"/study/{long.slug}/{path}"
    whole = client.get(where).getvalue()  # written, and in memory from now on
    assert len(whole) > 500_000
    tracemalloc.start()
    size = most = 0
    for part in client.get(where):
        size += len(part)
        most = max(most, len(part))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size == len(whole)
    assert most <= 65_536
    assert peak < 600_000
    packed = client.get(where, headers={"Accept-Encoding": "gzip"})
    assert len(gzip.decompress(packed.getvalue())) == size


def test_pieces_in_memory_are_compressed(long, client):
    sent = len(client.get(f"/study/{long.slug}/print/").getvalue())
    assert chapters._pieces.nbytes < sent / 20


def test_the_memory_of_chapters_is_counted_about_right(large):
    row = large.chapters.get(number=2)
    with opened(row) as chapter:
        tracemalloc.start()
        copied = chapters._read(row, reading_costs.free)
        gc.collect()
        measured = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        counted = chapters._size_in_memory(copied.record)
        assert chapter.size == copied.size == 216
    assert counted > 0.6 * (measured - tree._latest.nbytes)


def test_files_and_pages_are_written_once_for_each_edit(large, people, client, reads):
    for _ in range(2):
        for path in FILES:
            assert client.get(f"/study/{large.slug}/{path}").status_code == 200
    assert sorted(reads) == [1, 2, 3, 4, 5, 6]
    written: list[int] = []

    def write(record):
        written.append(len(record.root.children))
        return "text"

    row = large.chapters.get(number=1)
    for _ in range(2):
        assert piece(row, "form", write) == Piece.of_text("text", 0)
    edit(large, people[0], "add", move=5)
    row = large.chapters.get(number=1)
    for _ in range(2):
        assert piece(row, "form", write) == Piece.of_text("text", 1)
    assert written == [0, 1]


def test_boards_are_shown_without_reading_the_moves(large, client, reads):
    for path in ("2/", "2/embed/"):
        page = client.get(f"/study/{large.slug}/{path}")
        assert page.context["options"] == "size=26&swap=off"
    assert reads == []


def test_lists_of_chapters_do_not_read_their_records(large, people, client):
    client.force_login(people[0])
    client.get(f"/study/{large.slug}/2/")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        for path in ("2/", "settings/"):
            assert client.get(f"/study/{large.slug}/{path}").status_code == 200
    texts = [one["sql"] for one in queries if "studies_chapterrow" in one["sql"]]
    assert texts
    assert not [text for text in texts if '"data"' in text]


@pytest.mark.parametrize("path", ["study.sgf", "print/"])
def test_a_request_reads_a_limited_number_of_moves_and_goes_on_when_repeated(
    large, client, monkeypatch, reads, path
):
    monkeypatch.setenv(reading_costs.MOVES_READ.setting, "700")
    answers = [client.get(f"/study/{large.slug}/{path}") for _ in range(3)]
    assert [one.status_code for one in answers] == [503, 503, 200]
    assert answers[0].headers["Retry-After"] == "2"
    assert sorted(reads) == [1, 2, 3, 4, 5, 6]


def test_a_chapter_with_too_many_moves_for_a_request_is_read_in_several(large, client, monkeypatch):
    monkeypatch.setenv(reading_costs.MOVES_READ.setting, "1")
    found = [client.get(f"/study/{large.slug}/2/tree.json").status_code for _ in range(4)]
    assert found == [503, 503, 200, 200]


def test_the_error_of_a_refused_request_holds_no_chapter(large):
    row = large.chapters.get(number=2)
    cost = reading_costs.ReadingCost(None)
    cost(reading_costs.MOVES_READ.value)
    with pytest.raises(InputError) as refusal, opened(row, cost):
        pass
    known = [value for entry in refusal.traceback[1:] for value in entry.locals.values()]
    assert {} in known
    assert max(len(repr(value)) for value in known) < 300


def test_moves_read_by_an_address_are_limited(large, client, monkeypatch):
    monkeypatch.setenv(reading_costs.READS.setting, "7/minute")
    for path in ("2/tree.json", "2/tree.json", "3/chapter.sgf"):
        answer = client.get(f"/study/{large.slug}/{path}", REMOTE_ADDR="198.51.100.7")
        assert answer.status_code == 200
    for path in ("4/chapter.json", "4/board.png", "study.sgf", "print/"):
        answer = client.get(f"/study/{large.slug}/{path}", REMOTE_ADDR="198.51.100.7")
        assert answer.status_code == 429
        assert int(answer.headers["Retry-After"]) > 0
    api = f"/api/v1/studies/{large.slug}/chapters/4"
    assert client.get(api, REMOTE_ADDR="198.51.100.7").status_code == 429
    assert client.get(f"/study/{large.slug}/2/", REMOTE_ADDR="198.51.100.7").status_code == 200
    assert client.get(api, REMOTE_ADDR="198.51.100.8").status_code == 200
