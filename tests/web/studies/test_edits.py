"""Edits of studies: nothing that another writer has made is lost."""

import json
import random

import pytest
from django.db import transaction

from antipodes.errors import InputError
from antipodes.games.registry import game_ids, make_game
from antipodes.records import Record
from antipodes.web.accounts.models import User
from antipodes.web.studies import chapters, edits, services
from antipodes.web.studies.edits import MOVES
from antipodes.web.studies.models import ChapterRow, EditRow
from antipodes.web.studies.schemas import COMMENT
from tests.cases import for_each
from tests.raising import code_of
from tests.thorough import repetitions
from tests.web.studies.conftest import edit, read_edit, record

pytestmark = pytest.mark.django_db


def forget():
    """Forget the chapters in memory, as another process knows none of them."""
    chapters._chapters = chapters._Chapters()


def test_two_writers_who_play_the_same_move_add_one(study, people):
    services.invite(study, people[0], [people[1].username], can_write=True)
    for user in people[:2]:
        edit(study, user, "add", move=5)
    assert [node.move for node in record(study).root.children] == [5]
    assert EditRow.objects.count() == 1


def test_a_comment_that_has_changed_is_not_overwritten(study, people):
    edit(study, people[0], "comment", text="mine", before="")
    with pytest.raises(InputError, match="another writer has changed this comment"):
        edit(study, people[0], "comment", text="theirs", before="")
    edit(study, people[0], "comment", text="both", before="mine")
    assert record(study).root.comment == "both"


def test_a_branch_that_has_grown_is_not_removed(study, people):
    edit(study, people[0], "add", move=5)
    edit(study, people[0], "add", [5], move=6)
    with pytest.raises(InputError, match="has added moves"):
        edit(study, people[0], "remove", [5], seen=1)
    edit(study, people[0], "remove", [5], seen=2)
    assert not record(study).root.children
    with pytest.raises(InputError, match="has removed this move"):
        edit(study, people[0], "add", [5], move=7)


def test_a_repeated_edit_does_nothing(study, people):
    edit(study, people[0], "add", move=5, key="once")
    edit(study, people[0], "remove", [5], seen=1)
    edit(study, people[0], "add", move=5, key="once")
    assert not record(study).root.children


def test_marks_and_arrows_are_kept_in_sgf(make_study, people, client):
    study = make_study("public")
    edit(study, people[0], "shape", shape=["circle", 5], on=True)
    edit(study, people[0], "shape", shape=["arrow", 5, 0], on=True)
    edit(study, people[0], "shape", shape=["circle", 5], on=True)
    edit(study, people[0], "add", move=5)
    edit(study, people[0], "mark", [5], mark="good")
    text = client.get(f"/study/{study.slug}/1/chapter.sgf").getvalue().decode()
    assert "CR[b2]" in text
    assert "AR[b2:a1]" in text
    assert chapters.tree_view(record(study)) == [
        {"shapes": [["circle", 5], ["arrow", 5, 0]]},
        {"move": 5, "text": "b2", "color": "black", "parent": 0, "mark": "good"},
    ]
    edit(study, people[0], "shape", shape=["circle", 5], on=False)
    edit(study, people[0], "shape", shape=["arrow", 5, 0], on=False)
    assert "shapes" not in chapters.tree_view(record(study))[0]


@pytest.mark.parametrize("game_id", game_ids())
def test_any_edits_lead_to_the_same_tree_in_another_process(game_id, make_study, people):
    chance = random.Random(game_id)
    study = make_study(game_id=game_id)
    paths: list[list[int]] = [[]]
    for _ in range(repetitions(15, 70)):
        path = chance.choice(paths)
        node = record(study).root
        for move in path:
            node = next((one for one in node.children if one.move == move), node)
        legal = list(node.position.legal_moves)
        kind = chance.choice(["add", "add", "add", "comment", "mark", "shape", "promote", "remove"])
        fields = {
            "add": {"move": int(chance.choice(legal or [0]))},
            "comment": {"text": f"{chance.random()}", "before": node.comment},
            "mark": {"mark": chance.choice([None, "bad"])},
            "shape": {"shape": ["cross", chance.randrange(4)], "on": chance.random() < 0.7},
            "promote": {},
            "remove": {"seen": 2},
        }[kind]
        try:
            edit(study, people[0], kind, path, **fields)
        except InputError:
            continue
        if kind == "add":
            paths.append([*path, fields["move"]])
    here = chapters.tree_of(ChapterRow.objects.get())
    forget()
    assert chapters.tree_of(ChapterRow.objects.get()) == here


