"""Studies: chapters, members, visibility, files and pages."""

from typing import Any

import pytest

from antipodes.errors import InputError
from antipodes.games.registry import game_class, make_game
from antipodes.records import Record, from_sgf, to_json
from antipodes.web.moderation import services as moderation
from antipodes.web.platform import pubsub
from antipodes.web.platform.clock import now
from antipodes.web.relations.services import block
from antipodes.web.studies import exports, permissions, removals, services
from antipodes.web.studies.edits import MOVES
from antipodes.web.studies.exports import Paragraph
from antipodes.web.studies.models import ChapterRow, StudyRow, Visibility
from tests.raising import code_of
from tests.web.studies.conftest import edit, record

pytestmark = pytest.mark.django_db


def hex_game():
    found = game_class("hex").finished_game
    assert found is not None
    return Record.from_moves(make_game("hex", found.options), found.moves.split())


def test_a_study_is_made_on_its_page_and_edited(client, people):
    client.force_login(people[0])
    answer = client.post(
        "/studies/new/", {"title": " My  study ", "visibility": "unlisted", "game": "hex"}
    )
    study = StudyRow.objects.get()
    assert answer.url == f"/study/{study.slug}/"
    assert study.title == "My study"
    page = client.get(answer.url, follow=True)
    assert "can-write" in page.content.decode()


def test_an_analysed_line_becomes_a_study(client, people):
    client.force_login(people[0])
    line = {"game": "hex", "size": "4", "moves": "0,5"}
    assert client.get("/studies/new/", line).context["line"].moves == (0, 5)
    client.post("/studies/new/", {"title": "A line", "visibility": "private", **line})
    assert [int(move) for move in record(StudyRow.objects.get()).moves()] == [0, 5]


def test_an_imported_game_keeps_variations_and_comments(client, people):
    game = hex_game()
    game.root.add("a1").comment = "also"
    client.force_login(people[0])
    form = {"title": "Imported", "visibility": "private", "text": to_json(game)}
    client.post("/studies/new/", form)
    assert record(StudyRow.objects.get()).root.same_tree(game.root)


def test_all_chapters_are_one_collection_in_sgf(make_study, people, client):
    study = make_study("public")
    services.add_chapter(study, people[0], "Second", hex_game())
    text = client.get(f"/study/{study.slug}/study.sgf").getvalue().decode()
    assert text.count("(;") >= 2
    assert from_sgf(client.get(f"/study/{study.slug}/2/chapter.sgf").getvalue().decode()).moves()


def test_the_page_to_print_has_every_move_and_comment(make_study, people, client):
    study = make_study("public")
    edit(study, people[0], "add", move=5)
    edit(study, people[0], "comment", [5], text="a <b>bridge</b>", before="")
    edit(study, people[0], "add", move=6)
    edit(study, people[0], "add", [5], move=7)
    text = client.get(f"/study/{study.slug}/print/").getvalue().decode()
    assert "1. b2" in text
    assert "a &lt;b&gt;bridge&lt;/b&gt;" in text
    assert "1. c2" in text
    assert "2. d2" in text


def test_chapters_are_added_moved_renamed_and_deleted(study, people, client):
    client.force_login(people[0])
    client.post(f"/study/{study.slug}/new/", {"chapter": "Ends", "game": "antipod"})
    where = f"/study/{study.slug}/do"
    client.post(f"{where}/move-chapter", {"chapter": "2", "to": "up"})
    client.post(f"{where}/rename-chapter", {"chapter": "1", "title": "Last"})
    assert list(study.chapters.values_list("number", "title")) == [(2, "Ends"), (1, "Last")]
    client.post(f"{where}/delete-chapter", {"chapter": "2"})
    assert client.post(f"{where}/delete-chapter", {"chapter": "1"}).status_code == 400
    client.post(f"/study/{study.slug}/new/", {"chapter": "", "game": "hex"})
    assert ChapterRow.objects.latest("number").number == 3
    client.post(f"{where}/delete")
    assert not StudyRow.objects.exists()


