"""Tests of fair queueing, for all clients and jobs."""

from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.web.jobs import fair_queue
from antipodes.web.jobs.fair_queue import Bounds, Job, Usage, in_order, next_job, waits

SECONDS = st.floats(0.01, 8.0)
NETWORKS = st.integers(0, 4)
USERS = st.integers(0, 3)


def job(name, network, user, seconds, since=0.0):
    return Job("move", str(name), 0, (f"net {network}", f"user {network}.{user}"), seconds, since)


@st.composite
def backlogs(draw):
    """Jobs of any clients, each with a name of its own."""
    drawn = draw(st.lists(st.tuples(NETWORKS, USERS, SECONDS, st.floats(0, 100)), max_size=40))
    return [job(name, *one) for name, one in enumerate(drawn)]


def serve(waiting, usage, count=None):
    """Run jobs one after another, as one lane does; return them in that order."""
    left: list[Job] = list(waiting)
    served: list[Job] = []
    while left and (count is None or len(served) < count):
        found = next_job(left, (), usage)
        assert found is not None
        usage.begin(found)
        left.remove(found)
        served.append(found)
    return served


@given(backlogs())
def test_each_job_is_served_once(waiting):
    served = serve(waiting, Usage())
    assert sorted(one.name for one in served) == sorted(one.name for one in waiting)


@given(backlogs())
def test_the_predicted_order_is_the_order_of_service(waiting):
    assert serve(waiting, Usage()) == list(in_order(waiting, Usage()))


@given(st.permutations(range(5)), backlogs())
def test_the_order_does_not_depend_on_the_order_of_rows(order, waiting):
    shuffled = [one for at in order for one in waiting[at::5]]
    assert serve(shuffled, Usage()) == serve(waiting, Usage())


@given(backlogs(), st.integers(0, 40), st.floats(0.01, 8.0))
def test_a_newcomer_waits_for_a_second_and_one_job_of_each_other_client(waiting, before, seconds):
    usage = Usage()
    served = serve(waiting, usage, before)
    late = job("late", "elsewhere", 0, seconds, since=1e9)
    following = serve([late, *(one for one in waiting if one not in served)], usage)
    ahead: dict[str, list[float]] = defaultdict(list)
    for one in following[: following.index(late)]:
        ahead[one.client[0]].append(one.seconds)
    assert all(sum(each) <= 1 + max(each) + 1e-9 for each in ahead.values())


@given(st.integers(1, 60), st.floats(0.5, 8.0))
def test_a_short_move_does_not_wait_for_the_first_job_of_each_newcomer(newcomers, seconds):
    usage = Usage()
    serve([job(f"before {n}", "mine", 0, 0.02) for n in range(30)], usage)
    others = [job(f"hint {n}", n, 0, seconds) for n in range(newcomers)]
    mine = job("move", "mine", 0, 0.02, since=1e9)
    assert serve([*others, mine], usage, 1) == [mine]
    # But many of them together do, as soon as they have taken a second.
    moves = [job(f"move {n}", "mine", 0, 0.02, since=1e9) for n in range(200)]
    served = serve([*others, *moves], usage)
    assert served.index(others[0]) <= 51


@given(backlogs(), st.integers(1, 40))
def test_a_newcomer_with_the_shortest_job_is_next(waiting, before):
    usage = Usage()
    served = serve(waiting, usage, before)
    late = job("late", "elsewhere", 0, 0.001, since=1e9)
    left = [late, *(one for one in waiting if one not in served)]
    assert next_job(left, (), usage) == late