@for_each(
    "data",
    [
        None,
        [],
        {"kind": "explode", "path": []},
        {"kind": "add", "path": "x", "move": 1},
        {"kind": "add", "path": [], "move": -1},
        {"kind": "add", "path": [True], "move": 1},
        {"kind": "comment", "path": [], "text": "x" * 5_000, "before": ""},
        {"kind": "mark", "path": [], "mark": "fine"},
        {"kind": "mark", "path": [], "mark": ["??"]},
        {"kind": "shape", "path": [], "shape": ["circle", 1, 2], "on": True},
        {"kind": "shape", "path": [], "shape": ["arrow", 1], "on": True},
        {"kind": "remove", "path": []},
    ],
)
def test_what_is_no_edit_is_refused(data):
    assert code_of(read_edit, data) == "studies/message"


def test_illegal_moves_and_cells_are_refused(study, people):
    for kind, fields in (
        ("add", {"move": 99}),
        ("shape", {"shape": ["circle", 99], "on": True}),
        ("remove", {"seen": 1}),
    ):
        with pytest.raises(InputError):
            edit(study, people[0], kind, **fields)
    assert not EditRow.objects.exists()


def test_only_writers_edit(make_study, people):
    study = make_study("public")
    services.invite(study, people[0], [people[1].username], can_write=False)
    for user in (people[1], people[2], None):
        with pytest.raises(InputError, match="may not edit"):
            edit(study, user, "add", move=1)


def test_chapters_and_comments_are_limited(study, people, monkeypatch):
    monkeypatch.setenv(MOVES.setting, "2")
    monkeypatch.setenv(COMMENT.setting, "3")
    edit(study, people[0], "add", move=0)
    edit(study, people[0], "add", move=1)
    with pytest.raises(InputError, match="at most 2 moves"):
        edit(study, people[0], "add", move=2)
    with pytest.raises(InputError):
        edit(study, people[0], "comment", text="long", before="")


def test_edits_are_limited(study, people, monkeypatch):
    monkeypatch.setenv(services.EDITS.setting, "1/minute")
    edit(study, people[0], "add", move=0)
    with pytest.raises(InputError, match="too often"):
        edit(study, people[0], "add", move=1)


def test_a_deleted_writer_leaves_the_edits(study, people):
    services.invite(study, people[0], [people[1].username], can_write=True)
    edit(study, people[1], "add", move=3)
    User.objects.filter(pk=people[1].pk).delete()
    forget()
    assert [node.move for node in record(study).root.children] == [3]


def test_edits_that_change_nothing_are_not_stored(study, people):
    edit(study, people[0], "add", move=5)
    edit(study, people[0], "comment", [5], text="good", before="")
    edit(study, people[0], "mark", [5], mark="good")
    edit(study, people[0], "shape", [5], shape=["circle", 5], on=True)
    count = EditRow.objects.count()
    edit(study, people[0], "comment", [5], text="good", before="another")
    edit(study, people[0], "mark", [5], mark="good")
    edit(study, people[0], "mark", [], mark="good")
    edit(study, people[0], "shape", [5], shape=["circle", 5], on=True)
    edit(study, people[0], "shape", [5], shape=["circle", 4], on=False)
    assert EditRow.objects.count() == count == 4


def test_shapes_of_a_position_are_limited(study, people, monkeypatch):
    monkeypatch.setattr(edits, "_MOST_SHAPES", 2)
    for cell in (1, 2):
        edit(study, people[0], "shape", shape=["circle", cell], on=True)
    with pytest.raises(InputError, match="at most 2 shapes"):
        edit(study, people[0], "shape", shape=["circle", 3], on=True)
    edit(study, people[0], "shape", shape=["circle", 1], on=False)
    edit(study, people[0], "shape", shape=["circle", 3], on=True)


def test_a_chapter_is_written_again_after_many_edits(study, people, monkeypatch):
    monkeypatch.setattr(services, "_STORED_EDITS", 3)
    for move in range(4):
        edit(study, people[0], "add", move=move)
        row = ChapterRow.objects.get()
        assert (row.edits, row.data_edits) == (move + 1, 3 if move >= 2 else 0)
    forget()
    assert [node.move for node in record(study).root.children] == [0, 1, 2, 3]


def test_the_chapter_that_was_not_used_for_longest_leaves_the_memory(monkeypatch):
    one = chapters.Chapter(Record(make_game("hex", {"size": 4})), 0, 1)
    monkeypatch.setattr(chapters, "_KEPT", 2 * chapters._size_in_memory(one.record))
    kept = chapters._Chapters()
    for key in ("a", "b", "a", "c"):
        found = kept.take(key) or one
        kept.put(key, found)
    assert [kept.take(key) is not None for key in ("a", "b", "c")] == [True, False, True]


