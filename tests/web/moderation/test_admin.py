"""Admin pages for moderators."""

import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.db import IntegrityError
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.moderation import reports, services
from antipodes.web.moderation.admin import link_to, moment
from antipodes.web.moderation.models import (
    AuditRow,
    ForbiddenChangeError,
    HiddenLineRow,
    ReportRow,
    SanctionRow,
)
from antipodes.web.moderation.sanctions import in_force
from antipodes.web.ratings.models import Unrated
from tests.cases import for_each
from tests.web.archive.conftest import play, resign

pytestmark = pytest.mark.django_db

MODELS = (
    "moderation_reportrow",
    "moderation_sanctionrow",
    "moderation_hiddenlinerow",
    "moderation_auditrow",
    "accounts_user",
    "matches_matchrow",
    "matches_chatline",
    "challenges_challengerow",
)


def page_of(report):
    return reverse("admin:moderation_reportrow_change", args=[report.pk])


def submit(client, report, action, **more):
    answer = client.post(page_of(report), {"action": action, "reason": "be kind", **more})
    assert answer.status_code in (200, 302)
    report.refresh_from_db()
    return answer


def test_a_report_is_shown_with_the_chat_around_it(client, moderator, report, lines):
    reports.report(lines[0].user, lines[1].user, "spam")
    client.force_login(moderator)
    text = client.get(page_of(report)).content.decode()
    for line in lines:
        assert line.text in text
    assert "again!" in text
    assert "advertising or spam" in text
    assert lines[0].match.slug in text


def test_admin_pages_have_no_inline_scripts_or_styles(client, root, report, moderator):
    services.warn(moderator, report.about, "a warning", report)
    client.force_login(root)
    pages = [reverse("admin:index"), page_of(report), reverse("admin:accounts_user_add")]
    pages += [reverse(f"admin:{name}_changelist") for name in MODELS]
    pages += [
        reverse(f"admin:{name}_change", args=[pk])
        for name, pk in (
            ("moderation_sanctionrow", SanctionRow.objects.get().pk),
            ("moderation_auditrow", AuditRow.objects.get().pk),
            ("accounts_user", report.about.pk),
            ("matches_matchrow", report.match.pk),
            ("matches_chatline", report.line.pk),
        )
    ]
    pages.append(reverse("admin:accounts_user_act", args=[report.about.pk]))
    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 200, page
        text = answer.content.decode()
        assert "unsafe-inline" not in answer.headers["Content-Security-Policy"]
        assert "'unsafe-eval'" not in answer.headers["Content-Security-Policy"]
        assert "<script>" not in text, page
        assert " style=" not in text, page
        assert " onclick=" not in text, page


@for_each("name", MODELS)
def test_moderators_search_all_lists(client, moderator, report, name):
    client.force_login(moderator)
    assert client.get(reverse(f"admin:{name}_changelist"), {"q": "ann"}).status_code == 200


def test_moderators_cannot_see_email_addresses_or_grant_permissions(client, moderator, people):
    people[0].email = "ann@example.org"
    people[0].save()
    client.force_login(moderator)
    page = reverse("admin:accounts_user_change", args=[people[0].pk])
    text = client.get(page).content.decode()
    assert "ann@example.org" not in text
    assert "is_superuser" not in text
    assert client.post(page, {"username": "anna", "is_staff": "on"}).status_code == 403
    assert client.get(reverse("admin:accounts_user_changelist"), {"q": "ann@example.org"}).content
    found = client.get(reverse("admin:accounts_user_changelist"), {"q": "ann@example.org"})
    assert reverse("admin:accounts_user_change", args=[people[0].pk]) not in found.content.decode()


