"""The law about games of the suspended, whatever the system clock says."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from antipodes.games.registry import make_game
from antipodes.match import Terms
from antipodes.web.accounts.models import User
from antipodes.web.matches.services import begin_match
from antipodes.web.moderation.models import SanctionRow
from antipodes.web.town.laws import sanctions
from antipodes.web.town.town import SANCTIONS

pytestmark = pytest.mark.django_db


@pytest.fixture
def players():
    return [User.objects.create(username=name) for name in ("ada", "ben")]


@pytest.fixture
def town():
    return SimpleNamespace(
        memory={}, has_changed=lambda *_tables: True, remember=lambda _name, _tables, read: read()
    )


def begin(players):
    game = make_game("hex", {"size": 3, "swap": "off"})
    begin_match(Terms(game=game, players=tuple(str(user.pk) for user in players)), players)


def breaches(town):
    """Return what breaks the law after an act, and remember who is suspended."""
    broken = list(sanctions.the_suspended_begin_no_games(town))
    town.memory[SANCTIONS] = sanctions._kinds_in_force(town), {}
    return broken


def suspend(user, made_at):
    SanctionRow.objects.create(user=user, kind=SanctionRow.Kind.SUSPENSION, made_at=made_at)


def test_a_game_before_a_suspension_breaks_no_law_though_the_system_clock_was_set_back(
    town, players
):
    begin(players)
    assert breaches(town) == []
    suspend(players[0], timezone.now() - timedelta(hours=2))
    assert breaches(town) == []


def test_a_game_of_the_suspended_breaks_the_law_though_the_system_clock_was_set_forward(
    town, players
):
    suspend(players[0], timezone.now() + timedelta(hours=2))
    assert breaches(town) == []
    begin(players)
    assert len(breaches(town)) == 1