@pytest.mark.parametrize(
    ("shape", "is_right"),
    [
        (["circle", 5], True),
        (["arrow", 5, 0], True),
        (["cross", 10**9 - 1], True),
        (["cross", 10**9], False),
        (["cross", -1], False),
        (["circle", True], False),
        (["circle", "5"], False),
        (["circle"], False),
        (["circle", 5, 0], False),
        (["arrow", 5], False),
        (["arrow", 5, 0, 1], False),
        (["star", 5], False),
        ([["circle"], 5], False),
        ([], False),
        ("circle", False),
        (None, False),
    ],
)
def test_a_shape_is_one_of_those_known_with_its_cells(shape, is_right):
    data = {"kind": "shape", "path": [], "shape": shape, "on": True}
    if is_right:
        assert json.loads(json.dumps(read_edit(data))) == data
        return
    with pytest.raises(InputError, match=r"^edit\.shape\.shape\.(cell|arrow)") as error:
        read_edit(data)
    assert error.value.code == "studies/message"


def test_an_edit_has_exactly_the_fields_of_its_kind():
    data = {"kind": "comment", "path": [3], "text": "x", "before": "", "move": 4, "by": "ann"}
    assert read_edit(data) == {"kind": "comment", "path": [3], "text": "x", "before": ""}
    assert read_edit({"kind": "promote", "path": []}) == {"kind": "promote", "path": []}


@for_each(
    "data,message",
    [
        (
            {"kind": "explode", "path": []},
            "edit: Input tag 'explode' found using 'kind' does not match",
        ),
        ("x", "edit: Input should be a valid dictionary"),
        ({"kind": "add", "path": 7}, "edit.add.path: Input should be a valid list (given: 7)"),
        ({"kind": "add", "path": [10**9]}, "edit.add.path.0: Input should be less than 1000000000"),
        ({"kind": "remove", "path": []}, "edit.remove.seen: Field required"),
        (
            {"kind": "shape", "path": [], "shape": ["circle", 1], "on": 1},
            "edit.shape.on: Input should be a valid boolean (given: 1)",
        ),
        (
            {"kind": "comment", "path": [], "text": "x", "before": None},
            "edit.comment.before: Input should be a valid string (given: None)",
        ),
    ],
)
def test_what_is_no_edit_is_refused_with_its_fault(data, message):
    with pytest.raises(InputError) as caught:
        read_edit(data)
    assert str(caught.value).startswith(message)


def test_paths_and_comments_are_accepted_up_to_their_limits(monkeypatch):
    monkeypatch.setenv(COMMENT.setting, "3")
    for path, text, is_right in (
        ([0] * 1_500, "abc", True),
        ([0] * 1_501, "abc", False),
        ([10**9 - 1], "abc", True),
        ([], "abcd", False),
    ):
        data = {"kind": "comment", "path": path, "text": text, "before": ""}
        if is_right:
            assert read_edit(data) == data
        else:
            with pytest.raises(InputError):
                read_edit(data)


def kept(study):
    """Return the stored edits of the first chapter."""
    rows = EditRow.objects.filter(chapter__study=study, chapter__number=1)
    return [(row.number, row.user and row.user.username, row.data) for row in rows]


def test_an_edit_is_stored_with_its_writer_and_changes_the_version(people, clocks, study):
    assert study.version == 0
    study.refresh_from_db()
    assert (study.version, study.chapters_made) == (1, 1)
    clocks.advance(1_000)
    edit(study, people[0], "add", move=5, key="mine")
    edit(study, people[0], "comment", [5], text="x", before="")
    add = {"kind": "add", "path": [], "move": 5, "text": "b2", "color": "black"}
    comment = {"kind": "comment", "path": [5], "text": "x"}
    assert kept(study) == [(0, "ann", add), (1, "ann", comment)]
    row = EditRow.objects.first()
    made_at = study.made_at + 1_000
    assert row is not None
    assert (row.key, row.made_at) == ("mine", made_at)
    study.refresh_from_db()
    assert (study.version, study.changed_at) == (3, made_at)


def test_a_promoted_branch_becomes_the_main_line_up_to_the_start(study, people):
    for path, move in (([], 1), ([], 2), ([2], 3), ([2], 4), ([2, 4], 5)):
        edit(study, people[0], "add", path, move=move)
    count = EditRow.objects.count()
    edit(study, people[0], "promote", [2, 4, 5])
    assert [int(move) for move in record(study).moves()] == [2, 4, 5]
    for path in ([2], [2, 4], [2, 4, 5], []):
        edit(study, people[0], "promote", path)
    assert EditRow.objects.count() == count + 1
    edit(study, people[0], "promote", [2, 3])  # only the last move is beside the main line
    edit(study, people[0], "promote", [1])
    assert [int(move) for move in record(study).moves()] == [1]
    assert EditRow.objects.count() == count + 3