@given(
    st.lists(st.tuples(USERS, SECONDS), min_size=2, max_size=5),
    st.integers(1, 100),
)
def test_none_of_k_busy_clients_gets_more_than_one_kth(clients, rounds):
    usage = Usage()
    used: dict[int, float] = defaultdict(float)
    longest = max(seconds for _, seconds in clients)
    waiting = {
        network: job(network, network, user, seconds)
        for network, (user, seconds) in enumerate(clients)
    }
    for number in range(rounds):
        found = next_job(waiting.values(), (), usage)
        assert found is not None
        usage.begin(found)
        network = int(found.client[0].removeprefix("net "))
        used[network] += found.seconds
        user, seconds = clients[network]
        waiting[network] = job(f"{network} {number}", network, user, seconds)
    share = sum(used.values()) / len(clients)
    assert all(one <= share + 2 * longest for one in used.values())


@given(st.integers(1, 30), SECONDS, SECONDS)
def test_many_guests_of_one_address_get_no_more_than_one_user(guests, theirs, own):
    attack = [job(f"{guest} {n}", 1, guest, theirs) for guest in range(guests) for n in range(5)]
    mine = [job(f"mine {n}", 2, 0, own) for n in range(50)]
    used: dict[str, float] = defaultdict(float)
    for one in serve(attack + mine, Usage()):
        used[one.client[0]] += one.seconds
        if used["net 1"] >= 5 * guests * theirs - 1e-6 or used["net 2"] >= 50 * own - 1e-6:
            break
        assert abs(used["net 1"] - used["net 2"]) <= 1 + 2 * max(theirs, own)


@given(st.lists(SECONDS, min_size=1, max_size=20))
def test_within_a_user_shorter_jobs_come_first(lengths):
    waiting = [job(name, 1, 1, seconds) for name, seconds in enumerate(lengths)]
    served = serve(waiting, Usage())
    assert [one.seconds for one in served] == sorted(lengths)


def test_a_long_job_does_not_starve_behind_short_ones_of_its_user():
    old = job("old", 1, 1, 5.0, since=0.0)
    young = job("young", 1, 1, 0.1, since=100.0)
    assert next_job([young, old]) == old


def test_a_client_that_used_more_than_expected_waits_for_the_others():
    usage = Usage()
    first = job("a", 1, 1, 1.0)
    usage.begin(first)
    usage.settle(first, 20.0)
    others = [job(f"b{n}", 2, 2, 1.0) for n in range(30)]
    again = job("c", 1, 1, 1.0)
    served = serve([again, *others], usage)
    assert served.index(again) >= 19


def test_an_idle_client_saves_up_no_time():
    usage = Usage()
    serve([job(f"a{n}", 1, 1, 1.0) for n in range(50)], usage)
    waiting = [
        *(job(f"b{n}", 2, 2, 1.0) for n in range(10)),
        *(job(f"c{n}", 1, 1, 1.0) for n in range(10)),
    ]
    served = [one.client[0] for one in serve(waiting, usage)]
    assert served[:10].count("net 1") in {4, 5, 6}


def test_a_running_job_is_not_begun_again():
    waiting = [job("a", 1, 1, 1.0), job("b", 2, 2, 1.0)]
    assert next_job(waiting, {"move a"}) == waiting[1]
    assert next_job(waiting, {"move a", "move b"}) is None


@given(backlogs(), st.integers(1, 3), st.integers(1, 4))
def test_running_jobs_never_exceed_the_bounds(waiting, of_user, of_network):
    running: set[str] = set()
    by_client: Counter[tuple[str, ...]] = Counter()
    while (found := next_job(waiting, running, Usage(), Bounds(of_user, of_network))) is not None:
        running.add(found.name)
        by_client.update([found.client, found.client[:1]])
    assert all(count <= (of_user, of_network)[len(one) == 1] for one, count in by_client.items())
    left = [one for one in waiting if one.name not in running]
    assert all(
        by_client[one.client] == of_user or by_client[one.client[:1]] == of_network for one in left
    )


def test_scheduling_is_fair_among_nested_networks():
    wide = [Job("move", f"w{n}", 0, ("wide", f"narrow {n}", "user"), 1.0, 0.0) for n in range(20)]
    other = [Job("move", f"o{n}", 0, ("user 7",), 1.0, 0.0) for n in range(4)]
    served = [one.client[0] for one in serve(wide + other, Usage())]
    assert served[:8].count("wide") == 4