@pytest.mark.parametrize(
    ("action", "more", "kind"),
    [
        ("warn", {}, "warning"),
        ("mute", {"days": "3"}, "mute"),
        ("suspend", {"days": "7"}, "suspension"),
        ("suspend", {"permanent": "on"}, "suspension"),
        ("rename", {"name": "bobby"}, "renaming"),
        ("hide", {}, "line"),
    ],
)
def test_an_action_closes_the_report_and_is_logged(client, moderator, report, action, more, kind):
    client.force_login(moderator)
    answer = submit(client, report, action, **more)
    assert answer["Location"] == reverse("admin:moderation_reportrow_changelist")
    sanction = SanctionRow.objects.get()
    assert (sanction.kind, sanction.user, sanction.reason) == (kind, report.about, "be kind")
    assert (sanction.report, sanction.by) == (report, moderator)
    assert report.state == ReportRow.State.ACTED
    assert report.closed_by == moderator
    entry = AuditRow.objects.get()
    assert (entry.by_name, entry.act, entry.reason) == ("mod", kind, "be kind")
    assert entry.about_key == report.about.pk


def test_a_dismissed_report_is_closed_without_a_sanction(client, moderator, report):
    client.force_login(moderator)
    submit(client, report, "dismiss")
    assert report.state == ReportRow.State.DISMISSED
    assert not SanctionRow.objects.exists()
    assert AuditRow.objects.get().act == "dismiss"


@pytest.mark.parametrize(
    ("action", "more", "error"),
    [
        ("mute", {}, "or choose “Permanent”"),
        ("mute", {"days": "3", "permanent": "on"}, "or choose “Permanent”"),
        ("suspend", {"days": "0"}, "greater than or equal to 1"),
        ("rename", {"name": "admin"}, "is reserved"),
        ("rename", {"name": "ANN"}, "is the name of another account"),
        ("warn", {"reason": ""}, "required"),
        ("execute", {}, "execute"),
    ],
)
def test_an_invalid_action_shows_an_error_and_changes_nothing(
    client, moderator, report, action, more, error
):
    client.force_login(moderator)
    answer = submit(client, report, action, **more)
    assert error in answer.content.decode()
    assert report.state == ReportRow.State.OPEN
    assert not SanctionRow.objects.exists()
    assert not AuditRow.objects.exists()


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("admin:accounts_user_act", "This player does not exist."),
        ("admin:moderation_reportrow_change", "This report does not exist."),
        ("admin:moderation_sanctionrow_lift", "This sanction does not exist."),
        ("admin:matches_matchrow_void", "This match does not exist."),
        ("admin:matches_chatline_change", "This chat line does not exist."),
        ("admin:puzzles_puzzlereportrow_retire", "This report does not exist."),
        ("admin:puzzles_puzzlereportrow_keep", "This report does not exist."),
    ],
)
def test_pages_of_missing_rows_do_not_exist(client, moderator, name, missing):
    client.force_login(moderator)
    request = client.get(reverse(name, args=[4_000_000])).wsgi_request
    match = request.resolver_match
    with pytest.raises(Http404) as caught:
        match.func(request, *match.args, **match.kwargs)
    assert str(caught.value) == missing


STAFF_PAGES = {
    "admin:accounts_user_act": "accounts.view_user",
    "admin:moderation_reportrow_change": "moderation.view_reportrow",
    "admin:moderation_sanctionrow_lift": "moderation.view_sanctionrow",
    "admin:matches_chatline_change": "matches.view_chatline",
}


@pytest.mark.parametrize("name", STAFF_PAGES)
def test_staff_who_are_not_moderators_cannot_act(client, report, moderator, name):
    sanction = services.warn(moderator, report.about, "be kind")
    keys = {
        "admin:accounts_user_act": report.about.pk,
        "admin:moderation_reportrow_change": report.pk,
        "admin:moderation_sanctionrow_lift": sanction.pk,
        "admin:matches_chatline_change": report.line.pk,
    }
    helper = User.objects.create(username="helper", is_staff=True)
    app, code = STAFF_PAGES[name].split(".")
    helper.user_permissions.add(Permission.objects.get(content_type__app_label=app, codename=code))
    client.force_login(helper)
    page = reverse(name, args=[keys[name]])
    assert client.get(page).status_code == 403
    fields = {"action": "dismiss", "reason": "no"}
    assert client.post(page, fields).status_code == 403
    report.refresh_from_db()
    sanction.refresh_from_db()
    assert (report.state, sanction.lifted_at) == (ReportRow.State.OPEN, None)
    client.force_login(moderator)
    assert client.get(page).status_code == 200