def test_only_public_studies_are_listed(make_study, client):
    for visibility in Visibility:
        make_study(visibility)
    [listed] = client.get("/studies/", {"q": "bridge"}).context["page"].object_list
    assert listed.visibility == Visibility.PUBLIC
    assert not client.get("/studies/", {"q": "ladder"}).context["page"].object_list


def test_guests_have_no_public_studies(client):
    client.post("/studies/new/", {"title": "Mine", "visibility": "public", "game": "hex"})
    assert not StudyRow.objects.exists()
    client.post("/studies/new/", {"title": "Mine", "visibility": "unlisted", "game": "hex"})
    assert StudyRow.objects.get().owner.is_guest


def test_only_the_owner_manages_a_study(make_study, people, client):
    study = make_study("public")
    services.invite(study, people[0], [people[1].username], can_write=True)
    client.force_login(people[1])
    for action, data in (
        ("invite", {"names": people[2].username}),
        ("remove-member", {"member": str(people[0].pk)}),
        ("delete-chapter", {"chapter": "1"}),
        ("delete", {}),
    ):
        assert client.post(f"/study/{study.slug}/do/{action}", data).status_code == 400
    client.post(f"/study/{study.slug}/do/remove-member", {"member": str(people[1].pk)})
    assert not study.members.exists()


def test_the_owner_renames_a_study_and_chooses_who_may_read_it(study, people, client):
    client.force_login(people[0])
    where = f"/study/{study.slug}/settings/"
    answer = client.post(where, {"title": " Ends  of games ", "visibility": "public"})
    assert answer.headers["Location"] == where
    study.refresh_from_db()
    assert (study.title, study.visibility) == ("Ends of games", Visibility.PUBLIC)
    assert "Ends of games" in client.get(where).text
    for wrong in ({"title": " "}, {"visibility": "secret"}):
        form = {"title": "Bridges", "visibility": "public", **wrong}
        assert "errorlist" in client.post(where, form).text
    study.refresh_from_db()
    assert study.title == "Ends of games"


def test_a_study_is_changed_by_its_owner_only(study, people):
    services.invite(study, people[0], [people[1].username], can_write=True)
    for user, title, visibility, code in (
        (people[1], "Mine", "public", "studies/not-the-owner"),
        (people[0], " ", "public", "studies/title"),
        (people[0], "Mine", "secret", "studies/visibility"),
    ):
        assert code_of(services.change_study, study, user, title, visibility) == code
    study.refresh_from_db()
    assert (study.title, study.visibility) == ("Bridges", Visibility.PRIVATE)


def test_guests_cannot_make_their_studies_public(make_study, people):
    study = make_study("unlisted")
    people[0].is_guest = True
    with pytest.raises(InputError, match="Public studies need an account"):
        services.change_study(study, people[0], "Bridges", "public")
    services.change_study(study, people[0], "Bridges", "private")


def test_an_unknown_player_is_not_invited(study, people):
    names = [people[1].username, "stranger"]
    with pytest.raises(InputError, match="No such player: stranger"):
        services.invite(study, people[0], names, can_write=True)
    assert not study.members.exists()


def test_an_invitation_changes_the_role_of_a_member(study, people):
    for can_write in (True, False):
        services.invite(study, people[0], [people[1].username], can_write=can_write)
        assert study.members.get().can_write is can_write


def test_a_record_with_too_many_moves_is_no_chapter(make_study, people, monkeypatch):
    study, game = make_study(), hex_game()
    count = len(game.moves())
    monkeypatch.setenv(MOVES.setting, str(count))
    services.add_chapter(study, people[0], "Second", game)
    monkeypatch.setenv(MOVES.setting, str(count - 1))
    message = f"at most {count - 1} moves, but this game has {count}"
    with pytest.raises(InputError, match=message):
        services.add_chapter(study, people[0], "Third", game)
    assert study.chapters.count() == 2


def test_moving_a_chapter_that_another_writer_deleted_changes_nothing(study, people):
    gone = services.add_chapter(study, people[0], "Second", hex_game())
    services.add_chapter(study, people[0], "Third", hex_game())
    services.delete_chapter(gone, people[0])
    services.move_chapter(gone, people[0], -1)
    assert list(study.chapters.values_list("number", flat=True)) == [1, 3]


