"""Reports and sanctions."""

import pytest
from django.urls import reverse

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
from antipodes.web.moderation.models import ReportRow
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.relations import services

pytestmark = pytest.mark.django_db

REQUEST = GameRequest(game=make_game("hex", {"size": 3}), opponent=Opponent.ANYBODY)


def code_of(action, *args, **more):
    """Return the code of the error that an action raises."""
    with pytest.raises(InputError) as caught:
        action(*args, **more)
    return caught.value.code


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


def test_players_can_report_only_lines_that_they_can_read(client, begin, people):
    ann, bob, cy, _ = people
    row = begin(size=3)
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


def test_a_deleted_line_is_hidden_but_kept(begin, people, moderator):
    row = begin(size=3)
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


def test_players_who_block_each_other_do_not_see_each_others_lines(begin, people):
    ann, bob, cy, _ = people
    row = begin(size=3)
    add_line(row, ann, "hello")
    add_line(row, bob, "good luck")
    add_line(row, cy, "nice", room="spectators")
    services.block(ann, bob)
    snapshot = snapshots.look_up(row.slug)
    assert [line["text"] for line in chat.history(snapshot, ann.pk)] == ["hello"]
    assert [line["text"] for line in chat.history(snapshot, bob.pk)] == ["good luck"]
    assert [line["text"] for line in chat.history(snapshot, None)] == ["nice"]


def test_muted_players_can_play_but_not_chat(begin, people, moderator):
    ann = people[0]
    row = begin(size=3)
    moderation.mute(moderator, ann, 3, "too loud")
    snapshot = snapshots.look_up(row.slug)
    data = {"key": "a key of hers", "text": "hello"}
    with pytest.raises(MatchError) as caught:
        chat.say(snapshot, ann, data)
    assert caught.value.code == "chat/muted"
    assert "too loud" in str(caught.value)
    assert isinstance(lobby.request_game(ann, REQUEST), ChallengeRow)


def test_suspended_players_can_finish_their_games_but_not_start_new_ones(begin, people, moderator):
    ann, bob = people[:2]
    row = begin(size=3)
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
