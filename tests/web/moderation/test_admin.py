"""Admin pages for moderators."""

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from antipodes.web.accounts.models import User
from antipodes.web.matches.models import ChatLine
from antipodes.web.moderation import reports, services
from antipodes.web.moderation.models import AuditRow, ForbiddenChangeError, ReportRow, SanctionRow
from antipodes.web.moderation.sanctions import in_force

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


@pytest.fixture
def said(begin, people):
    """Lines of both players of a match."""
    row = begin(size=3)
    texts = ["hello", "you fool", "please stop"]
    return [
        ChatLine.objects.create(match=row, room="seated", user=people[n % 2], text=text, at=n)
        for n, text in enumerate(texts)
    ]


@pytest.fixture
def report(said, people):
    """Ann has reported what Bob said."""
    return reports.report(
        people[0], people[1], "insult", "again!", match=said[1].match, line=said[1]
    )


def page_of(report):
    return reverse("admin:moderation_reportrow_change", args=[report.pk])


def fill(client, report, act, **more):
    answer = client.post(page_of(report), {"act": act, "reason": "be kind", **more})
    assert answer.status_code in (200, 302)
    report.refresh_from_db()
    return answer


def test_a_report_is_shown_with_what_was_said_around_it(client, moderator, report, said):
    reports.report(said[0].user, said[1].user, "spam")
    client.force_login(moderator)
    text = client.get(page_of(report)).content.decode()
    for line in said:
        assert line.text in text
    assert "again!" in text
    assert "advertising or spam" in text
    assert said[0].match.slug in text


def test_pages_of_the_staff_run_no_scripts_but_files(client, root, report, moderator):
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
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
        assert "<script>" not in text, page
        assert " style=" not in text, page
        assert " onclick=" not in text, page


@pytest.mark.parametrize("name", MODELS)
def test_moderators_see_lists_and_can_search_them_and_change_nothing(
    client, moderator, report, name
):
    client.force_login(moderator)
    page = reverse(f"admin:{name}_changelist")
    assert client.get(page).status_code == 200
    assert client.get(page, {"q": "ann"}).status_code == 200
    assert client.get(reverse(f"admin:{name}_add")).status_code == 403
    delete = reverse(f"admin:{name}_delete", args=[1])
    assert client.post(delete, {"post": "yes"}).status_code in (302, 403)


def test_moderators_see_no_addresses_and_give_no_rights(client, moderator, people):
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
    ("act", "more", "kind"),
    [
        ("warn", {}, "warning"),
        ("mute", {"days": "3"}, "mute"),
        ("suspend", {"days": "7"}, "suspension"),
        ("suspend", {"for_ever": "on"}, "suspension"),
        ("rename", {"name": "bobby"}, "renaming"),
        ("hide", {}, "line"),
    ],
)
def test_an_action_closes_the_report_and_is_logged(client, moderator, report, act, more, kind):
    client.force_login(moderator)
    fill(client, report, act, **more)
    measure = SanctionRow.objects.get()
    assert (measure.kind, measure.user, measure.reason) == (kind, report.about, "be kind")
    assert report.state == ReportRow.State.ACTED
    assert report.closed_by == moderator
    written = AuditRow.objects.get()
    assert (written.by_name, written.act, written.reason) == ("mod", kind, "be kind")
    assert written.about_key == report.about.pk


def test_dismissing_does_nothing_but_close_the_report(client, moderator, report):
    client.force_login(moderator)
    fill(client, report, "dismiss")
    assert report.state == ReportRow.State.DISMISSED
    assert not SanctionRow.objects.exists()
    assert AuditRow.objects.get().act == "dismiss"


@pytest.mark.parametrize(
    ("act", "more", "told"),
    [
        ("mute", {}, "for ever"),
        ("mute", {"days": "3", "for_ever": "on"}, "for ever"),
        ("suspend", {"days": "0"}, "greater than or equal to 1"),
        ("rename", {"name": "admin"}, "kept free"),
        ("rename", {"name": "ANN"}, "is the name of another account"),
        ("warn", {"reason": ""}, "required"),
        ("execute", {}, "execute"),
    ],
)
def test_an_invalid_action_shows_an_error_and_changes_nothing(
    client, moderator, report, act, more, told
):
    client.force_login(moderator)
    answer = fill(client, report, act, **more)
    assert told in answer.content.decode()
    assert report.state == ReportRow.State.OPEN
    assert not SanctionRow.objects.exists()
    assert not AuditRow.objects.exists()


def test_only_superusers_act_on_staff(moderator, root, people):
    other = User.objects.create(username="mod2", is_staff=True)
    assert not services.may_act_on(moderator, moderator)
    assert not services.may_act_on(moderator, other)
    assert not services.may_act_on(moderator, root)
    assert not services.may_act_on(people[0], people[1])
    assert not services.may_act_on(root, root)
    assert services.may_act_on(root, moderator)
    assert services.may_act_on(moderator, people[0])


def test_a_report_about_oneself_cannot_be_closed(client, moderator, people):
    row = reports.report(people[0], moderator, "insult")
    client.force_login(moderator)
    page = client.post(page_of(row), {"act": "dismiss", "reason": "no"})
    assert "You may not act on this person" in page.content.decode()
    row.refresh_from_db()
    assert row.state == ReportRow.State.OPEN


def test_a_suspension_is_lifted_with_a_reason(client, moderator, people):
    measure = services.suspend(moderator, people[0], 5, "too loud")
    client.force_login(moderator)
    page = reverse("admin:moderation_sanctionrow_lift", args=[measure.pk])
    assert client.get(page).status_code == 200
    assert client.post(page, {"reason": ""}).status_code == 200
    assert in_force(people[0], "suspension") == measure
    assert client.post(page, {"reason": "a mistake"}).status_code == 302
    assert in_force(people[0], "suspension") is None
    assert [row.act for row in AuditRow.objects.all()] == ["lift", "suspension"]
    assert "holds no longer" in client.post(page, {"reason": "again"}).content.decode()


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


def test_superusers_cannot_change_the_log_either(client, root, moderator, people):
    services.warn(moderator, people[0], "a warning")
    client.force_login(root)
    page = reverse("admin:moderation_auditrow_change", args=[AuditRow.objects.get().pk])
    assert client.post(page, {"reason": "none"}).status_code == 403
    assert client.post(reverse("admin:moderation_auditrow_delete", args=[1])).status_code == 403
    assert AuditRow.objects.get().reason == "a warning"


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
