"""Requested analyses: results, stopping, limits and errors."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from pydantic import TypeAdapter

from antipodes.clocks import HOUR
from antipodes.errors import InputError
from antipodes.games.registry import game_ids, make_game
from antipodes.search.analysis import analyze
from antipodes.search.interface import Limits
from antipodes.web.accounts.models import User
from antipodes.web.analysis import presenters, services
from antipodes.web.analysis.effort import EFFORTS, HINT, find_effort
from antipodes.web.analysis.models import AnalysisRow, AnalysisState
from antipodes.web.analysis.position_queries import read_line
from antipodes.web.analysis.schemas import AnalysisResultOut
from antipodes.web.jobs import queue
from antipodes.web.jobs.models import ClientRow, Group, JobKind, JobRow
from antipodes.web.jobs.worker_threads import Lane, LaneThread
from antipodes.web.platform.clock import now
from tests.web.analysis.conftest import address_of

pytestmark = pytest.mark.django_db


def ask(client, **fields):
    return client.post("/analyses", {"game": "hex", "size": "4", **fields})


def waiting():
    """Return the number of queued jobs."""
    return JobRow.objects.count()


@pytest.mark.parametrize("game_id", game_ids())
def test_any_position_of_any_game_is_analysed(client, work_off, game_id):
    asked = client.post("/analyses", {"game": game_id})
    assert asked.status_code == 202
    work_off()
    told = client.get(address_of(asked.json())).json()
    assert told["state"] == "done"
    found = told["found"]
    assert found["moveInfos"]
    assert {one["color"] for one in found["estimates"]} >= {found["rootInfo"]["currentPlayer"]}
    assert found["share"] == 1
    assert "1" in {mark[0] for mark in found["marks"].values()} or found["moveInfos"][0]["move"]


def test_what_is_proven_is_told_as_proven_and_threats_have_a_cell(client, work_off):
    asked = ask(client, moves="b1,a1,b2,a2,b3", swap="off", effort="study").json()
    work_off()
    found = client.get(address_of(asked)).json()["found"]
    assert found["rootInfo"]["proven"] == "loss"
    assert {threat["move"] for threat in found["threats"]} == {"a4", "b4"}
    assert all(isinstance(threat["cell"], int) for threat in found["threats"])


def test_a_finished_game_is_told_as_such(client, work_off):
    asked = ask(client, size="2", moves="a1,b1,a2", swap="off").json()
    work_off()
    assert client.get(address_of(asked)).json()["found"]["outcome"]["winner"] == "black"


def test_the_result_of_an_identical_analysis_is_reused(client, work_off):
    first = ask(client).json()
    work_off()
    again = ask(Client()).json()
    assert again["slug"] == first["slug"]
    assert again["isOver"]
    assert waiting() == 0


def test_a_new_analysis_ends_the_one_before_it(client, work_off):
    first = ask(client).json()
    second = ask(client, moves="a1").json()
    work_off()
    assert client.get(address_of(first)).json()["state"] == "stopped"
    assert client.get(address_of(second)).json()["state"] == "done"


def test_only_the_owner_can_stop_an_analysis(client, work_off):
    asked = ask(client).json()
    assert Client().delete(address_of(asked)).json()["state"] == "waiting"
    client.delete(address_of(asked))
    work_off()
    assert client.get(address_of(asked)).json()["state"] == "stopped"


def test_an_abandoned_analysis_is_not_run(client, work_off, monkeypatch):
    asked = ask(client).json()
    monkeypatch.setattr(services, "PATIENCE", -1)
    work_off()
    assert client.get(address_of(asked)).json()["state"] == "stopped"


def test_a_running_analysis_is_stopped_when_its_client_leaves(client, work_off, monkeypatch):
    asked = ask(client, size="11", effort="study").json()
    monkeypatch.setattr(services, "_REPORT", 0)
    reports = []

    def leave_after_two(row):
        reports.append(row)
        if len(reports) > 2:
            AnalysisRow.objects.update(state=AnalysisState.STOPPED)
            return False
        return True

    monkeypatch.setattr(services, "_is_wanted", leave_after_two)
    work_off()
    assert client.get(address_of(asked)).json()["state"] == "stopped"


def test_a_failed_analysis_is_stopped(client, work_off, monkeypatch, caplog):
    asked = ask(client).json()
    monkeypatch.setattr(services, "Analyzer", lambda *_, **__: 1 / 0)
    work_off()
    assert client.get(address_of(asked)).json()["isOver"]
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("state", [AnalysisState.STOPPED, AnalysisState.DONE])
def test_what_is_over_or_deleted_is_not_wanted(client, state):
    ask(client)
    row = AnalysisRow.objects.get()
    assert services._is_wanted(row)
    AnalysisRow.objects.update(state=state)
    assert services._is_wanted(row) is False
    assert AnalysisRow.objects.get().state == state
    AnalysisRow.objects.all().delete()
    assert services._is_wanted(row) is False


def test_killed_work_is_taken_up_again(client, work_off):
    asked = ask(client).json()
    AnalysisRow.objects.update(state=AnalysisState.WORKING)
    JobRow.objects.all().delete()
    services.take_up()
    services.queue_lost_analyses()
    work_off()
    assert client.get(address_of(asked)).json()["state"] == "done"


def test_an_analysis_that_is_put_many_times_waits_once(client):
    ask(client)
    for _ in range(5):
        services.queue_lost_analyses()
    assert waiting() == 1


def test_abandoned_analyses_leave_the_queue(client, monkeypatch):
    asked = ask(client).json()
    monkeypatch.setattr(services, "PATIENCE", -1)
    services.queue_lost_analyses()
    assert waiting() == 0
    assert client.get(address_of(asked)).json()["state"] == "stopped"


def test_asking_too_often_is_refused(client, monkeypatch):
    monkeypatch.setenv("LIMIT_ANALYSES", "2/minute")
    answers = [ask(client, moves=move) for move in ("a1", "a2", "a3")]
    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert answers[2].json()["code"] == "limits/too-many"


def from_address(address):
    """Return a browser at an address; the server before the site is not there."""
    return Client(REMOTE_ADDR=address)


def test_the_guests_of_one_address_do_not_deny_analyses_to_others(monkeypatch):
    monkeypatch.setenv("LIMIT_ANALYSES_WAITING", "3")
    asked = [ask(from_address("192.0.2.7"), moves=move) for move in ("a1", "a2", "a3", "a4")]
    assert [answer.status_code for answer in asked] == [202, 202, 202, 400]
    assert asked[3].json()["code"] == "study/busy"
    assert ask(from_address("198.51.100.7"), moves="a4").status_code == 202


def test_guests_of_one_address_share_a_rate(monkeypatch):
    monkeypatch.setenv("LIMIT_ANALYSES_OF_ADDRESS", "2/minute")
    asked = [ask(from_address("192.0.2.7"), moves=move) for move in ("a1", "a2", "a3")]
    assert [answer.status_code for answer in asked] == [202, 202, 429]
    assert ask(from_address("198.51.100.7"), moves="a3").status_code == 202


def test_an_analysis_from_another_network_is_run_before_the_rest_of_a_flood(monkeypatch):
    done = []
    monkeypatch.setitem(queue.handlers, JobKind.ANALYSIS, lambda slug, _: done.append(slug))
    flood = [ask(from_address("192.0.2.7"), moves=str(move)).json() for move in range(12)]
    honest = ask(from_address("198.51.100.7"), moves="15").json()
    lane = LaneThread(Lane("studies", frozenset(Group)))
    for _ in range(2):
        assert lane.step()
    assert honest["slug"] in done
    assert len(flood) == 12


def test_a_waiting_client_gets_the_estimated_time(client, monkeypatch):
    asked = ask(client).json()
    slug = asked["slug"]
    monkeypatch.setattr(presenters, "forecast", lambda: {f"analysis {slug}": 12})
    assert client.get(address_of(asked)).json()["wait"] == 12
    AnalysisRow.objects.update(state=AnalysisState.WORKING)
    assert client.get(address_of(asked)).json()["wait"] is None


def test_old_analyses_are_deleted(client, work_off, monkeypatch):
    asked = ask(client).json()
    monkeypatch.setattr(services, "KEPT", -1)
    ask(Client(), moves="a1")
    assert client.get(address_of(asked)).status_code == 404


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"effort": "for ever"}, "study/no-such-effort"),
        ({"effort": "hint" * 3}, "study/no-such-effort"),
        ({"moves": "a1,a1"}, "move/occupied"),
        ({"size": "999"}, "option/out-of-range"),
    ],
)
def test_invalid_requests_are_refused_with_a_code(client, fields, code):
    answer = ask(client, **fields)
    assert answer.status_code == 400
    assert answer.json()["code"] == code
    assert waiting() == 0


def test_requests_need_a_csrf_token():
    guarded = Client(enforce_csrf_checks=True)
    assert ask(guarded).status_code == 403


def test_an_analysis_is_stored_and_queued_as_it_was_asked_for(client, people, clocks):
    client.force_login(people[0])
    asked = ask(client, moves="b2,a1", swap="off", effort="look")
    row = AnalysisRow.objects.get()
    assert asked.json() == {
        "slug": row.slug,
        "state": "waiting",
        "isOver": False,
        "found": None,
        "wait": None,
    }
    assert (row.user, row.game_id, row.options) == (people[0], "hex", {"size": 4, "swap": "off"})
    assert (row.setup, row.moves, row.effort) == ("", [5, 0], "look")
    assert row.asked_at == row.seen_at == now()
    assert not row.is_hint
    assert row.position().ply == 2
    job = JobRow.objects.get()
    seconds = 1.25 * find_effort("look").seconds
    assert (job.kind, job.key, job.version, job.user) == ("analysis", row.slug, 0, people[0])
    assert job.seconds == seconds
    JobRow.objects.all().delete()
    services.queue_lost_analyses()
    assert list(JobRow.objects.values_list("kind", "key", "seconds")) == [
        ("analysis", row.slug, seconds)
    ]
    ask(client, setup='{"stones":{"b2":"black"},"to_move":"white"}')
    row = AnalysisRow.objects.get(state="waiting")
    assert (row.setup, row.effort) == ('{"stones":{"b2":"black"},"to_move":"white"}', "glance")
    assert row.position().to_move.value == "white"


@pytest.mark.parametrize(
    "other",
    [
        {"moves": "a1"},
        {"size": "5"},
        {"effort": "look"},
        {"setup": '{"stones":{"b2":"black"},"to_move":"white"}'},
    ],
)
def test_the_result_of_another_analysis_is_not_reused(client, other):
    ask(client)
    AnalysisRow.objects.update(state=AnalysisState.DONE)
    assert ask(client, **other).json()["state"] == "waiting"
    assert ask(client).json()["isOver"]
    assert set(AnalysisRow.objects.values_list("state", flat=True)) == {"done", "stopped"}
    AnalysisRow.objects.update(state=AnalysisState.STOPPED)
    assert ask(client).json()["state"] == "waiting"


def test_analyses_are_kept_for_a_day(client, clocks):
    kept, old = (address_of(ask(Client(), moves=move).json()) for move in ("a1", "a2"))
    AnalysisRow.objects.filter(slug=kept.rpartition("/")[2]).update(asked_at=now() - 24 * HOUR)
    AnalysisRow.objects.filter(slug=old.rpartition("/")[2]).update(asked_at=now() - 24 * HOUR - 1)
    ask(client)
    assert [client.get(one).status_code for one in (kept, old)] == [200, 404]


@pytest.mark.parametrize(("passed", "is_noted"), [(3_000, False), (3_001, True)])
def test_a_client_that_polls_is_noted_every_three_seconds(client, clocks, passed, is_noted):
    address = address_of(ask(client).json())
    at = now()
    clocks.advance(passed)
    client.get(address)
    assert AnalysisRow.objects.get().seen_at == at + (passed if is_noted else 0)
    AnalysisRow.objects.update(state=AnalysisState.DONE)
    clocks.advance(passed)
    client.get(address)
    assert AnalysisRow.objects.get().seen_at == at + (passed if is_noted else 0)


@pytest.mark.parametrize(("late", "is_wanted"), [(0, True), (1, False)])
def test_a_client_has_left_that_has_not_polled_within_the_patience(client, clocks, late, is_wanted):
    ask(client)
    clocks.advance(services.PATIENCE + late)
    services.queue_lost_analyses()
    row = AnalysisRow.objects.get()
    assert row.state == ("waiting" if is_wanted else "stopped")
    AnalysisRow.objects.update(state="working")
    assert services._is_wanted(row) is is_wanted
    assert AnalysisRow.objects.get().state == ("working" if is_wanted else "stopped")


def test_after_a_restart_clients_of_open_analyses_have_time_to_poll(client, clocks):
    ask(client)
    stopped = ask(Client(), moves="a1").json()["slug"]
    AnalysisRow.objects.filter(slug=stopped).update(state="stopped")
    at = now()
    clocks.advance(1)
    services.take_up()
    seen = dict(AnalysisRow.objects.values_list("state", "seen_at"))
    assert seen == {"waiting": at + 1, "stopped": at}


class Search:
    """A search that has found something."""

    def __init__(self, position, *, is_ready=True):
        self.position, self.is_ready, self.is_stopped = position, is_ready, False

    def stop(self):
        self.is_stopped = True

    def result(self, *, criticality):
        assert not criticality  # it takes too long while the search goes on
        return analyze(self.position, limits=Limits(seconds=0.01), memory=8)


def test_a_search_reports_every_400_milliseconds_while_its_client_polls(client, clocks):
    ask(client)
    row = AnalysisRow.objects.get()
    search: Any = Search(row.position())
    report = services._Reporter(row, search)
    progress: Any = SimpleNamespace(share=0.25, seconds=1.23456)
    for passed, is_reported in ((399, False), (1, True), (399, False), (1, True)):
        AnalysisRow.objects.update(found=None)
        clocks.advance(passed)
        report(progress)
        row.refresh_from_db()
        assert (row.found is not None) is is_reported
    found: Any = row.found
    assert (found["share"], found["rootInfo"]["seconds"]) == (0.25, 1.235)
    search.is_ready = False
    AnalysisRow.objects.update(found=None)
    clocks.advance(400)
    report(progress)
    row.refresh_from_db()
    assert (row.found, search.is_stopped) == (None, False)
    AnalysisRow.objects.update(state=AnalysisState.STOPPED)
    report(progress)
    assert not search.is_stopped
    clocks.advance(400)
    report(progress)
    assert search.is_stopped


def test_an_analysis_works_until_it_is_done_unless_it_is_over(client, monkeypatch):
    address = address_of(ask(client).json())
    slug = address.rpartition("/")[2]
    states = []

    class Analyzer:
        is_ready = False

        def __init__(self, position, settings):
            states.append(AnalysisRow.objects.get().state)

        def run(self, *_):
            pass

        def find_threats(self, limits):
            assert limits.seconds == find_effort("glance").seconds

    monkeypatch.setattr(services, "Analyzer", Analyzer)
    services.analyse_now(slug)
    assert states == ["working"]
    assert client.get(address).json()["state"] == "stopped"  # nothing was found
    services.analyse_now(slug)
    AnalysisRow.objects.update(state=AnalysisState.DONE)
    services.analyse_now(slug)
    services.analyse_now("none")
    assert states == ["working"]


def test_networks_may_have_as_many_open_analyses_as_the_limit(people, monkeypatch, clocks):
    """Of a wider network of IPv6, four times as many; those of clients that left do not count."""
    monkeypatch.setenv("LIMIT_ANALYSES_WAITING", "1")
    for number, user in enumerate(people):
        ClientRow.objects.create(user=user, network=f"narrow {number // 2}", wider="wide")
    extra = [User.objects.create(username=f"u{number}") for number in range(4)]
    for number, user in enumerate(extra):
        ClientRow.objects.create(user=user, network=f"other {number}", wider="wide")
    line = read_line({"game": "hex", "size": "4"})
    glance = find_effort("glance")

    def is_refused(user):
        try:
            services.ask(user, line, glance)
        except InputError as error:
            return error.code == "study/busy"
        return False

    assert not is_refused(people[0])
    assert is_refused(people[1])
    assert not is_refused(people[0])  # the earlier one was ended
    services.ask(people[1], line, HINT)
    assert [is_refused(one) for one in (people[2], *extra[:3])] == [False, False, False, True]
    clocks.advance(services.PATIENCE - 1)
    assert is_refused(extra[3])
    clocks.advance(1)
    assert not is_refused(extra[3])


def test_efforts_are_told_apart_by_their_names():
    for name, seconds in (("glance", 1), ("look", 5), ("study", 30), ("hint", 1.5)):
        found = next(one for one in (*EFFORTS, HINT) if one.name == name)
        assert (found.seconds, found.limits.seconds) == (seconds, seconds)
        assert found.seconds_with_threats == 1.25 * seconds
    with pytest.raises(InputError) as refused:
        find_effort("glances" * 9)
    known = "there are glance, look, study"
    assert str(refused.value) == f"there is no effort {('glances' * 9)[:20]!r}; {known}"


def test_a_picture_of_an_analysis_marks_eight_moves_at_most():
    found = analyze(make_game("hex", {"size": 5}).initial(), limits=Limits(visits=300), memory=8)
    view = presenters.analysis_view(found, 1 / 3)
    TypeAdapter(AnalysisResultOut).validate_python(view)
    assert len(view["marks"]) <= 8
    assert len(view["moveInfos"]) <= 8
    assert view["share"] == 0.333
    overlay = found.scene(8).overlay
    assert view["marks"] == dict(overlay.marks)
    assert view["heat"] == {cell: round(one, 3) for cell, one in overlay.weights.items()}
