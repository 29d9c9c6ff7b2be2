"""Pages and files of studies, and their places that moderators can remove."""

import json
from pathlib import Path

import pytest
from django.contrib.messages import get_messages

from antipodes.games.registry import game_ids, make_game
from antipodes.records import Record
from antipodes.web.accounts.models import User
from antipodes.web.analysis.effort import DEFAULT_EFFORT, EFFORTS
from antipodes.web.studies import removals, services
from antipodes.web.studies.models import StudyRow
from antipodes.web.studies.removals import Part, Place
from tests.web.studies.conftest import edit, record

pytestmark = pytest.mark.django_db


def titles(answer):
    return [one.title for one in answer.context["page"].object_list]


def test_lists_show_the_latest_thirty_studies(client, make_study, people):
    for number in range(31):
        fields = {"title": f"S{number}", "visibility": "public", "changed_at": number}
        StudyRow.objects.create(owner=people[0], made_at=40 - number, **fields)
    make_study("unlisted")
    assert titles(client.get("/studies/")) == [f"S{number}" for number in range(30, 0, -1)]
    assert titles(client.get("/studies/?page=2")) == ["S0"]
    assert titles(client.get("/studies/", {"q": " s3 "})) == ["S30", "S3"]
    assert client.get("/studies/", {"q": "x" * 101}).context["words"] == "x" * 100
    found = client.get("/studies/?mine")
    assert (found.context["mine"], len(titles(found))) == (False, 30)
    client.force_login(people[1])
    found = client.get("/studies/?mine")
    assert (found.context["mine"], titles(found)) == (True, [])
    client.force_login(people[0])
    assert titles(client.get("/studies/?mine"))[0] == "Bridges"
    assert not client.get("/studies/").context["mine"]


def test_the_form_of_a_new_study_begins_with_the_query(client, people):
    page = client.get("/studies/new/", {"game": "antipod", "text": "(;GM[1])"})
    form = page.context["form"]
    assert (form["game"].value(), form["text"].value()) == ("antipod", "(;GM[1])")
    assert form["visibility"].value() == "unlisted"
    assert [name for name, _ in form.fields["visibility"].choices] == ["unlisted", "private"]
    assert [name for name, _ in form.fields["game"].choices] == list(game_ids())
    assert not form.is_bound
    assert page.context["line"] is None
    posted = client.post("/studies/new/", {"game": "hex", "size": "4", "moves": "0,5"})
    assert not posted.context["form"].is_bound
    assert posted.context["line"].moves == (0, 5)
    client.force_login(people[0])
    choices = client.get("/studies/new/").context["form"].fields["visibility"].choices
    assert [name for name, _ in choices] == ["public", "unlisted", "private"]
    assert client.post("/studies/new/", {"title": "", "visibility": "public"}).status_code == 200
    assert not StudyRow.objects.exists()


def test_a_position_begins_a_study_and_an_imported_game_instead_of_it(client, people):
    client.force_login(people[0])
    setup = json.dumps({"stones": {"b2": "black"}, "to_move": "white"})
    form = {"title": "A", "visibility": "private", "game": "hex", "size": "4", "swap": "off"}
    client.post("/studies/new/", {**form, "setup": setup, "chapter": "Begin"})
    study = StudyRow.objects.get()
    found = record(study)
    assert found.start is not None
    assert found.root.position.to_move.value == "white"
    assert study.chapters.get().title == "Begin"
    text = "(;FF[4]GM[11]SZ[3];B[b2];W[a1])"
    client.post("/studies/new/", {**form, "title": "B", "setup": setup, "text": text})
    assert len(record(StudyRow.objects.get(title="B")).moves()) == 2


def test_a_new_chapter_begins_with_the_last_chapters_game(client, make_study, people):
    study = make_study(game_id="antipod")
    client.force_login(people[0])
    where = f"/study/{study.slug}/new/"
    page = client.get(where)
    assert page.context["form"]["game"].value() == "antipod"
    assert page.context["study"] == study
    assert client.post(where, {"game": "hex", "chapter": "B"}).url == f"/study/{study.slug}/2/"
    assert [one.game_id for one in study.chapters.all()] == ["antipod", "hex"]
    assert client.post(where, {"chapter": "C", "text": "?"}).status_code == 200
    assert study.chapters.count() == 2
    client.force_login(people[1])
    assert client.get(where).status_code == 404