def test_a_study_without_chapters_has_no_page(make_study, people, client):
    study = make_study("public")
    address = f"http://testserver/study/{study.slug}/"
    assert client.get("/oembed", {"url": address}).status_code == 200
    study.chapters.all().delete()
    assert client.get(f"/study/{study.slug}/").status_code == 404
    assert client.get("/oembed", {"url": address}).status_code == 404


def test_an_invalid_position_begins_no_study(client, people):
    client.force_login(people[0])
    line = {"game": "hex", "size": "4", "moves": "99"}
    assert client.get("/studies/new/", line).status_code == 404


def test_a_game_that_cannot_be_read_is_an_error_of_the_form(client, people):
    client.force_login(people[0])
    form = {"title": "Imported", "visibility": "private", "text": "(;FF[4"}
    assert "errorlist" in client.post("/studies/new/", form).text
    assert not StudyRow.objects.exists()


def test_studies_chapters_and_members_are_limited(make_study, people, monkeypatch):
    study = make_study()
    for limit in (services.STUDIES, services.CHAPTERS, services.MEMBERS):
        monkeypatch.setenv(limit.setting, "1")
    with pytest.raises(InputError, match="1 studies"):
        make_study()
    with pytest.raises(InputError, match="at most 1 chapters"):
        services.add_chapter(study, people[0], "", hex_game())
    services.invite(study, people[0], [people[1].username], can_write=True)
    with pytest.raises(InputError, match="at most 1 members"):
        services.invite(study, people[0], [people[2].username], can_write=True)
    assert study.members.count() == 1


def test_new_studies_are_limited(make_study, monkeypatch):
    monkeypatch.setenv(services.NEW_STUDIES.setting, "1/minute")
    make_study()
    with pytest.raises(InputError, match="too often"):
        make_study()


def test_other_sites_can_show_a_study_that_everyone_may_read(make_study, client):
    study = make_study("public")
    address = f"http://testserver/study/{study.slug}/1/"

    def asked(**query):
        return client.get("/oembed", {"url": address, **query})

    found = asked().json()
    assert (found["version"], found["type"]) == ("1.0", "rich")
    assert (found["thumbnail_width"], found["thumbnail_height"]) == (1_200, 1_200)
    assert found["thumbnail_url"].startswith("http://testserver/study/")
    assert found["author_name"] == "ann"
    small = asked(maxwidth="300", maxheight="100000").json()
    assert (small["width"], small["height"]) == (300, found["height"])
    assert f'width="{small["width"]}"' in small["html"]
    assert asked(maxwidth="99999999").json()["width"] == found["width"]
    assert asked(maxwidth="1").json()["width"] < 300
    assert asked().headers["Access-Control-Allow-Origin"] == "*"
    assert asked(format="xml").status_code == 501
    elsewhere = f"http://elsewhere.org/study/{study.slug}/1/"
    for url in (elsewhere, "http://testserver/no/such/page", "http://testserver/rules/hex/", ""):
        assert asked(url=url).status_code == 404, url


def test_the_lines_of_a_tree_are_printed_with_each_comment_once():
    found = Record(make_game("hex", {"size": 4, "swap": "off"}))
    main, aside = found.root.play(5), found.root.play(7)
    main.play(6)
    end = aside.play(8)
    main.comment, aside.comment, end.comment = "good", "why not?", "resigns"
    assert list(exports._paragraphs(found)) == [
        Paragraph("1. b2", "good", 0),
        Paragraph("1. d2", "why not?", 1),
        Paragraph("2. a3", "resigns", 1),
        Paragraph("2. c2", "", 0),
    ]
    aside.comment = end.comment = ""
    assert list(exports._paragraphs(found))[1:] == [
        Paragraph("1. d2 2. a3", "", 1),
        Paragraph("2. c2", "", 0),
    ]


def test_variations_of_one_move_are_printed_as_one_paragraph_up_to_a_comment():
    found = Record(make_game("hex", {"size": 4, "swap": "off"}))
    for move in (5, 6, 7, 8, 9):
        found.root.play(move)
    found.root.children[0].play(0)
    found.root.children[2].comment = "why not?"
    found.root.children[4].play(1)
    assert list(exports._joined(exports._paragraphs(found))) == [
        Paragraph("1. b2", "", 0),
        Paragraph("1. c2; 1. d2", "why not?", 1),
        Paragraph("1. a3; 1. b3 2. b1", "", 1),
        Paragraph("2. a1", "", 0),
    ]