@pytest.mark.parametrize("names", [(), (services.PERMISSION,)])
def test_staff_who_may_not_view_reports_cannot_read_them(client, report, names):
    helper = User.objects.create(username="helper", is_staff=True)
    for name in names:
        app, code = name.split(".")
        found = Permission.objects.get(content_type__app_label=app, codename=code)
        helper.user_permissions.add(found)
    client.force_login(helper)
    assert client.get(page_of(report)).status_code == 403


def test_guests_cannot_be_renamed_by_the_form(client, moderator, people):
    guest = User.objects.create(username="Guest 1234", is_guest=True)
    client.force_login(moderator)
    for user, is_offered in ((guest, False), (people[0], True)):
        page = client.get(reverse("admin:accounts_user_act", args=[user.pk]))
        offered = dict(page.context["form"].fields["action"].choices)
        assert ("rename" in offered) is is_offered
        assert {"warn", "mute", "suspend"} <= offered.keys()


def test_only_superusers_can_act_on_staff(moderator, root, people):
    other = User.objects.create(username="mod2", is_staff=True)
    assert not services.may_act_on(moderator, moderator)
    assert not services.may_act_on(moderator, other)
    assert not services.may_act_on(moderator, root)
    assert not services.may_act_on(people[0], people[1])
    assert not services.may_act_on(root, root)
    assert services.may_act_on(root, moderator)
    assert services.may_act_on(moderator, people[0])


def test_moderators_cannot_close_reports_about_themselves(client, moderator, people):
    row = reports.report(people[0], moderator, "insult")
    client.force_login(moderator)
    page = client.post(page_of(row), {"action": "dismiss", "reason": "no"})
    assert "You cannot act on this player" in page.content.decode()
    row.refresh_from_db()
    assert row.state == ReportRow.State.OPEN


def test_a_suspension_is_lifted_with_a_reason(client, moderator, people):
    sanction = services.suspend(moderator, people[0], 5, "too loud")
    client.force_login(moderator)
    page = reverse("admin:moderation_sanctionrow_lift", args=[sanction.pk])
    assert client.get(page).status_code == 200
    assert client.post(page, {"reason": ""}).status_code == 200
    assert in_force(people[0], "suspension") == sanction
    assert client.post(page, {"reason": "a mistake"}).status_code == 302
    assert in_force(people[0], "suspension") is None
    assert [row.act for row in AuditRow.objects.all()] == ["lift", "suspension"]
    assert "no longer in force" in client.post(page, {"reason": "again"}).content.decode()


def test_the_audit_log_cannot_be_changed(moderator, people):
    services.warn(moderator, people[0], "a warning")
    row = AuditRow.objects.get()
    row.reason = "none"
    for change in (
        row.save,
        row.delete,
        AuditRow.objects.all().delete,
        lambda: AuditRow.objects.update(reason="none"),
        lambda: AuditRow.objects.bulk_update([row], ["reason"]),
        lambda: AuditRow.objects.update_or_create(pk=row.pk, defaults={"reason": "none"}),
        lambda: AuditRow.objects.bulk_create([row], update_conflicts=True),
    ):
        with pytest.raises(ForbiddenChangeError):
            change()
    assert AuditRow.objects.get().reason == "a warning"


def test_the_audit_log_outlives_deleted_accounts(moderator):
    person = User.objects.create(username="gone")
    services.warn(moderator, person, "a warning")
    person.delete()
    assert AuditRow.objects.get().about_name == "gone"


def test_admin_changes_are_logged(client, root, people):
    client.force_login(root)
    page = reverse("admin:accounts_user_change", args=[people[0].pk])
    answer = client.post(page, {"username": "ann", "is_staff": "on", "is_active": "on"})
    assert answer.status_code == 302, answer.content.decode()
    people[0].refresh_from_db()
    assert people[0].is_staff
    assert LogEntry.objects.count() == 1
    row = AuditRow.objects.get()
    assert (row.by_name, row.about_name) == ("rooty", "ann")
    LogEntry.objects.get().save()  # only new entries are copied
    assert AuditRow.objects.get() == row


