"""Reports and sanctions."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from antipodes.errors import InputError, MatchError
from antipodes.games.registry import make_game
from antipodes.match import Resign
from antipodes.web.accounts import restrictions
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer, transfer_guest
from antipodes.web.challenges import services as lobby
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.matches import chat, snapshots
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.moderation import reports
from antipodes.web.moderation import services as moderation
from antipodes.web.moderation.action_views import ActionForm, Case
from antipodes.web.moderation.models import ReportRow, SanctionRow
from antipodes.web.moderation.sanctions import active_sanctions, in_force, sanction_text
from antipodes.web.notifications.messages import text_of
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.relations import services
from tests.raising import code_of

pytestmark = pytest.mark.django_db

REQUEST = GameRequest(game=make_game("hex", {"size": 3}), opponent=Opponent.ANYBODY)


def page_of(report):
    return reverse("admin:moderation_reportrow_change", args=[report.pk])


def add_line(row, user, text, room="seated", at=0):
    return ChatLine.objects.create(match=row, room=room, user=user, text=text, at=at)


def test_a_player_can_be_reported_without_javascript(client, people):
    client.force_login(people[0])
    page = reverse("report-person", args=["bob"])
    assert "insults or threats" in client.get(page).content.decode().lower()
    answer = client.post(page, {"reason": "stalling", "text": "Never moves."})
    assert "Thank you" in answer.content.decode()
    row = ReportRow.objects.get()
    assert (row.by, row.about, row.reason, row.text) == (*people[:2], "stalling", "Never moves.")


def test_a_repeated_report_returns_the_first(people):
    first = reports.report(people[0], people[1], "insult")
    assert reports.report(people[0], people[1], "spam") == first
    assert ReportRow.objects.count() == 1


def test_reports_per_day_are_limited(people, monkeypatch):
    monkeypatch.setattr(reports, "MOST_A_DAY", 2)
    reports.report(people[0], people[1], "insult")
    reports.report(people[0], people[2], "insult")
    assert code_of(reports.report, people[0], people[3], "insult") == "report/too-many"
    reports.report(people[1], people[3], "insult")


@pytest.mark.parametrize(
    ("reason", "text", "code"),
    [
        ("boredom", "", "report/reason"),
        ("other", " ", "report/reason"),
        ("insult", "x" * (reports.LONGEST + 1), "report/too-long"),
    ],
)
def test_an_invalid_report_is_refused(people, reason, text, code):
    assert code_of(reports.report, people[0], people[1], reason, text) == code
    assert not ReportRow.objects.exists()


def test_users_cannot_report_themselves_or_the_computer(client, people):
    client.force_login(people[0])
    for other in (people[0], computer("1")):
        assert code_of(reports.report, people[0], other, "insult") == "report/whom"
        assert client.get(reverse("report-person", args=[other.username])).status_code == 404


def test_a_match_report_asks_whom_it_is_about(client, begin, people):
    row = begin("antipalos", seats="cutthroat4")
    client.force_login(people[0])
    page = reverse("report-match", args=[row.slug])
    text = client.get(page).content.decode()
    assert "bob" in text
    assert f'value="{people[0].pk}"' not in text
    assert "This field is required" in client.post(page, {"reason": "stalling"}).content.decode()
    client.post(page, {"reason": "stalling", "about": people[0].pk})
    assert not ReportRow.objects.exists()
    client.post(page, {"reason": "stalling", "about": people[2].pk})
    assert ReportRow.objects.get().about == people[2]


def test_players_can_report_only_lines_that_they_can_read(client, row, ann, bob, cy):
    line = add_line(row, bob, "you fool")
    page = reverse("report-line", args=[line.pk])
    client.force_login(cy)
    assert client.get(page).status_code == 404
    client.force_login(ann)
    assert "you fool" in client.get(page).content.decode()
    client.post(page, {"reason": "insult"})
    report = ReportRow.objects.get()
    assert (report.line, report.quote, report.match) == (line, "you fool", row)
    carry_out(row.slug, Resign(seat=0, ply=0, key="it is enough"))
    client.force_login(cy)
    assert client.get(page).status_code == 200
    MatchRow.objects.filter(pk=row.pk).update(is_private=True)
    assert client.get(page).status_code == 404


def test_a_deleted_line_is_hidden_but_kept(row, people, moderator):
    line = add_line(row, people[1], "you fool")
    moderation.hide_line(moderator, line, "an insult")
    snapshot = snapshots.look_up(row.slug)
    for user in people[:2]:
        assert chat.history(snapshot, user.pk) == []
    assert reports.readable_line(people[0], line.pk) is None
    assert ChatLine.objects.get().text == "you fool"


def test_a_report_beyond_the_daily_limit_shows_the_form_with_the_reason(
    client, people, monkeypatch
):
    monkeypatch.setattr(reports, "MOST_A_DAY", 0)
    client.force_login(people[0])
    answer = client.post(reverse("report-person", args=["bob"]), {"reason": "insult"})
    assert answer.status_code == 200
    message = "you have reached the limit of 0 reports a day"
    assert answer.context["form"].errors == {"__all__": [message]}
    assert message in answer.content.decode()
    assert not ReportRow.objects.exists()


def test_players_who_block_each_other_do_not_see_each_others_lines(row, ann, bob, cy):
    add_line(row, ann, "hello")
    add_line(row, bob, "good luck")
    add_line(row, cy, "nice", room="spectators")
    services.block(ann, bob)
    snapshot = snapshots.look_up(row.slug)
    assert [line["text"] for line in chat.history(snapshot, ann.pk)] == ["hello"]
    assert [line["text"] for line in chat.history(snapshot, bob.pk)] == ["good luck"]
    assert [line["text"] for line in chat.history(snapshot, None)] == ["nice"]


def test_muted_players_can_play_but_not_chat(row, ann, moderator):
    moderation.mute(moderator, ann, 3, "too loud")
    snapshot = snapshots.look_up(row.slug)
    data = {"key": "a key of hers", "text": "hello"}
    with pytest.raises(MatchError) as caught:
        chat.say(snapshot, ann, data)
    assert caught.value.code == "chat/muted"
    assert "too loud" in str(caught.value)
    assert isinstance(lobby.request_game(ann, REQUEST), ChallengeRow)


def test_suspended_players_can_finish_their_games_but_not_start_new_ones(row, people, moderator):
    ann, bob = people[:2]
    own = lobby.request_game(ann, REQUEST)
    others = lobby.request_game(bob, REQUEST)
    moderation.suspend(moderator, ann, None, "cheating")
    assert not ChallengeRow.objects.filter(pk=own.pk).exists()
    against_computer = GameRequest(game=REQUEST.game, opponent=Opponent.COMPUTER)
    for request in (REQUEST, against_computer):
        assert code_of(lobby.request_game, ann, request) == "community/suspended"
    assert code_of(lobby.join, others.slug, ann) == "community/suspended"
    snapshot = snapshots.look_up(row.slug)
    data = {"key": "a key of hers", "text": "hello"}
    assert code_of(chat.say, snapshot, ann, data) == "community/suspended"
    carry_out(row.slug, Resign(seat=0, ply=0, key="it is enough"))
    row.refresh_from_db()
    assert row.ended_at is not None


def test_a_suspension_expires(people, moderator):
    sanction = moderation.suspend(moderator, people[0], 1, "cheating")
    assert code_of(restrictions.check_may_play, people[0]) == "community/suspended"
    sanction.until = sanction.made_at
    sanction.save()
    restrictions.check_may_play(people[0])


def test_the_longest_suspension_applies(people, moderator):
    moderation.suspend(moderator, people[0], None, "cheating")
    moderation.suspend(moderator, people[0], 1, "insults")
    with pytest.raises(MatchError, match="permanently: cheating"):
        restrictions.check_may_play(people[0])


@pytest.mark.parametrize("days", [0, -1, moderation.MOST_DAYS + 1])
def test_invalid_suspension_periods_are_refused(people, moderator, days):
    assert code_of(moderation.suspend, moderator, people[0], days, "why") == "moderation/days"
    assert code_of(moderation.warn, moderator, people[0], " ") == "moderation/reason"
    assert code_of(moderation.warn, people[1], people[0], "why") == "moderation/not-allowed"


def test_sanctioned_users_are_notified_with_the_reason(client, people, moderator):
    sanction = moderation.suspend(moderator, people[0], 5, "too many insults")
    notice = NotificationRow.objects.get(user=people[0])
    assert notice.kind == "moderation"
    assert notice.path == reverse("sanctions")
    client.force_login(people[0])
    for page in ("sanctions", "account"):
        assert "too many insults" in client.get(reverse(page)).content.decode(), page
    client.force_login(people[1])
    assert "too many insults" not in client.get(reverse("sanctions")).content.decode()
    moderation.lift(moderator, sanction, "a mistake")
    client.force_login(people[0])
    assert "lifted" in client.get(reverse("sanctions")).content.decode()


def test_a_renamed_user_is_notified(client, people, moderator):
    moderation.rename(moderator, people[0], "anna", "offensive")
    assert client.get(reverse("profile", args=["anna"])).status_code == 200
    assert NotificationRow.objects.filter(user=people[0]).exists()


def test_guests_cannot_be_renamed(moderator):
    guest = User.objects.create(username="Guest 1234", is_guest=True)
    assert code_of(moderation.rename, moderator, guest, "gus", "why") == "moderation/name"


def test_sanctions_of_a_guest_apply_to_their_account(people, moderator):
    guest = User.objects.create(username="Guest 1234", is_guest=True)
    moderation.suspend(moderator, guest, None, "cheating")
    services.block(people[1], guest)
    transfer_guest(guest, people[0])
    assert code_of(restrictions.check_may_play, people[0]) == "community/suspended"
    assert services.is_blocked(people[0], people[1])


def test_the_actions_of_a_case_are_those_that_are_possible(people, report, lines, moderator):
    usual = ["warn", "mute", "suspend", "rename"]
    guest = User.objects.create(username="Guest 1234", is_guest=True)
    assert list(Case(people[1]).actions()) == usual
    assert list(Case(guest).actions()) == usual[:-1]
    assert list(Case(people[1], line=lines[1]).actions()) == [*usual, "hide"]
    assert list(Case(people[1], report, lines[1]).actions()) == [*usual, "hide", "dismiss"]
    moderation.hide_line(moderator, lines[1], "an insult")
    line = ChatLine.objects.get(pk=lines[1].pk)
    assert list(Case(people[1], report, line).actions()) == [*usual, "dismiss"]
    moderation.dismiss(moderator, report, "nothing")
    assert list(Case(people[1], report, line).actions()) == usual


def test_a_case_is_about_the_match_of_its_report_or_its_line(people, report, lines):
    match, elsewhere = lines[1].match, reports.report(people[0], people[1], "spam")
    assert Case(people[1]).match is None
    assert Case(people[1], report).match == match
    assert Case(people[1], elsewhere).match is None
    assert Case(people[1], line=lines[1]).match == match
    assert Case(people[1], elsewhere, lines[1]).match == match


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"action": "mute"}, ["days"]),
        ({"action": "suspend", "days": "x"}, ["days"]),
        ({"action": "suspend", "days": moderation.MOST_DAYS}, []),
        ({"action": "suspend", "days": moderation.MOST_DAYS + 1}, ["days"]),
        ({"action": "mute", "days": 1}, []),
        ({"action": "warn"}, []),
        ({"action": "warn", "days": 1, "permanent": "on"}, []),
        ({"action": "warn", "reason": "x" * moderation.LONGEST}, []),
        ({"action": "warn", "reason": "x" * (moderation.LONGEST + 1)}, ["reason"]),
    ],
)
def test_only_mutes_and_suspensions_need_exactly_one_duration(people, fields, wrong):
    form = ActionForm(Case(people[1]), {"reason": "be kind", **fields})
    assert list(form.errors) == wrong
    assert all(len(found) == 1 for found in form.errors.values())


def test_a_case_shows_what_is_known_of_player_and_reporter(client, moderator, report, people):
    ann, bob, cy, _ = people
    first = reports.report(cy, bob, "spam")
    later = reports.report(cy, ann, "spam")
    moderation.dismiss(moderator, reports.report(ann, cy, "spam"), "nothing")
    second = reports.report(people[3], bob, "name")
    moderation.warn(moderator, bob, "be kind")
    moderation.warn(moderator, ann, "be kind too")
    client.force_login(moderator)
    shown = client.get(page_of(report)).context
    assert shown["title"] == "bob: insults or threats"
    assert list(shown["others"]) == [second, first]
    assert [one.reason for one in shown["sanctions"]] == ["be kind"]
    assert [one.reason for one in shown["actions"]] == ["be kind"]
    assert list(shown["matches"]) == [report.match]
    assert (shown["reported"], shown["dismissed"], shown["may_act"]) == (2, 1, True)
    shown = client.get(page_of(later)).context
    assert (shown["reported"], shown["dismissed"]) == (2, 0)
    shown = client.get(reverse("admin:accounts_user_act", args=[bob.pk])).context
    assert shown["title"] == "bob"
    assert list(shown["others"]) == [second, first, report]
    assert (shown["reported"], shown["dismissed"], shown["lines"]) == (0, 0, [])


@pytest.mark.parametrize("which", [0, 12, 29, None])
def test_a_case_shows_ten_chat_lines_before_and_after_its_own_or_the_last_twenty(
    client, moderator, lines, which
):
    match, user = lines[0].match, lines[1].user
    lines += [
        ChatLine.objects.create(match=match, room="seated", user=user, text=str(n), at=3 + n // 4)
        for n in range(27)
    ]
    own = None if which is None else lines[which]
    report = reports.report(lines[0].user, user, "insult", match=match, line=own)
    client.force_login(moderator)
    shown = client.get(page_of(report)).context["lines"]
    assert shown == (lines[-20:] if which is None else lines[max(0, which - 10) : which + 11])


def test_reports_of_more_than_a_day_ago_do_not_count_for_the_limit(people, monkeypatch):
    monkeypatch.setattr(reports, "MOST_A_DAY", 1)
    reports.report(people[0], people[1], "insult")
    for ago, is_refused in ((timedelta(hours=23), True), (timedelta(hours=25), False)):
        ReportRow.objects.update(made_at=timezone.now() - ago)
        if is_refused:
            assert code_of(reports.report, people[0], people[2], "insult") == "report/too-many"
        else:
            reports.report(people[0], people[2], "insult")


def test_a_report_after_the_decision_is_a_new_one(people, moderator):
    first = reports.report(people[0], people[1], "insult", " again\n")
    assert (first.text, first.quote, first.match, first.line) == ("again", "", None, None)
    moderation.dismiss(moderator, first, "nothing")
    second = reports.report(people[0], people[1], "insult", "x" * reports.LONGEST)
    assert second != first
    assert reports.report(people[2], people[1], "other", "it is so") not in (first, second)


def test_an_unknown_reason_is_quoted_up_to_forty_characters(people):
    with pytest.raises(InputError, match=f"“{'x' * 40}”"):
        reports.report(people[0], people[1], "x" * 41)


@pytest.mark.parametrize("is_on", [True, False])
def test_lines_of_the_lobby_can_be_read_if_it_has_a_chat(people, settings, is_on):
    settings.LOBBY_CHAT = is_on
    line = add_line(None, people[1], "hello", room="lobby")
    assert reports.readable_line(people[0], line.pk) == (line if is_on else None)
    assert reports.readable_line(people[0], line.pk + 1) is None


def test_the_computer_and_oneself_are_not_among_those_to_report(begin, people):
    row = begin("antipalos", seats="cutthroat4")
    row.seats.filter(number=1).update(user=computer("1"))
    row.seats.filter(number=3).update(user=people[2])
    assert list(reports.people_of(row, people[0])) == [people[2]]


def test_the_text_of_a_sanction_says_until_when_and_why():
    at = datetime(2026, 3, 2, 12, 30, tzinfo=UTC)
    texts = [
        sanction_text(SanctionRow(kind=kind, until=until, reason="insults"))
        for kind in ("mute", "suspension")
        for until in (at, None)
    ]
    assert texts == [
        "you are muted until 2 March 2026, 12:30: insults",
        "you are muted permanently: insults",
        "you are suspended until 2 March 2026, 12:30: insults",
        "you are suspended permanently: insults",
    ]


@pytest.mark.parametrize(
    ("days", "length", "until"),
    [
        (1, "1 day", 1),
        (moderation.MOST_DAYS, "3650 days", moderation.MOST_DAYS),
        (None, "permanent", None),
    ],
)
def test_a_mute_lasts_for_its_days(people, moderator, days, length, until):
    before = timezone.now()
    sanction = moderation.mute(moderator, people[0], days, " too loud ")
    assert (sanction.what, sanction.reason, sanction.is_restriction) == (length, "too loud", True)
    if days is None:
        assert sanction.until is None
    else:
        assert sanction.until is not None
        assert before <= sanction.until - timedelta(days=days) <= timezone.now()
    assert active_sanctions(people[0]) == [sanction]
    sanction.lifted_at = timezone.now()
    sanction.save()
    assert active_sanctions(people[0]) == []


def test_of_two_mutes_the_one_that_ends_last_is_in_force(people, moderator):
    moderation.mute(moderator, people[0], 3, "spam")
    longest = moderation.mute(moderator, people[0], 9, "insults")
    moderation.mute(moderator, people[0], 5, "spam again")
    assert in_force(people[0], "mute") == longest
    permanent = moderation.mute(moderator, people[0], None, "enough")
    assert in_force(people[0], "mute") == permanent
    assert in_force(people[0], "suspension") is None
    assert in_force(people[1], "mute") is None


def test_sanctions_of_what_no_longer_exists_are_not_in_force():
    lifted = {"lifted_at": timezone.now()}
    for kind, about in (("void", {"match_id": 1}), ("study", {"study_id": 1})):
        assert SanctionRow(kind=kind, **about).is_in_force
        assert not SanctionRow(kind=kind).is_in_force
        assert not SanctionRow(kind=kind, **about, **lifted).is_in_force
    assert not SanctionRow(kind="warning").is_in_force
    assert not SanctionRow(kind="mute", **lifted).is_in_force


def test_reasons_have_two_thousand_characters_at_most(people, moderator):
    longest = "x" * moderation.LONGEST
    assert moderation.warn(moderator, people[0], f" {longest} ").reason == longest
    too_long = "x" * (moderation.LONGEST + 1)
    assert code_of(moderation.warn, moderator, people[0], too_long) == "moderation/reason"
    assert moderation.warn(moderator, people[0], "x").report is None


def test_a_rename_may_change_the_case_of_a_name_and_is_logged(people, moderator):
    sanction = moderation.rename(moderator, people[0], "Ann", "a proper noun")
    assert (sanction.kind, sanction.what) == ("renaming", "ann -> Ann")
    people[0].refresh_from_db()
    assert people[0].username == "Ann"
    assert code_of(moderation.rename, moderator, people[0], "BOB", "why") == "moderation/name"


def test_a_lifted_sanction_is_notified_as_such(people, moderator):
    sanction = moderation.mute(moderator, people[0], 3, "too loud")
    moderation.lift(moderator, sanction, " a mistake ")
    told = [text_of(row) for row in NotificationRow.objects.order_by("pk")]
    assert told == [
        "The moderators muted you: too loud",
        "The moderators lifted a decision about you: a mistake",
    ]
    assert code_of(moderation.lift, moderator, sanction, "again") == "moderation/over"


def test_the_list_of_chat_lines_marks_deleted_ones(client, moderator, lines):
    ChatLine.objects.exclude(pk=lines[1].pk).delete()
    client.force_login(moderator)
    page = reverse("admin:matches_chatline_changelist")
    for is_deleted in (False, True):
        text = client.get(page).content.decode()
        assert "1 January 1970, 00:00" in text
        assert ("icon-yes" in text, "icon-no" in text) == (is_deleted, not is_deleted)
        if not is_deleted:
            moderation.hide_line(moderator, lines[1], "an insult")