@pytest.fixture
def told(monkeypatch):
    """The messages to the groups of studies."""
    found: list[tuple[str, dict[str, Any]]] = []
    monkeypatch.setattr(pubsub, "send_to_group", lambda *sent: found.append(sent))
    return found


def test_a_new_study_has_a_first_chapter(people, clocks):
    study = services.create_study(people[0], " Two  bridges ", "unlisted", hex_game(), "  Start ")
    study.refresh_from_db()
    assert (study.title, study.owner, study.visibility) == ("Two bridges", people[0], "unlisted")
    assert study.made_at == study.changed_at == now()
    chapter = study.chapters.get()
    assert (chapter.number, chapter.place, chapter.title) == (1, 1, "Start")
    assert (chapter.game_id, chapter.edits, chapter.data_edits) == ("hex", 0, 0)
    other = services.create_study(people[0], "x" * 101, "private", hex_game())
    assert other.title == "x" * 100
    assert other.chapters.get().title == "Chapter 1"


def test_a_chapter_is_added_at_the_end_and_its_number_is_never_given_again(
    people, clocks, told, study
):
    clocks.advance(1_000)
    second = services.add_chapter(study, people[0], "  ", hex_game())
    assert (second.number, second.place, second.title) == (2, 2, "Chapter 2")
    services.delete_chapter(second, people[0])
    third = services.add_chapter(study, people[0], " The  end ", hex_game())
    assert (third.number, third.place, third.title) == (3, 3, "The end")
    study.refresh_from_db()
    assert (study.chapters_made, study.version, study.changed_at) == (3, 3, now())
    assert told == [(f"study-{study.slug}", {"type": "study.changed"})] * 3


def test_every_change_is_announced_to_readers(make_study, people, told):
    study = make_study("unlisted")
    group, ann, bob = f"study-{study.slug}", people[0], people[1]
    chapter = study.chapters.get()
    for change in (
        lambda: services.rename_chapter(chapter, ann, "Ends"),
        lambda: services.move_chapter(chapter, ann, 1),
        lambda: services.change_study(study, ann, "Bridges", "private"),
        lambda: services.invite(study, ann, ["bob"], can_write=True),
        lambda: services.remove_member(study, bob, bob.pk),
        lambda: removals.set_hidden(study, is_hidden=True),
        lambda: removals.remove_text(removals.Place(chapter, removals.Part.TITLE)),
    ):
        told.clear()
        change()
        assert told == [(group, {"type": "study.changed"})]
    told.clear()
    removals.set_hidden(study, is_hidden=False)
    for move in (5, 6):
        edit(study, ann, "add", move=move)
    assert told[1:] == [
        (group, {"type": "chapter.edited", "chapter": 1, "edits": 1}),
        (group, {"type": "chapter.edited", "chapter": 1, "edits": 2}),
    ]
    told.clear()
    edit(study, ann, "add", move=5)
    assert told == []
    services.delete_study(study, ann)
    assert told == [(group, {"type": "study.changed"})]


def test_chapters_move_within_their_order(study, people, client):
    for _ in range(2):
        services.add_chapter(study, people[0], "", hex_game())
    client.force_login(people[0])
    for number, to, order in (
        ("1", "down", [2, 1, 3]),
        ("1", "down", [2, 3, 1]),
        ("1", "down", [2, 3, 1]),
        ("3", "up", [3, 2, 1]),
        ("3", "up", [3, 2, 1]),
    ):
        answer = client.post(f"/study/{study.slug}/do/move-chapter", {"chapter": number, "to": to})
        assert answer.url == f"/study/{study.slug}/settings/"
        assert list(study.chapters.values_list("number", flat=True)) == order
        assert list(study.chapters.values_list("place", flat=True)) == [1, 2, 3]
    client.post(f"/study/{study.slug}/do/delete-chapter", {"chapter": "3"})
    assert client.get(f"/study/{study.slug}/").url == f"/study/{study.slug}/2/"


