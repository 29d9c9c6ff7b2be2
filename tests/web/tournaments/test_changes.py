"""Changes of title, description and start before an event begins, and actions of the page."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from antipodes.clocks import HOUR, MINUTE
from antipodes.errors import InputError
from antipodes.tournaments.ladder import Ladder
from antipodes.web.accounts.models import User
from antipodes.web.notifications.models import PreferenceRow
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import actions, changes, directing, local_times, notifications
from antipodes.web.tournaments.models import TournamentState
from tests.raising import code_of
from tests.web.tournaments.conftest import advance

pytestmark = pytest.mark.django_db

TOKYO, ROME = ZoneInfo("Asia/Tokyo"), ZoneInfo("Europe/Rome")


def test_players_are_notified_of_a_change_and_the_log_tells_what_it_was(make_event, host, clocks):
    row = make_event(2, starts_at=now() + HOUR)
    later = now() + 2 * HOUR
    changes.change(row.pk, host, {"title": " Great  cup ", "starts_at": later})
    row.refresh_from_db()
    assert (row.title, row.starts_at, row.due_at) == ("Great cup", later, later)
    step = row.log.last()
    assert (step.by, step.data["changed"]) == (host, {"title": "Great cup", "starts_at": later})
    notifications.notify_of_steps()
    assert User.objects.get(username="p000").notifications.get().arguments["act"] == "changed"
    clocks.advance(HOUR)
    assert advance(row).state == TournamentState.OPEN
    clocks.advance(HOUR)
    assert advance(row).state == TournamentState.RUNNING


def test_nothing_is_stored_if_nothing_changes(make_event, host):
    row = make_event()
    changes.change(row.pk, host, {"title": "Cup"})
    assert row.log.count() == 1


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"title": " "}, "tournament/title"),
        ({"description": "x" * 2_001}, "tournament/title"),
        ({"starts_at": 1}, "tournament/time"),
        ({"starts_at": None}, "tournament/time"),  # a check-in needs a start
    ],
)
def test_rules_that_a_new_event_may_not_have_are_refused(wanted, code, make_event, host):
    row = make_event(starts_at=now() + HOUR, check_in=15)
    assert code_of(changes.change, row.pk, host, wanted) == code


def test_only_directors_change_an_event_and_only_before_its_start(make_event, host):
    row = make_event(2)
    assert (
        code_of(changes.change, row.pk, User.objects.get(username="p000"), {"title": "Mine"})
        == "tournament/not-director"
    )
    directing.start(row.pk, host)
    with pytest.raises(InputError) as error:
        changes.change(row.pk, host, {"title": "Other"})
    assert error.value.code == "tournament/state"


def test_the_form_of_the_page_shows_what_the_event_has_and_keeps_seconds(client, make_event, host):
    starts = now() + HOUR
    row = make_event(starts_at=starts)
    client.force_login(host)
    where = f"/tournament/{row.slug}/"
    form = client.get(where).context["change_form"]
    sent = {form[name].html_name: form[name].value() for name in ("title", "description")}
    sent["change-starts"] = f"{form['starts'].value():%Y-%m-%dT%H:%M}"
    answer = client.post(f"{where}do/change", {**sent, "change-title": "New name"}, follow=True)
    assert "New name" in answer.content.decode()
    assert "Changed: title." in client.get(f"{where}log/").content.decode()
    row.refresh_from_db()
    assert row.starts_at == starts
    sent["change-starts"] = "2020-01-01T10:00"
    assert client.post(f"{where}do/change", sent).status_code == 409
    client.force_login(User.objects.create(username="reader"))
    assert "do/change" not in client.get(where).content.decode()
    assert starts % MINUTE  # otherwise the test says nothing about seconds


def test_a_form_that_cannot_be_read_tells_the_fault_of_each_field(make_event, host):
    row = make_event()
    sent = {"change-title": "", "change-description": "x" * 2_001, "change-starts": "soon"}
    with pytest.raises(InputError) as error:
        changes.read_form(sent, row, host)
    too_long = "Ensure this value has at most 2000 characters (it has 2001)."
    assert [(one.code, one.where, one.message) for one in error.value.faults] == [
        ("tournament/title", "title", "Title: This field is required."),
        ("tournament/title", "description", f"Description: {too_long}"),
        ("tournament/time", "starts", "Starts at: Enter a valid date/time."),
    ]


@pytest.mark.parametrize(("had", "seconds"), [(None, 0), (5 * HOUR + 1_234, 1_234)])
def test_a_start_that_is_typed_has_the_seconds_of_the_one_before(make_event, host, had, seconds):
    row = make_event()
    row.starts_at = had
    sent = {"change-title": "Cup", "change-description": "old", "change-starts": "2030-01-01T10:00"}
    found = changes.read_form(sent, row, host)
    assert found["starts_at"] % MINUTE == seconds
    assert (found["title"], found["description"]) == ("Cup", "old")
    assert changes.read_form({**sent, "change-starts": ""}, row, host)["starts_at"] is None


def test_what_is_not_given_to_the_action_stays(make_event, host):
    starts = now() + HOUR
    row = make_event(starts_at=starts, description="Old words")
    text = actions.ACTIONS["change"](row, host, {"title": "New", "description": None})
    assert text == "The tournament is changed, and its players are notified."
    row.refresh_from_db()
    assert (row.title, row.description, row.starts_at) == ("New", "Old words", starts)
    actions.ACTIONS["change"](row, host, {"description": "", "starts_at": starts + 1})
    row.refresh_from_db()
    assert (row.title, row.description, row.starts_at) == ("New", "", starts + 1)


def test_each_action_tells_what_it_has_done(make_event, host, ann):
    row = make_event(3, starts_at=now() + HOUR, check_in=15)

    def told(action, user=host, **data):
        row.refresh_from_db()
        return actions.ACTIONS[action](row, user, data)

    assert told("join", ann) == "You have joined the tournament."
    row.refresh_from_db()
    row.state = TournamentState.CHECK_IN
    row.save()
    assert told("check-in", ann) == "You are checked in."
    assert told("leave", ann) == "You have left the tournament."
    assert told("add-computer", level="1") == "The computer has joined the tournament."
    assert told("invite", name="bob") == "You have invited bob."
    row.refresh_from_db()
    row.state, row.check_in = TournamentState.OPEN, 0
    row.save()
    assert told("start") == "The tournament starts."
    advance(row)
    paused = "The tournament is paused: no games begin until you resume it."
    assert told("pause", reason="lunch") == paused
    assert row.log.last().reason == "lunch"
    assert told("resume") == "The tournament continues."
    proof = "The computer looks for a proof; the steps of the tournament tell what it finds."
    assert told("prove", pairing="1.2") == proof
    assert row.log.last().data == {"round": 1, "table": 2}
    decided = told("adjudicate", pairing="1.2", result="draw", reason="agreed")
    assert decided == "The pairing is decided."
    pairing = row.pairings.get(table=2)
    assert (pairing.points, row.log.last().reason) == ((0.5, 0.5), "agreed")
    out = told("withdraw", name="p000", reason="a wish")
    assert out == "p000 has been taken out of the tournament."
    assert row.log.last().reason == "a wish"
    assert told("cancel", reason="rain") == "The tournament is cancelled."
    assert row.log.last().reason == "rain"


@pytest.mark.parametrize(
    ("pairing", "read"), [("", "0.0"), ("3", "3.0"), (".4", "0.4"), ("x.y", "0.0")]
)
def test_a_pairing_is_named_by_round_and_table(make_event, host, pairing, read):
    row = make_event(2)
    directing.start(row.pk, host)
    data = {"pairing": pairing, "result": "1-0", "reason": "why"}
    with pytest.raises(InputError) as error:
        actions.ACTIONS["adjudicate"](row, host, data)
    message = f"There is no pairing {read} that ends 1-0."
    assert error.value.faults[0].message == message


def test_a_ladder_tells_of_challenges_and_its_end(make_event, host):
    row = make_event(2, format=Ladder(), control="3d/move")
    directing.start(row.pk, host)
    player = User.objects.get(username="p001")
    challenged = actions.ACTIONS["challenge"](row, player, {"name": "p000"})
    assert challenged == "You have challenged p000."
    assert actions.ACTIONS["finish"](row, host, {}) == "The tournament is finished."


@pytest.mark.parametrize(
    ("typed", "zone", "instant"),
    [
        ("1970-01-01T09:00", TOKYO, 0),
        ("1970-01-01T09:01:02", TOKYO, 62_000),
        ("2027-01-15T09:00", ROME, 1_800_000_000_000),
        ("2026-07-15T10:00", ROME, 1_784_102_400_000),
    ],
)
def test_times_are_typed_and_shown_in_the_zone_of_the_user(typed, zone, instant):
    at = datetime.fromisoformat(typed)
    assert local_times.to_milliseconds(at, zone) == instant
    assert local_times.from_milliseconds(instant, zone) == at


def test_a_user_without_a_zone_has_that_of_the_site(host):
    site = local_times.zone_for(None)
    assert local_times.zone_for(host) == site == ZoneInfo("UTC")
    PreferenceRow.objects.create(user=host, zone="Asia/Tokyo")
    assert local_times.zone_for(host) == TOKYO
    assert local_times.to_milliseconds(None, TOKYO) is None
