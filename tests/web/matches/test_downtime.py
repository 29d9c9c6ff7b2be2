"""Downtimes: no flag falls for time in which the site could not handle moves."""

import itertools

import pytest
from django.db import connection
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from antipodes.clocks import read_control
from antipodes.errors import MatchError
from antipodes.games.registry import make_game
from antipodes.match import ClaimFlag, ClaimWin, Play, Terms
from antipodes.web.accounts.services import computer
from antipodes.web.matches import absences, heartbeat, periodic_tasks, services
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.platform import clock, heartbeats
from antipodes.web.platform.clock import now
from antipodes.web.platform.heartbeats import GRACE, SHORTEST
from antipodes.web.platform.models import ProcessKind
from tests.thorough import repetitions, sample

pytestmark = pytest.mark.django_db

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000


@pytest.fixture
def site(clocks, monkeypatch):
    """A site of a web and an engine process, which beat every second."""
    return Site(clocks, monkeypatch)


class Site:
    """Processes that a test pauses and continues; the test itself is the web process."""

    def __init__(self, clocks, monkeypatch):
        self._clocks, self._monkeypatch = clocks, monkeypatch
        self.start()

    def start(self):
        """Start as ``antipodes serve`` does."""
        self._monkeypatch.setattr(heartbeats, "_beats", {})
        self._monkeypatch.setattr(clock, "_clock", clock.SiteClock())
        heartbeats.start_clock()
        periodic_tasks.give_back_downtimes()
        self.go_on(0)

    def go_on(self, milliseconds, *kinds, looks=True):
        """Let time pass for running processes."""
        for _ in range(milliseconds // SECOND + 1):
            for kind in kinds or ProcessKind:
                heartbeats.beat(kind)
                if kind is ProcessKind.ENGINE:  # that process is another one
                    heartbeats._beats.pop(kind, None)
            if looks:
                self.look()
            self._clocks.advance(SECOND)

    def look(self):
        """Run the scheduler's tasks once, in the engine's process."""
        with self._monkeypatch.context() as there:
            there.setattr(heartbeats, "_beats", {})
            periodic_tasks.give_back_downtimes()
            periodic_tasks.let_flags_fall()

    def stand_still(self, milliseconds):
        """Let time pass while no process runs."""
        self._clocks.advance(milliseconds)

    def set_wall(self, by):
        """Set the machine's clock."""
        self._clocks.set_wall(by)

    @property
    def wall(self):
        """The time of the machine's clock."""
        return self._clocks.wall


@pytest.fixture
def begun(people, monkeypatch):
    """Start matches with a clock, between two people or with the computer on some seats.

    Clocks run at once, as after the first moves, unless players have a time for these.
    """

    def make(control, computers=(), grace=0):
        monkeypatch.setattr(services, "GRACE", grace)
        users = [computer("1") if seat in computers else people[seat] for seat in range(2)]
        terms = Terms(
            game=make_game("hex", {"size": 4, "swap": "off"}),
            players=tuple(str(user.pk) for user in users),
            control=read_control(control),
        )
        return begin_match(terms, users).slug

    return make


def row(slug):
    return MatchRow.objects.get(slug=slug)


def left(slug):
    """Return the remaining time of the player to move."""
    clock = row(slug).match().clock
    return clock.left(clock.seat, now())


def play(slug, ply):
    carry_out(slug, Play(seat=ply % 2, ply=ply, key=f"{slug} {ply}", move=ply))
    return row(slug)


def test_the_scheduler_lets_a_flag_fall(site, begun):
    short, long = begun("1m"), begun("2m")
    site.go_on(62 * SECOND)
    assert row(short).reason == "time"
    assert row(long).ended_at is None


def test_the_scheduler_aborts_a_live_game_without_a_first_move(site, begun, people):
    slug, played = (begun("1m", grace=30 * SECOND) for _ in range(2))
    site.go_on(20 * SECOND)
    play(played, 0)
    site.go_on(12 * SECOND)
    assert row(slug).reason == "void"
    assert row(played).ended_at is None
    play(played, 1)
    site.go_on(30 * SECOND)
    assert left(played) <= 30 * SECOND
    site.go_on(32 * SECOND)
    assert row(played).reason == "time"


def test_a_computer_that_is_late_with_its_first_move_ends_no_game(site, begun):
    slug = begun("1m", computers=[1], grace=30 * SECOND)
    play(slug, 0)
    site.go_on(62 * SECOND)
    assert row(slug).ended_at is None
    assert left(slug) < 30 * SECOND


@pytest.mark.parametrize("played", [0, 1])
def test_the_time_for_a_first_move_does_not_pass_in_a_downtime(site, begun, played):
    slug = begun("5m", grace=30 * SECOND)
    for ply in range(played):
        play(slug, ply)
    site.go_on(10 * SECOND)
    site.stand_still(HOUR)
    site.look()
    site.go_on(25 * SECOND)
    assert row(slug).ended_at is None
    site.go_on(10 * SECOND)
    assert row(slug).reason == "void"


def test_a_game_is_not_lost_while_the_whole_machine_is_suspended(site, begun):
    slug = begun("30s/move")
    site.go_on(10 * SECOND)
    site.stand_still(HOUR)
    site.look()
    assert row(slug).ended_at is None
    site.go_on(15 * SECOND)
    assert row(slug).ended_at is None
    assert left(slug) > 13 * SECOND


def test_a_game_is_not_lost_while_only_the_web_process_hangs(site, begun):
    slug = begun("30s/move")
    site.go_on(10 * SECOND)
    site.go_on(50 * SECOND, ProcessKind.ENGINE)
    assert row(slug).ended_at is None
    site.go_on(15 * SECOND)
    assert row(slug).ended_at is None


def test_a_player_who_does_not_move_loses_on_time_after_the_gap(site, begun):
    slug = begun("30s/move")
    site.stand_still(50 * SECOND)
    site.go_on(GRACE + 32 * SECOND)
    assert row(slug).reason == "time"


@pytest.mark.parametrize("gap", [50 * SECOND, HOUR])
def test_a_move_right_after_a_gap_is_judged_with_the_time_given_back(site, begun, gap):
    slug = begun("30s/move")
    site.go_on(10 * SECOND)
    site.stand_still(gap)
    assert play(slug, 0).ended_at is None
    assert left(slug) == 30 * SECOND
    heartbeats.beat(ProcessKind.WEB)
    site.look()
    assert [left(slug), row(slug).version] == [30 * SECOND, 3], "the time is given back once"


def test_an_opponent_who_claims_the_flag_right_after_a_gap_is_refused(site, begun):
    slug = begun("30s/move")
    site.stand_still(50 * SECOND)
    with pytest.raises(MatchError, check=lambda error: error.code == "match/time-left"):
        carry_out(slug, ClaimFlag(seat=1, ply=0, key="claim"))
    assert row(slug).ended_at is None


def test_a_downtime_gives_no_claim_over_a_player_who_had_left(site, begun):
    slug = begun("5m")
    for ply in range(2):
        play(slug, ply)
    absences.note_left(slug, (0,), now())
    site.go_on(10 * SECOND)
    site.stand_still(HOUR)
    for seconds in (0, 40):
        site.go_on(seconds * SECOND)
        with pytest.raises(MatchError, check=lambda error: error.code == "match/not-left"):
            carry_out(slug, ClaimWin(seat=1, ply=2, key=f"claim {seconds}"))
    site.go_on(GRACE + 22 * SECOND)
    carry_out(slug, ClaimWin(seat=1, ply=2, key="claim at last"))
    assert row(slug).reason == "forfeit"


def test_a_match_that_was_begun_in_a_gap_is_not_lost_by_it(site, begun):
    site.go_on(20 * SECOND, ProcessKind.ENGINE, looks=False)
    slug = begun("30s/move")
    site.go_on(40 * SECOND, ProcessKind.ENGINE)
    assert row(slug).ended_at is None
    site.go_on(20 * SECOND)
    assert row(slug).ended_at is None


def test_time_before_a_gap_counts(site, begun):
    slug = begun("5m")
    site.go_on(MINUTE)
    site.stand_still(HOUR)
    site.go_on(0)
    assert left(slug) == pytest.approx(4 * MINUTE, abs=3 * SECOND)


def test_a_flag_that_fell_before_a_gap_stays_fallen(site, begun):
    slug = begun("10s/move")
    site.go_on(12 * SECOND, looks=False)
    site.stand_still(HOUR)
    site.go_on(0)
    assert row(slug).reason == "time"


@pytest.mark.parametrize(("by", "grace"), [(HOUR, GRACE), (-HOUR, 0)])
def test_no_game_ends_when_the_clock_jumps_and_clocks_go_on(site, begun, by, grace):
    slug, slow = begun("30s/move"), begun("1d/move")
    site.go_on(10 * SECOND)
    site.set_wall(by)
    site.go_on(10 * SECOND)
    assert left(slug) == pytest.approx(8 * SECOND + grace, abs=1.5 * SECOND)
    assert left(slow) == pytest.approx(DAY - 22 * SECOND + grace, abs=1.5 * SECOND)
    site.go_on(10 * SECOND + grace)
    assert row(slug).reason == "time"
    assert row(slow).ended_at is None


JUMPS = list(
    itertools.product(
        [0, 3 * HOUR, 400 * DAY, -3 * HOUR, -400 * DAY], ["5m", "30s/move", "1d/move", "3d/move"]
    )
)


@pytest.mark.parametrize(("by", "control"), sample(JUMPS, 5))
def test_no_game_ends_when_the_clock_was_set_while_the_site_was_down(site, begun, by, control):
    slug = begun(control)
    site.go_on(10 * SECOND)
    before = left(slug)
    site.stand_still(5 * SECOND)
    site.set_wall(by)
    site.start()
    site.go_on(GRACE)
    assert left(slug) >= min(before, DAY) - 3 * SECOND
    assert left(slug) <= before
    play(slug, 0)
    site.go_on(5 * SECOND)
    assert left(slug) < row(slug).terms().control.per_move + 5 * MINUTE, "clocks go on"
    assert row(slug).ended_at is None


def test_a_restart_that_the_clock_hides_costs_no_more_than_the_shortest_downtime(site, begun):
    if connection.vendor == "postgresql":
        pytest.skip("this site takes the time of the database, which a test cannot set back")
    slug = begun("30s/move")
    site.go_on(10 * SECOND)
    before = left(slug)
    site.stand_still(4 * SECOND)
    site.set_wall(-4 * SECOND)
    site.start()
    assert 0 <= before - left(slug) <= SHORTEST


def test_correspondence_goes_on_while_the_site_is_down(site, begun):
    slug = begun("3d/move")
    site.stand_still(DAY)
    site.start()
    assert row(slug).version == 0
    assert left(slug) == pytest.approx(2 * DAY, abs=3 * SECOND)


def test_the_computer_does_not_lose_while_no_engine_runs(site, begun):
    slug, persons = begun("30s/move", computers=[0]), begun("30s/move", computers=[1])
    site.go_on(50 * SECOND, ProcessKind.WEB, looks=False)
    with pytest.raises(MatchError, check=lambda error: error.code == "match/time-left"):
        carry_out(slug, ClaimFlag(seat=1, ply=0, key="claim"))
    carry_out(persons, ClaimFlag(seat=1, ply=0, key="claim"))
    assert row(persons).reason == "time"
    site.go_on(15 * SECOND)
    assert row(slug).ended_at is None
    site.go_on(40 * SECOND)
    assert row(slug).reason == "time"


def test_players_of_a_process_that_hung_alone_have_their_time_back(site, begun, monkeypatch):
    here, elsewhere = begun("30s/move"), begun("30s/move")
    mine = dict(heartbeats._beats)
    for _ in range(20):
        monkeypatch.setattr(heartbeats, "_beats", {})
        site.go_on(0)
    monkeypatch.setattr(heartbeats, "_beats", mine)
    heartbeat._beat({(here, 0), (elsewhere, 1)})
    assert left(here) >= 30 * SECOND
    assert left(elsewhere) <= 10 * SECOND
    assert row(elsewhere).version == 0


def test_every_match_has_its_time_back_once_though_a_process_was_killed(site, begun, monkeypatch):
    slugs = [begun("5m") for _ in range(3)]
    site.stand_still(50 * SECOND)
    heartbeats.beat(ProcessKind.WEB)
    give_back = services.give_back

    def fail_at_the_second(slug, downtime):
        if slug == slugs[1]:
            raise RuntimeError("killed")
        give_back(slug, downtime)

    with monkeypatch.context() as failing:
        failing.setattr(services, "give_back", fail_at_the_second)
        with pytest.raises(RuntimeError):
            periodic_tasks.give_back_downtimes()
    site.go_on(10 * SECOND)
    assert {row(slug).version for slug in slugs} == {2}
    assert heartbeats.downtimes() == {}


def incidents():
    """Return a strategy for what a site and its clocks go through during a match."""
    gap = st.integers(SHORTEST + SECOND, 2 * HOUR)
    return st.lists(
        st.one_of(
            st.tuples(st.just("run"), st.integers(0, 14 * SECOND)),
            st.tuples(st.just("suspend machine"), gap),
            st.tuples(st.just("stop web process"), st.integers(4 * SECOND, 40 * SECOND)),
            st.tuples(st.just("set clock"), st.integers(-DAY, DAY)),
            st.tuples(st.just("restart"), st.integers(-DAY, DAY)),
            st.tuples(st.just("move"), st.just(0)),
        ),
        max_size=10,
    )


@settings(
    max_examples=repetitions(8, 20),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(incidents())
@example([("set clock", 1), ("restart", -4 * SECOND), ("run", SECOND)])
@example([("run", 14 * SECOND), *2 * [("restart", -2 * SECOND)], ("run", 12 * SECOND)])
def test_players_are_not_charged_for_downtime(site, begun, incidents):
    site.go_on(0)
    slug = begun("30s/move")
    # Milliseconds that may be charged. A clock that is set forward by up to three seconds is no
    # downtime, nor is a restart if the clock was set back meanwhile by about as long as it took.
    able = ply = 0
    for what, amount in incidents:
        able += 5
        match what:
            case "run":
                site.go_on(amount)
                able += (SECOND + 2) * (amount // SECOND + 1)
            case "suspend machine":
                site.stand_still(amount)
            case "stop web process":
                site.go_on(amount, ProcessKind.ENGINE)
            case "set clock":
                site.set_wall(amount)
                able += min(max(amount, 0), SHORTEST)
            case "restart":
                site.stand_still(4 * SECOND)
                site.set_wall(amount)
                if abs(site.wall - heartbeats.latest(ProcessKind.WEB)) <= SHORTEST:
                    able += SHORTEST
                site.start()
                able += 2
            case "move" if row(slug).ended_at is None:
                if play(slug, ply).ended_at is None:
                    able, ply = 0, ply + 1
        found = row(slug)
        if found.ended_at is not None:
            assert able >= 30 * SECOND - SECOND
            return
        assert (
            30 * SECOND - found.match().clock.left(ply % 2, heartbeats.latest(ProcessKind.WEB))
            <= able
        )