def test_a_missing_row_has_no_link():
    assert link_to(None) == ""
    assert link_to(None, "a text") == ""
    assert link_to(row := User(pk=7, username="gus")) == f'<a href="{admin_page(row)}">gus</a>'
    assert link_to(row, "he") == f'<a href="{admin_page(row)}">he</a>'


def admin_page(row):
    return reverse(f"admin:{row._meta.label_lower.replace('.', '_')}_change", args=[row.pk])


def test_moments_are_in_utc_and_may_be_missing():
    assert moment(None) == ""
    assert moment(1_772_454_600_000) == "2 March 2026, 12:30"


def test_after_an_action_on_a_player_the_page_of_the_player_says_that_it_is_done(
    client, moderator, people
):
    client.force_login(moderator)
    page = reverse("admin:accounts_user_act", args=[people[0].pk])
    answer = client.post(page, {"action": "warn", "reason": "be kind"}, follow=True)
    assert answer.redirect_chain == [(admin_page(people[0]), 302)]
    assert "Done and logged." in answer.content.decode()
    assert SanctionRow.objects.get().report is None


def test_the_list_of_reports_has_the_open_ones_unless_a_state_is_chosen(client, moderator, people):
    done = reports.report(people[0], people[1], "insult")
    services.dismiss(moderator, done, "nothing")
    later, first = (reports.report(people[0], one, "insult") for one in people[2:])
    ReportRow.objects.filter(pk=first.pk).update(made_at=timezone.now() - timedelta(hours=1))
    client.force_login(moderator)
    page = reverse("admin:moderation_reportrow_changelist")
    for query, rows in (
        ({}, [first, later]),
        ({"state": "dismissed"}, [done]),
        ({"state": "acted"}, []),
        ({"state": "all"}, [first, done, later]),
    ):
        listed = client.get(page, query).context["cl"]
        assert list(listed.result_list) == rows, query
        choices = [one["display"] for one in listed.filter_specs[0].choices(listed)]
        assert choices == ["open", "acted on", "dismissed", "all"]


def test_a_number_that_cannot_be_read_is_the_page_of_no_row(client, moderator, report):
    ReportRow.objects.update(id=1, line=None)
    ChatLine.objects.exclude(pk=report.line.pk).delete()
    ChatLine.objects.update(id=1)
    client.force_login(moderator)
    for name in ("moderation_reportrow", "matches_chatline"):
        assert client.get(reverse(f"admin:{name}_change", args=[1])).status_code == 200
        assert client.get(reverse(f"admin:{name}_change", args=["x"])).status_code == 404


def test_the_page_of_a_sanction_links_to_its_lifting_while_it_is_in_force(
    client, moderator, people
):
    warning = services.warn(moderator, people[0], "be kind")
    mute = services.mute(moderator, people[0], 3, "too loud")
    client.force_login(moderator)
    links = [
        reverse("admin:moderation_sanctionrow_lift", args=[sanction.pk])
        for sanction in (warning, mute)
    ]
    pages = [client.get(admin_page(sanction)).content.decode() for sanction in (warning, mute)]
    assert [link in page for link, page in zip(links, pages, strict=True)] == [False, True]
    text = client.get(links[1]).content.decode()
    for words in ("Lift: ann: mute", "too loud", 'value="Lift"'):
        assert words in text
    answer = client.post(links[1], {"reason": "a mistake"}, follow=True)
    assert answer.redirect_chain == [(admin_page(people[0]), 302)]
    assert "Done and logged." in answer.content.decode()


