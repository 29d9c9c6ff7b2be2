"""Bytes of studies in the database: edits that chapters hold are dropped, the rest is bounded."""

import json

import pytest
from django.db.models import Sum, TextField
from django.db.models.functions import Cast

from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.records import Record
from antipodes.web.accounts.models import User
from antipodes.web.platform import limits, metrics
from antipodes.web.studies import chapters, services
from antipodes.web.studies.edits import comment_places, place_of
from antipodes.web.studies.models import ChapterRow, CommentAuthorRow, EditRow, StudyRow
from antipodes.web.studies.removals import Part, Place
from antipodes.web.studies.services import stored_bytes
from tests.web.studies.conftest import edit, record
from tests.web.studies.test_sockets import sent_to, socket_of

pytestmark = pytest.mark.django_db

EMOJI = "\N{GRINNING FACE}"


@pytest.fixture
def few_kept(monkeypatch):
    """Write chapters after three edits, and keep two edits that they have."""
    monkeypatch.setattr(services, "_STORED_EDITS", 3)
    monkeypatch.setattr(services, "_KEPT_EDITS", 2)


def numbers():
    return [row.number for row in EditRow.objects.all()]


def stored():
    """Return the bytes in all columns of chapters and edits that hold texts."""
    texts = [row.data for row in ChapterRow.objects.defer(None)]
    texts += [json.dumps(row.data, ensure_ascii=False) for row in EditRow.objects.all()]
    return sum(len(text.encode()) for text in texts)


def test_edits_that_a_chapter_holds_are_dropped_but_for_the_latest(study, people, few_kept):
    for move in range(7):
        edit(study, people[0], "add", move=move, key=f"key {move}")
    assert numbers() == [4, 5, 6]
    chapters._chapters = chapters._Chapters()
    assert [node.move for node in record(study).root.children] == list(range(7))
    edit(study, people[0], "remove", [5], seen=1)
    edit(study, people[0], "add", move=5, key="key 5")
    assert [node.move for node in record(study).root.children] == [0, 1, 2, 3, 4, 6]


def test_a_chapter_whose_next_edits_are_gone_is_read_again(study, people, few_kept):
    with chapters.opened(study.chapters.get()) as chapter:
        behind = chapters.Chapter(Record(chapter.record.game), 0, 1)
    for move in range(7):
        edit(study, people[0], "add", move=move)
    row = study.chapters.get()
    chapters.catch_up(behind, row)
    assert (behind.edits, behind.size) == (7, 7)
    assert [node.move for node in behind.record.root.children] == list(range(7))


def test_a_client_whose_next_edits_are_gone_gets_the_whole_chapter(study, people, few_kept):
    for move in range(7):
        edit(study, people[0], "add", move=move)
    socket = socket_of(study, people[0])
    for edits, found in ((3, []), (4, [4, 5, 6]), (6, [6]), (7, [])):
        socket.edits = edits
        assert [one["number"] for one in sent_to(socket)] == found


def test_an_edit_is_stored_once_with_four_bytes_for_an_emoji(study, people):
    before = ""
    for number in range(3):
        text = f"{number}" + 1_000 * EMOJI
        edit(study, people[0], "comment", text=text, before=before)
        before = text
    assert stored() < 3 * 4_200 + 400
    column = EditRow.objects.annotate(text=Cast("data", TextField()))
    assert all(one.text.count(EMOJI) == 1_000 for one in column)


def test_bytes_of_studies_are_counted(study, people, few_kept):
    services.add_chapter(study, people[0], "Second", record(study))
    for number in range(8):
        edit(study, people[0], "add", move=number)
        edit(study, people[0], "comment", [number], text=number * EMOJI, before="")
        row = ChapterRow.objects.get(number=1)
        rows = row.edit_rows.count() + row.authors.count()
        own = stored() - len(ChapterRow.objects.get(number=2).data)
        assert abs(row.nbytes - own - services._ROW * rows) < 500
    total = ChapterRow.objects.aggregate(total=Sum("nbytes"))["total"]
    assert StudyRow.objects.get().nbytes == total
    [metric] = stored_bytes()
    assert [sample.value for sample in metric.samples] == [total]
    services.delete_chapter(study.chapters.get(number=1), people[0])
    assert StudyRow.objects.get().nbytes == ChapterRow.objects.get().nbytes > 0


def refusals(limit):
    return metrics._here.get_sample_value("antipodes_limits_reached_total", {"limit": limit}) or 0


