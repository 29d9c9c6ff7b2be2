"""Reports of studies: whom they are about, and what moderators do."""

import pytest

from antipodes.games.registry import make_game
from antipodes.records import Record
from antipodes.web.moderation import action_views, reports
from antipodes.web.moderation import services as moderation
from antipodes.web.moderation.action_views import Case
from antipodes.web.moderation.models import ReportRow, SanctionRow
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.studies import services as studies
from antipodes.web.studies.models import StudyRow
from antipodes.web.studies.removals import Part, Place
from tests.web.studies.conftest import edit, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(people):
    """A public study of ann, in which bob has written a comment after the first move."""
    game = make_game("hex", {"size": 4, "swap": "off"})
    found = studies.create_study(people[0], "Bridges", "public", Record(game))
    studies.invite(found, people[0], ["bob"], can_write=True)
    edit(found, people[0], "add", move=5)
    edit(found, people[1], "comment", [5], text="you fool", before="")
    return found


def report(client, study, user, part, **more):
    client.force_login(user)
    address = f"/study/{study.slug}/1/report/?path={more.get('path', '')}"
    return client.post(address, {"reason": "insult", "part": part})


def test_a_comment_is_reported_with_its_text_and_its_author(client, study, people):
    page = report(client, study, people[2], "comment", path="5")
    assert "Thank you" in page.content.decode()
    row = ReportRow.objects.get()
    assert (row.about, row.quote, row.study) == (people[1], "you fool", study)
    report(client, study, people[2], "comment", path="5")
    assert ReportRow.objects.count() == 1
    report(client, study, people[2], "title")
    assert ReportRow.objects.latest("pk").about == people[0]


def test_a_report_beyond_the_daily_limit_shows_the_form_with_the_reason(
    client, study, people, monkeypatch
):
    monkeypatch.setattr(reports, "MOST_A_DAY", 0)
    page = report(client, study, people[2], "comment", path="5")
    assert page.status_code == 200
    message = "you have reached the limit of 0 reports a day"
    assert page.context["form"].errors == {"__all__": [message]}
    assert message in page.content.decode()
    assert not ReportRow.objects.exists()


def test_only_what_is_there_and_not_ones_own_can_be_reported(client, study, people):
    page = report(client, study, people[2], "comment")  # there is none at the start
    assert not ReportRow.objects.exists()
    assert page.status_code == 200
    client.force_login(people[0])
    assert client.get(f"/study/{study.slug}/1/report/").status_code == 404
    assert client.get(f"/study/{study.slug}/1/report/?path=5").status_code == 200


def test_moderators_read_the_report_with_all_comments_and_delete_the_text(
    client, study, people, moderator
):
    report(client, study, people[2], "comment", path="5")
    client.force_login(moderator)
    row = ReportRow.objects.get()
    address = f"/admin/moderation/reportrow/{row.pk}/change/"
    assert "you fool" in client.get(address).content.decode()
    client.post(address, {"action": "remove-text", "reason": "Be kind."})
    assert record(study).root.children[0].comment == ""
    sanction = SanctionRow.objects.get()
    assert (sanction.user, sanction.kind, sanction.what) == (people[1], "text", "you fool")
    text = NotificationRow.objects.get(user=people[1]).arguments["text"]
    assert text == "Be kind."
    assert "remove-text" not in client.get(address).content.decode()


def test_a_removed_title_becomes_a_neutral_one(study, people, moderator):
    chapter = study.chapters.get()
    chapter.title = "rude"
    chapter.save()
    for part, expected in ((Part.CHAPTER, "Chapter 1"), (Part.TITLE, "Study")):
        place = Place(chapter, part)
        moderation.remove_text(moderator, people[0], place, "rude")
        chapter.refresh_from_db()
        chapter.study.refresh_from_db()
        assert place.text == expected


def test_a_hidden_study_exists_for_its_owner_only_until_the_sanction_is_lifted(
    client, study, people, moderator
):
    address = f"/study/{study.slug}/1/"
    sanction = moderation.hide_study(moderator, study, "rude throughout")
    client.force_login(people[1])
    assert client.get(address).status_code == 404
    assert study.slug not in client.get("/studies/").content.decode()
    assert study.slug not in client.get("/studies/?mine").content.decode()
    assert client.get(f"/study/{study.slug}/1/embed/").status_code == 404
    client.force_login(people[0])
    assert "Moderators have hidden this study" in client.get(address).content.decode()
    moderation.lift(moderator, sanction, "it was changed")
    client.logout()
    assert client.get(address).status_code == 200