def test_the_page_of_a_chapter_knows_what_its_reader_may_do(client, make_study, people):
    study = make_study("public")
    services.invite(study, people[0], ["bob"], can_write=True)
    second = services.add_chapter(study, people[0], "Ends", record(study))

    def page(user=None, number=1):
        client.logout()
        if user:
            client.force_login(user)
        return client.get(f"/study/{study.slug}/{number}/").context

    rights = [
        (found["can_write"], found["can_manage"])
        for found in map(page, (None, people[0], people[1], people[2]))
    ]
    assert rights == [(False, False), (True, True), (True, False), (False, False)]
    found = page(number=2)
    assert (found["study"], found["chapter"]) == (study, second)
    assert [one.title for one in found["chapters"]] == ["Chapter 1", "Ends"]
    assert (found["efforts"], found["usual_effort"]) == (EFFORTS, DEFAULT_EFFORT)
    assert (found["game"].id, found["setup"]) == ("hex", "")
    assert found["options"] == "size=4&swap=off"
    preview = found["preview"]
    address = f"http://testserver/study/{study.slug}/2/"
    assert (preview.title, preview.author, preview.url) == ("Bridges", "ann", address)
    assert preview.description == "Ends, in a study by ann."
    assert (preview.picture, preview.frame) == (f"{address}board.png?v=0", f"{address}embed/")
    study.visibility = "private"
    study.save()
    preview = page(people[0])["preview"]
    assert (preview.frame, preview.oembed) == ("", "")
    framed = client.get(f"/study/{study.slug}/2/embed/")
    assert framed.context["chapter"] == second
    assert "frame-ancestors *" in framed.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed.headers


def test_settings_list_members_and_chapters_for_the_owner_alone(client, study, people):
    services.invite(study, people[0], ["bob"], can_write=True)
    services.invite(study, people[0], ["cy"], can_write=False)
    where = f"/study/{study.slug}/settings/"
    client.force_login(people[1])
    assert client.get(where).status_code == 404
    client.force_login(people[0])
    found = client.get(where).context
    members = [(one.user.username, one.can_write) for one in found["members"]]
    assert members == [("bob", True), ("cy", False)]
    assert [one.number for one in found["chapters"]] == [1]
    form = found["form"]
    assert (form["title"].value(), form["visibility"].value()) == ("Bridges", "private")


def test_actions_return_to_the_settings_or_the_list(client, make_study, people):
    study = make_study("public")
    where = f"/study/{study.slug}/do/"
    settings = f"/study/{study.slug}/settings/"
    assert client.post(where + "delete").status_code == 404  # a visitor
    client.force_login(people[0])
    for role, can_write in (("writer", True), ("reader", False), ("", False)):
        data = {"names": " bob ,, cy", "role": role}
        assert client.post(where + "invite", data).url == settings
        members = {one.user.username: one.can_write for one in study.members.all()}
        assert members == {"bob": can_write, "cy": can_write}
    member = {"member": str(people[2].pk)}
    assert client.post(where + "remove-member", member).url == settings
    for wrong in ("", "x", "-1"):
        assert client.post(where + "remove-member", {"member": wrong}).url == settings
        renamed = client.post(where + "rename-chapter", {"chapter": wrong, "title": "x"})
        assert renamed.status_code == 404
    assert [one.user for one in study.members.all()] == [people[1]]
    assert client.post(where + "explode").status_code == 404
    assert client.get(where + "delete").status_code == 405
    client.force_login(people[1])
    left = client.post(where + "remove-member", {"member": str(people[1].pk)})
    assert left.url == "/studies/?mine"
    client.force_login(people[0])
    deleted = client.post(where + "delete")
    assert deleted.url == "/studies/?mine"
    assert [str(one) for one in get_messages(deleted.wsgi_request)] == ["You deleted Bridges."]


def test_files_of_a_study_have_names_and_are_not_cached(client, make_study, people):
    study = make_study("public")
    edit(study, people[0], "add", move=5)
    ends = Record(make_game("hex", {"size": 4}))
    services.add_chapter(study, people[0], "Ends", ends)
    json_type, sgf_type = "application/json", "application/x-go-sgf"
    for path, kind, name in (
        ("1/chapter.json", json_type, f"study-{study.slug}-1.json"),
        ("2/chapter.sgf", sgf_type, f"study-{study.slug}-2.sgf"),
        ("study.sgf", sgf_type, f"study-{study.slug}.sgf"),
    ):
        answer = client.get(f"/study/{study.slug}/{path}")
        assert answer.headers["Content-Type"] == f"{kind}; charset=utf-8"
        assert answer.headers["Content-Disposition"] == f'inline; filename="{name}"'
        assert answer.headers["Cache-Control"] == "no-cache"
    text = client.get(f"/study/{study.slug}/study.sgf").getvalue().decode()
    assert text.endswith("\n")
    assert sum(line.startswith("(;") for line in text.splitlines()) == 2
    assert "Chapter 1" in text
    assert "Ends" in text
    tree = client.get(f"/study/{study.slug}/1/tree.json")
    assert tree.headers["Cache-Control"] == "no-cache"
    nodes = [{}, {"move": 5, "text": "b2", "color": "black", "parent": 0}]
    assert json.loads(tree.getvalue()) == {"edits": 1, "nodes": nodes}
    assert client.get(f"/study/{study.slug}/3/tree.json").status_code == 404