def test_a_tree_has_each_move_after_its_parent_and_the_main_line_first(study, people):
    for path, move in (([], 1), ([1], 2), ([], 5), ([5], 6), ([1], 7)):
        edit(study, people[0], "add", path, move=move)
    edit(study, people[0], "comment", [1, 7], text="here", before="")
    nodes = chapters.tree_view(record(study))
    assert nodes == [
        {},
        {"move": 1, "text": "b1", "color": "black", "parent": 0},
        {"move": 2, "text": "c1", "color": "white", "parent": 1},
        {"move": 7, "text": "d2", "color": "white", "parent": 1, "comment": "here"},
        {"move": 5, "text": "b2", "color": "black", "parent": 0},
        {"move": 6, "text": "c2", "color": "white", "parent": 4},
    ]
    row = ChapterRow.objects.get()
    text = b"".join(chapters.tree_parts(chapters.tree_of(row))).decode()
    assert text == json.dumps({"edits": 6, "nodes": nodes}, separators=(",", ":"))


def test_a_mark_is_changed_and_removed(study, people):
    edit(study, people[0], "add", move=5)
    for mark in ("good", "bad", None):
        edit(study, people[0], "mark", [5], mark=mark)
        found = record(study).root.children[0].mark
        assert (found and found.value) == mark
    edit(study, people[0], "mark", [5], mark=None)
    assert EditRow.objects.count() == 4


def test_shapes_lie_on_the_board_and_are_removed_one_by_one(study, people):
    shapes = [["circle", 15], ["circle", 0], ["square", 15], ["arrow", 0, 15], ["arrow", 15, 0]]
    for one in shapes:
        edit(study, people[0], "shape", shape=one, on=True)
    root = record(study).root
    assert edits.shapes_of(record(study), root) == shapes
    for wrong in (["circle", 16], ["arrow", 0, 16]):
        with pytest.raises(InputError, match="which cannot be"):
            edit(study, people[0], "shape", shape=wrong, on=True)
    for number, one in enumerate(shapes, start=1):
        edit(study, people[0], "shape", shape=one, on=False)
        assert edits.shapes_of(record(study), record(study).root) == shapes[number:]
    assert record(study).root.extra == {}


def test_other_properties_of_sgf_stay_beside_shapes(make_study):
    found = Record(make_game("hex", {"size": 4, "swap": "off"}))
    root = found.root
    root.extra = {"sgf": {"XX": ["1"], "CR": ["b2", "zz", "a1:b2"], "AR": ["a1"]}, "other": 1}
    assert edits.shapes_of(found, root) == [["circle", 5]]
    data = {"kind": "shape", "path": [], "shape": ["circle", 5], "on": False}
    assert edits.apply(found, data)
    sgf = {"XX": ["1"], "CR": ["zz", "a1:b2"], "AR": ["a1"]}
    assert root.extra == {"sgf": sgf, "other": 1}
    root.extra = {"sgf": "odd"}
    assert edits.shapes_of(found, root) == []


def test_refused_edits_say_why_and_change_nothing(study, people):
    edit(study, people[0], "add", move=5)
    edit(study, people[0], "add", [5], move=6)
    for kind, path, fields, code in (
        ("add", [5], {"move": 5}, "move/occupied"),
        ("add", [5, 7], {"move": 1}, "studies/gone"),
        ("comment", [5], {"text": "x", "before": "y"}, "studies/changed"),
        ("remove", [5], {"seen": 1}, "studies/changed"),
        ("remove", [], {"seen": 9}, "studies/edit"),
    ):
        assert code_of(edit, study, people[0], kind, path, **fields) == code
    assert len(chapters.tree_view(record(study))) == 3
    edit(study, people[0], "remove", [5], seen=3)
    assert chapters.tree_view(record(study)) == [{}]
    assert edits.find_node(record(study), [5]) is None


def test_a_chapter_in_memory_is_not_replaced_by_an_older_one():
    kept_chapters = chapters._Chapters()
    old, new = (chapters.Chapter(Record(make_game("hex", {"size": 4})), n, 1) for n in (1, 2))
    kept_chapters.put("a", new)
    kept_chapters.put("a", old)
    assert kept_chapters.take("a") is new
    assert kept_chapters.take("a") is None
    for one in (old, new, same := chapters.Chapter(new.record, 2, 1)):
        kept_chapters.put("a", one)
    assert kept_chapters.take("a") is same


def test_an_edit_that_was_rolled_back_is_not_in_the_chapter(study, people):
    edit(study, people[0], "add", move=1)
    with transaction.atomic():
        edit(study, people[0], "add", move=5)
        transaction.set_rollback(True)
    assert [int(node.move) for node in record(study).root.children] == [1]
    edit(study, people[0], "add", move=6)
    assert [int(node.move) for node in record(study).root.children] == [1, 6]