def test_bytes_of_a_study_are_limited_and_can_be_freed(make_study, people, monkeypatch):
    monkeypatch.setenv(services.STUDY_SIZE.setting, "8")
    study = make_study()
    edit(study, people[0], "add", move=5)
    edit(study, people[0], "comment", text=3_000 * "x", before="")
    edit(study, people[0], "comment", [5], text=3_000 * "x", before="")
    count, before = EditRow.objects.count(), refusals("study-size")
    with pytest.raises(InputError, match="A study has at most 8 kB") as error:
        edit(study, people[0], "comment", [5], text=3_900 * "y", before=3_000 * "x")
    assert error.value.code == "studies/full"
    assert (EditRow.objects.count(), refusals("study-size")) == (count, before + 1)
    assert record(study).root.children[0].comment == 3_000 * "x"
    large = Record(make_game("hex", {"size": 4, "swap": "off"}))
    large.comment = 2_000 * "z"
    with pytest.raises(InputError, match="A study has at most 8 kB"):
        services.add_chapter(study, people[0], "", large)
    assert study.chapters.count() == 1
    monkeypatch.setattr(services, "_KEPT_EDITS", 0)
    edit(study, people[0], "remove", [5], seen=1)
    assert StudyRow.objects.get().nbytes < 3_600
    edit(study, people[0], "add", move=6)


def test_an_edit_counts_all_that_its_row_stores(study, people):
    before = StudyRow.objects.get().nbytes
    edit(study, people[0], "add", move=5)
    edit(study, people[0], "comment", [5], text="bridge", before="")
    edit(study, people[0], "add", [5], move=6)
    stored_rows = sum(services.size_of_edit(row.data) for row in EditRow.objects.all())
    assert EditRow.objects.get(number=2).data["text"] == "c2"
    assert StudyRow.objects.get().nbytes == before + stored_rows
    assert ChapterRow.objects.get().nbytes == before + stored_rows


def test_bytes_of_all_studies_of_an_owner_are_limited(make_study, people, monkeypatch):
    monkeypatch.setenv(services.STUDIES_SIZE.setting, "8")
    study = make_study()
    services.invite(study, people[0], ["bob"], can_write=True)
    large = Record(make_game("hex", {"size": 4, "swap": "off"}))
    large.comment = 6_000 * "z"
    services.create_study(people[0], "Large", "private", large)
    with pytest.raises(InputError, match="one owner have at most 8 kB"):
        edit(study, people[1], "comment", text=2_000 * "x", before="")
    with pytest.raises(InputError, match="one owner have at most 8 kB"):
        services.create_study(people[0], "Large", "private", large)
    assert StudyRow.objects.count() == 2
    services.create_study(people[1], "Large", "private", large)
    guest = User.objects.create(username="Guest 1", is_guest=True)
    with pytest.raises(InputError, match="one owner have at most 1 kB"):
        services.create_study(guest, "Large", "private", large)


def test_kilobytes_count_as_edits(study, people, monkeypatch):
    limits.reset(services.EDITS, str(people[0].pk))
    monkeypatch.setenv(services.EDITS.setting, "7/minute")
    edit(study, people[0], "comment", text=1_000 * EMOJI, before="")  # 4
    edit(study, people[0], "add", move=5)
    before = refusals("study-edits")
    with pytest.raises(InputError, match="too often"):
        edit(study, people[0], "comment", [5], text=1_000 * EMOJI, before="")
    assert refusals("study-edits") == before + 1
    large = Record(make_game("hex", {"size": 4, "swap": "off"}))
    large.comment = 4_000 * "z"
    with pytest.raises(InputError, match="too often"):
        services.add_chapter(study, people[0], "", large)
    with pytest.raises(InputError, match="too often"):
        services.create_study(people[0], "Large", "private", large)
    edit(study, people[0], "add", move=6)


def test_authors_of_comments_outlive_their_edits(study, ann, bob, few_kept):
    services.invite(study, ann, ["bob"], can_write=True)
    for path in ([], [5], [5, 6]):
        edit(study, bob, "comment", path, text=f"after {path}", before="")
        edit(study, ann, "add", path, move=5 + len(path))
    edit(study, bob, "comment", [5, 6], text="", before="after [5, 6]")
    edit(study, ann, "add", [5], move=7)
    chapter = study.chapters.get()
    assert not chapter.edit_rows.filter(data__kind="comment", data__path=[5]).exists()
    assert [Place(chapter, Part.COMMENT, one).author for one in ((), (5,))] == [bob, bob]
    assert Place(chapter, Part.COMMENT, (5, 6)).author == ann
    edit(study, ann, "remove", [5], seen=9)
    for move in (1, 2, 3):
        edit(study, ann, "add", move=move)
    assert [row.place for row in CommentAuthorRow.objects.all()] == [place_of([])]


def test_places_of_comments_are_those_of_their_paths():
    found = Record(make_game("hex", {"size": 4, "swap": "off"}))
    for path in ([], [1], [1, 12], [11], [11, 2]):
        node = found.root
        for move in path:
            node = node.play(move)
        node.comment = "here"
    found.root.play(1).play(2)
    paths = [[], [1], [1, 12], [11], [11, 2]]
    assert sorted(comment_places(found)) == sorted(map(place_of, paths))
    assert len({place_of(path) for path in ([1, 2], [12], [2, 1], [1], [])}) == 5