@pytest.mark.parametrize(("visibility", "who"), [("public", "public"), ("private", "private")])
def test_the_picture_of_a_chapter_is_its_last_position(client, make_study, people, visibility, who):
    study = make_study(visibility)
    client.force_login(people[0])
    where = f"/study/{study.slug}/1/board.png"
    before = client.get(where)
    assert before.headers["Cache-Control"] == f"{who}, max-age=86400"
    name = f"study-{study.slug}-1.png"
    assert before.headers["Content-Disposition"] == f'inline; filename="{name}"'
    edit(study, people[0], "add", move=5)
    after = client.get(where)
    assert after.content != before.content
    assert after.headers["ETag"] != before.headers["ETag"]


def test_the_page_to_print_has_pictures_introductions_and_marks(client, make_study, people):
    study = make_study("public")
    edit(study, people[0], "comment", [], text="An introduction", before="")
    marks = ("very-good", "good", "interesting", "doubtful", "bad", "very-bad")
    path: list[int] = []
    for move, mark in enumerate(marks):
        edit(study, people[0], "add", path, move=move)
        path = [*path, move]
        edit(study, people[0], "mark", path, mark=mark)
    for _ in range(2):  # the second time from memory
        page = client.get(f"/study/{study.slug}/print/").getvalue().decode()
        assert "<h2>Chapter 1</h2>" in page
        assert "<p>An introduction</p>" in page
        assert "1. a1!! 2. b1! 3. c1!? 4. d1?! 5. a2? 6. b2??</p>" in page
        assert "?game=hex&amp;size=4&amp;swap=off&amp;moves=0%2C1%2C2%2C3%2C4%2C5" in page
        assert 'alt="Hex, move 7: Black to move."' in page


def test_a_comment_belongs_to_its_last_writer_with_an_account(study, ann, bob, cy):
    services.invite(study, ann, ["bob", "cy"], can_write=True)
    chapter = study.chapters.get()
    edit(study, ann, "add", move=5)
    edit(study, bob, "comment", [5], text="one", before="")
    edit(study, cy, "comment", [5], text="two", before="one")
    edit(study, bob, "comment", [], text="start", before="")
    edit(study, ann, "mark", [5], mark="good")

    def place(part, *path):
        chapter.refresh_from_db()
        return Place(chapter, part, path)

    assert (place(Part.COMMENT, 5).author, place(Part.COMMENT, 5).text) == (cy, "two")
    assert (place(Part.COMMENT).author, place(Part.COMMENT).text) == (bob, "start")
    assert (place(Part.COMMENT, 6).author, place(Part.COMMENT, 6).text) == (ann, "")
    for part, text in (
        (Part.STUDY, "Bridges"),
        (Part.TITLE, "Bridges"),
        (Part.CHAPTER, "Chapter 1"),
    ):
        assert (place(part).author, place(part).text) == (ann, text)
    chapter.refresh_from_db()
    parts = [one.part for one in removals.places_of(chapter, (5,))]
    assert parts == ["study", "title", "chapter", "comment"]
    parts = [one.part for one in removals.places_of(chapter, (6,))]
    assert parts == ["study", "title", "chapter"]
    User.objects.filter(pk=cy.pk).delete()
    assert place(Part.COMMENT, 5).author == ann  # not bob, who has not written it


def test_a_removed_comment_is_an_edit_without_a_writer(study, people):
    edit(study, people[0], "comment", [], text="rude", before="")
    chapter = study.chapters.get()
    removals.remove_text(Place(chapter, Part.COMMENT, (9,)))  # it is gone
    removals.remove_text(Place(chapter, Part.COMMENT))
    assert record(study).root.comment == ""
    row = chapter.edit_rows.last()
    assert row is not None
    assert (row.number, row.user) == (1, None)
    assert row.data == {"kind": "comment", "path": [], "text": ""}
    services.add_chapter(study, people[0], "rude", record(study))
    removals.remove_text(Place(study.chapters.last(), Part.CHAPTER))
    assert [one.title for one in study.chapters.all()] == ["Chapter 1", "Chapter 2"]


def test_a_study_begins_with_a_picture_or_the_start_of_the_first_game(client, people):
    client.force_login(people[0])
    form = {"title": "A", "visibility": "private"}
    client.post("/studies/new/", form)
    assert StudyRow.objects.get().chapters.get().game_id == game_ids()[0]
    picture = Path("tests/data/antipod_picture_start.txt").read_text(encoding="utf-8")
    client.post("/studies/new/", {**form, "title": "B", "text": picture})
    found = record(StudyRow.objects.get(title="B"))
    assert (found.game.id, found.moves()) == ("antipod", [])
    assert found.start is not None