def test_moderators_hide_a_reported_study_once(client, study, people, moderator):
    report(client, study, people[2], "study")
    row = ReportRow.objects.get()
    client.force_login(moderator)
    address = f"/admin/moderation/reportrow/{row.pk}/change/"
    assert client.post(address, {"action": "hide-study", "reason": "rude"}).status_code == 302
    sanction = SanctionRow.objects.get()
    assert (sanction.user, sanction.kind, sanction.reason) == (people[0], "study", "rude")
    study.refresh_from_db()
    row.refresh_from_db()
    assert study.hidden_at is not None
    assert row.state == ReportRow.State.ACTED
    again = client.post(address, {"action": "hide-study", "reason": "rude"})
    assert list(again.context["form"].errors) == ["action"]


def test_a_report_outlives_its_chapter_alone(client, study, people):
    report(client, study, people[2], "comment", path="5")
    row = ReportRow.objects.get()
    place = reports.place_of(row)
    assert place is not None
    assert (place.chapter.number, place.part, place.path) == (1, Part.COMMENT, (5,))
    study.chapters.all().delete()
    assert reports.place_of(row) is None


def test_reports_outlive_the_study_and_the_chapter(client, study, people, moderator):
    for part in ("study", "comment"):
        report(client, study, people[2], part, path="5")
    StudyRow.objects.all().delete()
    client.force_login(moderator)
    for row in ReportRow.objects.all():
        assert reports.place_of(row) is None
        assert client.get(f"/admin/moderation/reportrow/{row.pk}/change/").status_code == 200


def test_the_actions_on_a_reported_part_are_those_that_are_possible(
    client, study, people, moderator
):
    for part in ("study", "title", "comment"):
        report(client, study, people[2], part, path="5")
    of_study, of_title, of_comment = ReportRow.objects.order_by("pk")
    usual = ["warn", "mute", "suspend", "rename"]

    def actions(row):
        row = ReportRow.objects.get(pk=row.pk)
        return list(Case(row.about, row).actions())

    assert actions(of_study) == [*usual, "hide-study", "dismiss"]
    assert actions(of_title) == [*usual, "remove-text", "hide-study", "dismiss"]
    assert actions(of_comment) == [*usual, "remove-text", "hide-study", "dismiss"]
    edit(study, people[1], "comment", [5], text="", before="you fool")
    assert actions(of_comment) == [*usual, "hide-study", "dismiss"]
    moderation.hide_study(moderator, study, "rude throughout", of_study)
    assert actions(of_study) == usual
    assert actions(of_title) == [*usual, "remove-text", "dismiss"]


def test_a_report_shows_the_first_comments_of_its_chapter(
    client, study, people, moderator, monkeypatch
):
    edit(study, people[0], "comment", [], text="At the start", before="")
    edit(study, people[0], "add", [5], move=6)
    report(client, study, people[2], "comment", path="5")
    client.force_login(moderator)
    address = f"/admin/moderation/reportrow/{ReportRow.objects.get().pk}/change/"
    for most in (50, 1):
        monkeypatch.setattr(action_views, "_MOST_COMMENTS", most)
        comments = client.get(address).context["comments"]
        assert comments == ["At the start", "you fool"][:most]


def test_what_is_no_move_is_left_out_of_a_position(client, study, people):
    report(client, study, people[2], "comment", path="x,5,")
    assert ReportRow.objects.get().place == {"part": "comment", "chapter": 1, "path": [5]}
    client.force_login(people[2])
    page = client.get(f"/study/{study.slug}/1/report/?path=5")
    assert page.context["form"].errors == {}
    parts = [value for value, _ in page.context["form"].fields["part"].choices]
    assert parts == ["study", "title", "chapter", "comment"]
    assert list(page.context["form"].fields) == ["part", "reason", "text"]


def test_writers_report_only_what_others_wrote(client, study, people):
    client.force_login(people[0])
    page = client.get(f"/study/{study.slug}/1/report/?path=5")
    assert [value for value, _ in page.context["form"].fields["part"].choices] == ["comment"]


def test_removed_texts_are_quoted_up_to_five_hundred_characters(study, people, moderator):
    edit(study, people[1], "comment", [5], text="x" * 600, before="you fool")
    chapter = study.chapters.get()
    sanction = moderation.remove_text(
        moderator, people[1], Place(chapter, Part.COMMENT, (5,)), "long"
    )
    assert sanction.what == "x" * 500
    assert not sanction.is_in_force
