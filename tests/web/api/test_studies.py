"""Studies in the API: lists, chapters, edits and who may see them."""

import pytest

from antipodes.web.studies import services
from antipodes.web.studies.models import ChapterRow, StudyRow

pytestmark = pytest.mark.django_db

GAME = "(;FF[4]GM[11]SZ[3];B[b2];W[a1])"


@pytest.fixture
def study(ask, token):
    """A private study of the first user, as the API tells it."""
    body = {"title": "Bridges", "visibility": "private", "text": GAME}
    return ask("POST", "studies", token(), body).data


def test_a_chapter_is_added_edited_and_read(ask, token, study):
    path = f"studies/{study['slug']}"
    added = ask("POST", f"{path}/chapters", token(), {"title": "Ladders", "text": GAME})
    assert (added.data["number"], added.data["title"]) == (2, "Ladders")
    edit = {"kind": "add", "path": [4, 0], "move": 2}
    answer = ask("POST", f"{path}/chapters/2/edits", token(), {"key": "1", "edit": edit})
    assert (answer.status_code, answer.content) == (204, b"")
    assert "Content-Type" not in answer.headers
    chapter = ask("GET", f"{path}/chapters/2", token()).data
    assert chapter["moves"] == ["b2", "a1", "c1"]
    assert [one["edits"] for one in ask("GET", path, token()).data["chapters"]] == [0, 1]
    missing = ask("GET", f"{path}/chapters/3", token())
    assert (missing.status_code, missing.data["message"]) == (404, "There is no chapter 3.")


def test_only_its_members_see_a_private_study(ask, token, study, people):
    path = f"studies/{study['slug']}"
    assert ask("GET", path).status_code == 404
    assert ask("GET", path, token(people[1])).status_code == 404
    assert ask("GET", "studies", token()).data == []
    assert [one["slug"] for one in ask("GET", "studies?mine=true", token()).data] == [study["slug"]]
    assert ask("GET", "studies?mine=true", token(people[1])).data == []
    assert ask("GET", "studies?mine=true").status_code == 401


def test_studies_are_listed_from_the_latest_changed(ask, token, study, people, clocks):
    clocks.advance(5_000)
    body = {"title": "Ladders", "visibility": "public", "text": GAME}
    later = ask("POST", "studies", token(), body).data
    first, second = StudyRow.objects.order_by("pk")
    owner = {"name": "ann", "shown": "ann", "kind": "account"}
    line = {
        "slug": second.slug,
        "title": "Ladders",
        "visibility": "public",
        "owner": owner,
        "changedAt": second.changed_at,
    }
    [chapter] = second.chapters.all()
    told = {"number": 1, "title": chapter.title, "game": "hex", "edits": 0}
    assert later == {**line, "chapters": [told]}
    assert ask("GET", f"studies/{second.slug}").data == later
    assert ask("GET", "studies").data == ask("GET", "studies", token()).data == [line]
    mine = ask("GET", "studies?mine=true", token()).data
    assert [one["slug"] for one in mine] == [second.slug, first.slug]
    StudyRow.objects.filter(pk=first.pk).update(changed_at=second.changed_at + 1)
    mine = ask("GET", "studies?mine=true", token()).data
    assert [one["slug"] for one in mine] == [first.slug, second.slug]
    missing = ask("GET", "studies/nowhere")
    assert missing.data["message"] == "There is no study 'nowhere'."


def test_a_study_is_made_of_a_position_without_moves(ask, token):
    body = {"title": "Empty", "visibility": "private", "text": "(;FF[4]GM[11]SZ[3])"}
    made = ask("POST", "studies", token(), body).data
    chapter = ask("GET", f"studies/{made['slug']}/chapters/1", token()).data
    assert (chapter["game"], chapter["moves"]) == ("hex", [])


def test_a_game_that_cannot_be_read_makes_no_study(ask, token):
    body = {"title": "Bridges", "visibility": "private", "text": "(;GM[11]SZ[3];B[zz])"}
    answer = ask("POST", "studies", token(), body)
    assert (answer.status_code, answer.data["code"]) == (422, "move/unreadable")
    assert not StudyRow.objects.exists()


def test_an_edit_of_another_form_is_refused_with_the_wrong_value(ask, token, study):
    path = f"studies/{study['slug']}/chapters/1/edits"
    for edit, where, value in (
        ({"kind": "add", "path": [4, -7], "move": 2}, "edit.add.path.1", "-7"),
        ({"kind": "explode", "path": []}, "edit", "explode"),
        ("x", "edit", "x"),
    ):
        answer = ask("POST", path, token(), {"key": "1", "edit": edit})
        [fault] = answer.data["faults"]
        assert (answer.status_code, fault["code"], fault["where"]) == (422, "api/body", where)
        assert value in fault["message"]


def test_a_chapter_that_is_deleted_at_the_moment_of_an_edit_is_gone(ask, token, study, monkeypatch):
    edit_chapter = services.edit_chapter

    def edit_too_late(*arguments):
        ChapterRow.objects.all().delete()
        edit_chapter(*arguments)

    monkeypatch.setattr(services, "edit_chapter", edit_too_late)
    body = {"key": "1", "edit": {"kind": "add", "path": [4, 0], "move": 2}}
    answer = ask("POST", f"studies/{study['slug']}/chapters/1/edits", token(), body)
    assert (answer.status_code, answer.data["code"]) == (422, "studies/gone")
    assert answer.data["message"] == "this chapter was deleted"
