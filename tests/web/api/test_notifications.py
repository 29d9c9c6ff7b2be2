"""Notification settings and absence in the API."""

from datetime import UTC, datetime, timedelta

import pytest

from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.messages import text_of
from antipodes.web.notifications.models import PreferenceRow
from antipodes.web.notifications.preferences import REMINDERS, preference_of
from antipodes.web.notifications.services import notify
from antipodes.web.platform.clock import now


def test_notifications_are_listed_and_marked_as_read(ask, token, people):
    text = token()
    for name in ("one", "two", "three"):
        notify(people[0], NotificationKind.MODERATION, key=name, text=name, path=f"/{name}/")
    rows = list(people[0].notifications.order_by("pk"))
    notify(people[1], NotificationKind.MODERATION, key="other", text="other")
    told = [
        {
            "id": row.pk,
            "kind": "moderation",
            "words": text_of(row),
            "path": row.path,
            "at": row.made_at,
            "seen": False,
        }
        for row in reversed(rows)
    ]
    assert ask("GET", "notices", text).data == {"unseen": 3, "notices": told}
    assert ask("GET", "notices?count=2", text).data == {"unseen": 3, "notices": told[:2]}
    told[1]["seen"] = True
    seen = ask("POST", "notices/seen", text, {"ids": [rows[1].pk]}).data
    assert seen == ask("GET", "notices", text).data == {"unseen": 2, "notices": told}
    for one in told:
        one["seen"] = True
    assert ask("POST", "notices/seen", text, {}).data == {"unseen": 0, "notices": told}
    assert ask("GET", "notices", token(people[1])).data["unseen"] == 1


def test_fifty_notifications_are_listed(ask, token, people):
    for number in range(51):
        notify(
            people[0],
            NotificationKind.MODERATION,
            key=str(number),
            text=f"number {number}",
            is_quiet=True,
        )
    for found in (ask("GET", "notices", token()), ask("POST", "notices/seen", token(), {})):
        assert len(found.data["notices"]) == 50


def test_only_given_settings_change(ask, token, people):
    text = token()
    before = ask("GET", "account/notices", text).data
    assert (before["frequency"], before["reminders"]) == ("daily", [24, 3])
    assert (before["hour"], before["zone"], before["language"]) == (8, "UTC", "")
    assert before["ways"]["chat"] == ["page", "push"]
    wanted = {"ways": {"chat": ["mail"]}, "hour": 20, "reminders": [0, 12]}
    after = ask("PATCH", "account/notices", text, wanted).data
    changed = {
        "ways": {**before["ways"], "chat": ["mail"]},
        "hour": 20,
        "reminders": [12, 0],
    }
    assert after == ask("GET", "account/notices", text).data == {**before, **changed}
    # The zone still follows the browser.
    assert preference_of(people[0]).zone == ""
    zone = {"zone": "Pacific/Auckland", "frequency": "never", "ways": {"moderation": []}}
    after = ask("PATCH", "account/notices", text, zone).data
    assert (after["zone"], after["frequency"]) == ("Pacific/Auckland", "never")
    assert after["ways"]["moderation"] == ["page"]


def test_all_reminders_may_be_wanted(ask, token):
    wanted = {"reminders": list(REMINDERS)}
    assert ask("PATCH", "account/notices", token(), wanted).data["reminders"] == [*REMINDERS]


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"zone": "Mars/Olympus"}, "notices/choice"),
        ({"language": "tlh"}, "notices/choice"),
        ({"reminders": [5]}, "notices/choice"),
        ({"hour": 24}, "api/body"),
        ({"ways": {"gossip": []}}, "api/body"),
        ({"ways": {"chat": ["pigeon"]}}, "api/body"),
    ],
)
def test_invalid_settings_are_refused_and_change_nothing(ask, token, wanted, code):
    text = token()
    before = ask("GET", "account/notices", text).data
    response = ask("PATCH", "account/notices", text, {"frequency": "each", **wanted})
    assert (response.status_code, response.data["code"]) == (422, code)
    assert ask("GET", "account/notices", text).data == before


def test_an_absence_ends_after_its_last_day_or_on_request(ask, token, people):
    text = token()
    assert ask("GET", "account/away", text).data == {"until": None}
    response = ask("PUT", "account/away", text, {"until": "2020-01-01"})
    assert (response.status_code, response.data["code"]) == (422, "notices/away")
    assert ask("PUT", "account/away", text, {"until": "2026-13-45"}).status_code == 422
    day = (datetime.now(UTC) + timedelta(days=3)).date()
    until = ask("PUT", "account/away", text, {"until": day.isoformat()}).data["until"]
    assert now() + 2 * 86_400_000 < until < now() + 5 * 86_400_000
    assert ask("GET", "account/away", text).data == {"until": until}
    assert ask("DELETE", "account/away", text).data == {"until": None}
    assert preference_of(people[0]).away_since is None


@pytest.mark.parametrize(("later", "is_away"), [(-1, False), (0, False), (1, True)])
def test_an_absence_is_shown_until_its_last_millisecond(ask, token, people, clocks, later, is_away):
    PreferenceRow.objects.create(user=people[0], away_since=1, away_until=now() + later)
    until = now() + later if is_away else None
    assert ask("GET", "account/away", token()).data == {"until": until}