def test_readers_change_nothing_and_writers_only_chapters(make_study, people):
    study = make_study("public")
    services.invite(study, people[0], ["bob"], can_write=True)
    services.invite(study, people[0], ["cy"], can_write=False)
    chapter = study.chapters.get()

    def refusal(change, *more):
        try:
            change(*more)
        except InputError as error:
            return error.code
        return ""

    for user, expected in ((people[1], ""), (people[2], "studies/not-a-writer")):
        assert refusal(services.rename_chapter, chapter, user, "Ends") == expected
        assert refusal(services.move_chapter, chapter, user, 1) == expected
        assert refusal(services.add_chapter, study, user, "", hex_game()) == expected
        assert refusal(services.delete_chapter, chapter, user) == "studies/not-the-owner"
        assert refusal(services.delete_study, study, user) == "studies/not-the-owner"
    services.delete_chapter(study.chapters.last(), people[0])
    assert refusal(services.delete_chapter, chapter, people[0]) == "studies/last-chapter"
    assert refusal(services.rename_chapter, chapter, people[0], " ") == "studies/title"


def test_muted_writers_make_and_edit_nothing(make_study, people, moderator):
    study = make_study()
    moderation.mute(moderator, people[0], 1, "rude")
    for change in (
        make_study,
        lambda: edit(study, people[0], "add", move=5),
        lambda: services.add_chapter(study, people[0], "", hex_game()),
    ):
        assert code_of(change) == "chat/muted"
    assert StudyRow.objects.count() == ChapterRow.objects.count() == 1


def test_new_chapters_count_as_edits(study, people, monkeypatch):
    monkeypatch.setenv(services.EDITS.setting, "1/minute")
    services.add_chapter(study, people[0], "", hex_game())
    with pytest.raises(InputError, match="too often"):
        services.add_chapter(study, people[0], "", hex_game())


def test_owners_invite_others_and_none_who_are_blocked(study, people):
    found = services.invite(study, people[0], ["bob", "ann", "cy"], can_write=True)
    assert {one.username for one in found} == {"bob", "cy"}
    assert {one.user.username for one in study.members.all()} == {"bob", "cy"}
    with pytest.raises(InputError, match=r"No such player: x, y\.$"):
        services.invite(study, people[0], ["x", "dee", "y"], can_write=True)
    block(people[3], people[0])
    assert (
        code_of(services.invite, study, people[0], ["dee"], can_write=True)
        == "community/not-together"
    )
    services.remove_member(study, people[0], people[2].pk)
    assert [one.user.username for one in study.members.all()] == ["bob"]


@pytest.mark.parametrize(
    ("visibility", "is_hidden", "read", "write"),
    [
        ("public", False, "ann bob cy dee -", "ann bob"),
        ("unlisted", False, "ann bob cy dee -", "ann bob"),
        ("private", False, "ann bob cy", "ann bob"),
        ("public", True, "ann", "ann"),
        ("private", True, "ann", "ann"),
    ],
)
def test_a_study_is_read_and_written_by_its_members(
    make_study, people, visibility, is_hidden, read, write
):
    study = make_study(visibility)
    services.invite(study, people[0], ["bob"], can_write=True)
    services.invite(study, people[0], ["cy"], can_write=False)
    removals.set_hidden(study, is_hidden=is_hidden)
    study.refresh_from_db()
    users = {user.username: user for user in people} | {"-": None}

    def those_who(may):
        return " ".join(name for name, user in users.items() if may(study, user))

    assert those_who(permissions.may_read) == read
    assert those_who(permissions.may_write) == write
    assert those_who(permissions.may_manage) == "ann"
    found = [
        user.username
        for user in people
        if StudyRow.objects.filter(permissions.of_member(user)).exists()
    ]
    assert found == (["ann"] if is_hidden else ["ann", "bob", "cy"])
    is_listed = StudyRow.objects.filter(permissions.is_listed()).exists()
    assert is_listed is (visibility == "public" and not is_hidden)
    assert study.is_private is (visibility == "private" or is_hidden)
