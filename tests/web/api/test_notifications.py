"""Notification settings and absence in the API."""

from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from antipodes.web.api.schemas.notifications import ChannelName, FrequencyName, KindName
from antipodes.web.notifications.kinds import Channel, Frequency, Kind
from antipodes.web.notifications.preferences import REMINDERS, preference_of
from antipodes.web.platform.clock import now


def test_schemas_have_all_kinds_channels_and_frequencies():
    known = [(KindName, Kind), (ChannelName, Channel), (FrequencyName, Frequency)]
    for names, values in known:
        assert get_args(names) == tuple(values)


def test_only_given_settings_change(ask, token, people):
    text = token()
    before = ask("GET", "account/notices", text).data
    assert (before["frequency"], before["reminders"]) == ("daily", [24, 3])
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