def test_the_list_of_deleted_lines_links_to_their_authors(client, moderator, lines):
    services.hide_line(moderator, lines[1], "an insult")
    services.hide_line(moderator, lines[1], "an insult again")
    assert str(HiddenLineRow.objects.get()) == "you fool"
    client.force_login(moderator)
    text = client.get(reverse("admin:moderation_hiddenlinerow_changelist")).content.decode()
    assert str(link_to(lines[1].user)) in text


def test_superusers_find_and_edit_accounts_by_their_addresses(client, root, people):
    people[0].email = "ann@example.org"
    people[0].save()
    client.force_login(root)
    found = client.get(reverse("admin:accounts_user_changelist"), {"q": "ann@example.org"})
    assert list(found.context["cl"].result_list) == [people[0]]
    text = client.get(admin_page(people[0])).content.decode()
    for field in ("email", "is_staff", "is_superuser", "groups"):
        assert f'name="{field}"' in text
    assert reverse("admin:accounts_user_act", args=[people[0].pk]) in text
    assert f"?about_key={people[0].pk}" in text
    assert 'name="password1"' in client.get(reverse("admin:accounts_user_add")).content.decode()


def test_changes_of_other_rows_in_the_admin_are_about_no_player(client, root):
    client.force_login(root)
    assert client.post(reverse("admin:auth_group_add"), {"name": "helpers"}).status_code == 302
    group = Group.objects.get(name="helpers")
    client.post(reverse("admin:auth_group_delete", args=[group.pk]), {"post": "yes"})
    assert [(row.act, row.about_key, row.about_name) for row in AuditRow.objects.all()] == [
        ("deletion", None, ""),
        ("addition", None, ""),
    ]
    assert AuditRow.objects.latest("pk").what.endswith(": helpers")


def test_entries_can_be_added_to_the_audit_log_but_replace_none(moderator, people):
    services.warn(moderator, people[0], "a warning")
    AuditRow.objects.bulk_create([AuditRow(by_name="mod", act="later")])
    assert [row.act for row in AuditRow.objects.all()] == ["later", "warning"]
    last = AuditRow.objects.latest("pk")
    with pytest.raises(IntegrityError):
        AuditRow(pk=last.pk, by_name="mod", act="other").save()


def fields_of(page):
    """Return the values that a page of the admin shows, by their labels."""
    found = r'<label>([^<]+):</label>\s*<div class="readonly">(.*?)</div>'
    return dict(re.findall(found, page.content.decode(), re.DOTALL))


def test_the_page_of_a_match_shows_players_times_and_moves(client, moderator, row, people):
    play(row, "a1", "b2")
    resign(row)
    MatchRow.objects.filter(pk=row.pk).update(begun_at=1_772_454_600_000, ended_at=None)
    Unrated.objects.create(match=row, reason=Unrated.Reason.VOIDED)
    client.force_login(moderator)
    chat = reverse("admin:matches_chatline_changelist")
    expected = {
        "Game id": "hex",
        "Page": f'<a href="/m/{row.slug}/">{row.slug}</a>',
        "Not rated because": "Moderators have voided the rating of this game.",
        "Players": ", ".join(str(link_to(user)) for user in people[:2]),
        "Begun": "2 March 2026, 12:30",
        "Ended": "",
        "Moves": "a1 b2",
        "Chat": f'<a href="{chat}?q={row.slug}">chat lines</a>',
    }
    shown = fields_of(client.get(admin_page(row)))
    assert {name: shown.get(name) for name in expected} == expected


def test_matches_and_challenges_are_listed_by_game(client, moderator, begin, people):
    match = begin(size=3)
    other = begin("antipod", side=3)
    challenge = ChallengeRow.objects.create(game_id="hex", by=people[0], made_at=1_772_454_600_000)
    client.force_login(moderator)
    page = reverse("admin:matches_matchrow_changelist")
    for query, rows in (
        ({}, [other, match]),
        ({"game": "hex"}, [match]),
        ({"game": "antipode"}, []),
    ):
        assert list(client.get(page, query).context["cl"].result_list) == rows, query
    text = client.get(reverse("admin:challenges_challengerow_changelist")).content.decode()
    assert challenge.slug in text
    assert "2 March 2026, 12:30" in text
