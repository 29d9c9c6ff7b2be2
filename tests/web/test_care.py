"""Laws of what is looked after though nobody asks for it."""

import os

import pytest
from django.db import OperationalError

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.match import Terms
from antipodes.web import care
from antipodes.web.care import DAY
from antipodes.web.matches import services
from antipodes.web.matches.models import ChallengeRow, MatchRow
from antipodes.web.matches.services import begin_match, now
from antipodes.web.ops import life
from antipodes.web.ops.life import GRACE
from antipodes.web.ops.models import LifeRow
from antipodes.web.people.models import User
from antipodes.web.rounds import Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def timed(people):
    """Begin matches with a clock."""

    def make(control):
        game = make_game("hex", {"size": 3})
        players = tuple(str(user.pk) for user in people[:2])
        terms = Terms(game=game, players=players, control=read_control(control))
        return begin_match(terms, people[:2])

    return make


@pytest.fixture
def later(monkeypatch):
    """Let time pass."""

    def by(milliseconds):
        at = now() + milliseconds
        monkeypatch.setattr(services, "now", lambda: at)
        monkeypatch.setattr(care, "now", lambda: at)

    return by


@pytest.fixture
def died(tmp_path, monkeypatch):
    """The site was last known to live some time ago."""
    file = tmp_path / "alive"
    monkeypatch.setattr(life, "sign_of_life", lambda: file)

    def ago(milliseconds):
        LifeRow.objects.update_or_create(pk=1, defaults={"at": now() - milliseconds})
        file.touch()
        at = (now() - milliseconds) / 1000
        os.utime(file, (at, at))

    return ago


def fresh(row):
    return MatchRow.objects.get(pk=row.pk)


def test_a_flag_falls_though_nobody_looks(timed, later, died):
    died(0)
    row, other = timed("1m"), timed("2m")
    later(61_000)
    care.let_flags_fall()
    assert "time" in fresh(row).result
    assert fresh(other).ended_at is None


def test_players_of_live_games_lose_no_time_while_the_site_is_down(timed, died):
    live, slow = timed("5m"), timed("3d/move")
    MatchRow.objects.update(begun_at=now() - 120_000)
    died(60_000)
    care.bridge_outage()
    left = fresh(live).match().clock.left(0, now() + GRACE)
    assert left == pytest.approx(240_000, abs=2_000)
    assert fresh(live).deadline == pytest.approx(now() + GRACE + 240_000, abs=2_000)
    assert fresh(slow).version == 0


def test_a_flag_that_fell_before_stays_fallen(timed, died):
    row = timed("1m")
    MatchRow.objects.update(begun_at=now() - 120_000)
    row.refresh_from_db()
    died(30_000)
    care.bridge_outage()
    assert fresh(row).version == 0


def test_a_short_break_or_a_first_start_changes_nothing(timed, died):
    row = timed("5m")
    care.bridge_outage()
    died(500)
    care.bridge_outage()
    assert fresh(row).version == 0


def test_challenges_that_guests_have_left_are_forgotten(people):
    guest = User.objects.create(username="guest", is_guest=True)
    old, new = now() - 2 * DAY, now()
    for by, made_at in ((guest, old), (guest, new), (people[0], old)):
        ChallengeRow.objects.create(game_id="hex", by=by, made_at=made_at)
    care.forget_what_was_left()
    kept = ChallengeRow.objects.values_list("by__username", "made_at")
    assert set(kept) == {("guest", new), ("ann", old)}


def test_one_thing_that_fails_does_not_keep_the_others_from_being_done(monkeypatch, died, caplog):
    died(0)
    done = []

    def fail():
        raise RuntimeError("no luck today")

    monkeypatch.setattr(care, "rounds", [Round(fail, 1), Round(lambda: done.append(1), 1)])
    care.Caretaker().go_round()
    assert done
    assert "no luck today" in caplog.text


def test_in_an_outage_each_round_says_one_line(monkeypatch, died, caplog):
    died(0)

    def fail():
        raise OperationalError("the database is away")

    monkeypatch.setattr(care, "rounds", [Round(fail, 1)])
    care.Caretaker().go_round()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "fail waits for what is away: the database is away" in caplog.text
    assert "Traceback" not in caplog.text


def test_each_thing_is_done_at_the_start_and_again_after_its_time(monkeypatch):
    at, done = [1000.0], []
    monkeypatch.setattr("antipodes.web.care.time.monotonic", lambda: at[0])
    monkeypatch.setattr(care, "rounds", [Round(lambda: done.append(at[0]), 30)])
    caretaker = care.Caretaker()
    for second in (1000.0, 1029.0, 1030.0, 1031.0):
        at[0] = second
        caretaker.go_round()
    assert done == [1000.0, 1030.0]
