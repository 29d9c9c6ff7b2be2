"""Fixtures for tests of notifications."""

from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import pytest
from allauth.account.models import EmailAddress

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.match import Terms
from antipodes.web import notifications
from antipodes.web.matches import services as matches
from antipodes.web.notifications.kinds import Frequency
from antipodes.web.notifications.models import PreferenceRow

DAY = 86_400_000
HOUR = 3_600_000
MINUTE = 60_000


def instant(text):
    """Return the milliseconds since 1970 of a date and time in UTC."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


class Time:
    """A clock in place of the site's, which tests advance."""

    def __init__(self, at):
        self.at = at

    def __call__(self):
        return self.at

    def forward(self, milliseconds):
        self.at += milliseconds


@pytest.fixture(autouse=True)
def _mail_is_sent(settings):
    settings.MAIL_IS_SENT = True


@cache
def modules_with_clock():
    """Return the modules of notifications that read the clock."""
    names = [one.name for one in iter_modules(notifications.__path__, f"{notifications.__name__}.")]
    return [module for module in map(import_module, names) if hasattr(module, "now")]


@pytest.fixture
def time(monkeypatch):
    """The time of the site, which tests set: Monday, 2 March 2026, 12:30 UTC."""
    clock = Time(instant("2026-03-02 12:30"))
    monkeypatch.setattr(matches, "now", clock)
    for module in modules_with_clock():
        monkeypatch.setattr(module, "now", clock)
    return clock


@pytest.fixture
def reachable(people):
    """The people, with confirmed e-mail addresses."""
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=f"{user.username}@example.org", verified=True, primary=True)
        for user in people
    )
    return people


@pytest.fixture
def prefer():
    """Set a user's preferences."""

    def make(user, frequency=Frequency.EACH, **more):
        return PreferenceRow.objects.update_or_create(
            user=user, defaults={"frequency": frequency, **more}
        )[0]

    return make


@pytest.fixture
def slow(people):
    """Start correspondence matches between the first two people."""

    def make(control="3d/move", game_id="hex", start=None, **options):
        game = make_game(game_id, options)
        users = people[: game.seats]
        players = tuple(str(user.pk) for user in users)
        terms = Terms(game=game, players=players, control=read_control(control), start=start)
        return matches.begin_match(terms, users)

    return make


@pytest.fixture
def match(slow):
    """A correspondence match of Hex between the first two people."""
    return slow()