def test_idle_clients_are_forgotten():
    usage = Usage()
    for number in range(10_000):
        usage.begin(job(number, number, 0, 1.0))
        usage.begin(job(f"x{number}", "always", 0, 1.0))
    assert len(usage.finished) < 5_000


def test_clients_are_charged_expected_and_then_actual_seconds():
    usage = Usage()
    assert usage.turn(("net 1",)) == usage.turn(("net 1", "user 1.1")) == 0
    first, second = job("a", 1, 1, 0.5), job("b", 2, 1, 0.25)
    usage.begin(first)
    assert usage.finished == {("net 1",): 0.5, ("net 1", "user 1.1"): 0.5}
    assert usage.now == {(): 0.0, ("net 1",): 0.0}
    usage.settle(first, 2.0)
    usage.settle(second, 9.0)  # it has not begun
    assert usage.finished == {("net 1",): 2.0, ("net 1", "user 1.1"): 2.0}
    usage.begin(first)
    assert usage.now == {(): 1.0, ("net 1",): 1.0}
    assert usage.finished == {("net 1",): 2.5, ("net 1", "user 1.1"): 2.5}
    # A client that comes later has its turn now, and another user of a network at its job's turn.
    usage.begin(second)
    assert usage.finished[("net 2",)] == 1.25
    assert usage.finished[("net 2", "user 2.1")] == 0.25
    assert usage.turn(("net 1", "user 1.2")) == 1.0


def test_clients_that_have_used_no_more_than_a_new_one_are_forgotten(monkeypatch):
    usage = Usage()
    usage.begin(job("a", 1, 1, 3.0))
    usage.begin(job("b", 2, 1, 1.0))
    usage.begin(job("c", 2, 1, 5.0))  # begins at 1
    monkeypatch.setattr(fair_queue, "_MAX_CLIENTS", 6)
    usage.begin(job("d", 3, 1, 0.0))  # ends when it begins
    assert len(usage.finished) == 6
    usage.begin(job("e", 3, 2, 0.0))
    assert usage.finished == {
        ("net 1",): 3.0,
        ("net 1", "user 1.1"): 3.0,
        ("net 2",): 6.0,
        ("net 2", "user 2.1"): 6.0,
    }
    assert usage.now == {(): 0.0, ("net 1",): 0.0, ("net 2",): 0.0}


def test_a_job_is_due_after_ten_times_its_length():
    assert job("a", 1, 1, 0.5, since=100.0).due == 105.0


def test_engines_work_off_the_waiting_jobs_together():
    running = [job("a", 1, 1, 4.0), job("b", 2, 2, 1.0), job("c", 3, 3, 8.0)]
    waiting = [job("d", 4, 1, 1.0), job("e", 5, 1, 2.0), job("f", 6, 1, 3.0), job("g", 7, 1, 4.0)]
    names = {one.name for one in running}
    assert waits([*running, *waiting], names, 4) == {
        "move d": 0.0,
        "move e": 0.5,
        "move f": 1.0,
        "move g": 2.0,
    }
    # With fewer engines than running jobs, those that end first count.
    assert waits([*running, *waiting], names, 2) == {
        "move d": 0.5,
        "move e": 1.5,
        "move f": 2.0,
        "move g": 3.5,
    }


@given(backlogs(), st.integers(1, 4))
def test_waits_are_at_most_the_total_of_all_jobs(waiting, servers):
    found = waits(waiting, (), servers)
    assert set(found) == {one.name for one in waiting}
    assert sum(one == 0 for one in found.values()) >= min(servers, len(waiting))
    total = sum(one.seconds for one in waiting)
    assert all(one <= total for one in found.values())


def test_a_job_waits_for_half_of_the_running_one():
    running, next_one = job("a", 1, 1, 4.0), job("b", 2, 2, 1.0)
    assert waits([running, next_one], {"move a"}, 1) == {"move b": pytest.approx(2.0)}
