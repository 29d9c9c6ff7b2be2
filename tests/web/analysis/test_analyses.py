"""Requested analyses: results, stopping, limits and errors."""

import pytest
from django.test import Client

from antipodes.games.registry import game_ids
from antipodes.web.analysis import presenters, services
from antipodes.web.analysis.models import AnalysisRow, State
from antipodes.web.jobs import queue
from antipodes.web.jobs.models import JobRow, Kind
from antipodes.web.jobs.worker_threads import Lane, LaneThread
from antipodes.web.platform.kernel_warmup import Use

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
    told = client.get(asked.json()["address"]).json()
    assert told["state"] == "done"
    found = told["found"]
    assert found["moveInfos"]
    assert {one["color"] for one in found["estimates"]} >= {found["rootInfo"]["currentPlayer"]}
    assert found["share"] == 1
    assert "1" in {mark[0] for mark in found["marks"].values()} or found["moveInfos"][0]["move"]


def test_what_is_proven_is_told_as_proven_and_threats_have_a_cell(client, work_off):
    asked = ask(client, moves="b1,a1,b2,a2,b3", swap="off", effort="study").json()
    work_off()
    found = client.get(asked["address"]).json()["found"]
    assert found["rootInfo"]["proven"] == "loss"
    assert {threat["move"] for threat in found["threats"]} == {"a4", "b4"}
    assert all(isinstance(threat["cell"], int) for threat in found["threats"])


def test_a_finished_game_is_told_as_such(client, work_off):
    asked = ask(client, size="2", moves="a1,b1,a2", swap="off").json()
    work_off()
    assert client.get(asked["address"]).json()["found"]["outcome"]["winner"] == "black"


def test_the_result_of_an_identical_analysis_is_reused(client, work_off):
    first = ask(client).json()
    work_off()
    again = ask(Client()).json()
    assert again["address"] == first["address"]
    assert again["isOver"]
    assert waiting() == 0


def test_a_new_analysis_ends_the_one_before_it(client, work_off):
    first = ask(client).json()
    second = ask(client, moves="a1").json()
    work_off()
    assert client.get(first["address"]).json()["state"] == "stopped"
    assert client.get(second["address"]).json()["state"] == "done"


def test_only_the_owner_can_stop_an_analysis(client, work_off):
    asked = ask(client).json()
    assert Client().delete(asked["address"]).json()["state"] == "waiting"
    client.delete(asked["address"])
    work_off()
    assert client.get(asked["address"]).json()["state"] == "stopped"


def test_an_abandoned_analysis_is_not_run(client, work_off, monkeypatch):
    asked = ask(client).json()
    monkeypatch.setattr(services, "PATIENCE", -1)
    work_off()
    assert client.get(asked["address"]).json()["state"] == "stopped"


def test_a_running_analysis_is_stopped_when_its_client_leaves(client, work_off, monkeypatch):
    asked = ask(client, size="11", effort="study").json()
    monkeypatch.setattr(services, "_REPORT", 0)
    reports = []

    def leave_after_two(row):
        reports.append(row)
        if len(reports) > 2:
            AnalysisRow.objects.update(state=State.STOPPED)
            return False
        return True

    monkeypatch.setattr(services, "_is_wanted", leave_after_two)
    work_off()
    assert client.get(asked["address"]).json()["state"] == "stopped"


def test_a_failed_analysis_is_stopped(client, work_off, monkeypatch, caplog):
    asked = ask(client).json()
    monkeypatch.setattr(services, "Analyzer", lambda *_, **__: 1 / 0)
    work_off()
    assert client.get(asked["address"]).json()["isOver"]
    assert "ZeroDivisionError" in caplog.text


def test_an_analysis_waits_for_compiled_kernels(client, monkeypatch):
    address = ask(client).json()["address"]
    slug = address.rsplit("/", 1)[1]
    monkeypatch.setattr(services, "is_cold", lambda game, use: use is Use.STUDY)
    with pytest.raises(queue.NotReadyError):
        services.analyse_now(slug, 0)
    told = client.get(address).json()
    assert (told["state"], told["isOver"]) == ("warming", False)


@pytest.mark.parametrize("state", [State.STOPPED, State.DONE])
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
    AnalysisRow.objects.update(state=State.WORKING)
    JobRow.objects.all().delete()
    services.take_up()
    services.take_up_lost()
    work_off()
    assert client.get(asked["address"]).json()["state"] == "done"


def test_an_analysis_that_is_put_many_times_waits_once(client):
    ask(client)
    for _ in range(5):
        services.take_up_lost()
    assert waiting() == 1


def test_abandoned_analyses_leave_the_queue(client, monkeypatch):
    asked = ask(client).json()
    monkeypatch.setattr(services, "PATIENCE", -1)
    services.take_up_lost()
    assert waiting() == 0
    assert client.get(asked["address"]).json()["state"] == "stopped"


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
    monkeypatch.setitem(queue._runs, Kind.ANALYSIS, lambda slug, _: done.append(slug))
    flood = [ask(from_address("192.0.2.7"), moves=str(move)).json() for move in range(12)]
    honest = ask(from_address("198.51.100.7"), moves="15").json()
    lane = LaneThread(Lane("studies", frozenset(Kind)))
    for _ in range(2):
        assert lane.step()
    assert honest["address"].rsplit("/", 1)[1] in done
    assert len(flood) == 12


def test_a_waiting_client_gets_the_estimated_time(client, monkeypatch):
    asked = ask(client).json()
    slug = asked["address"].rsplit("/", 1)[1]
    monkeypatch.setattr(presenters, "forecast", lambda: {f"analysis {slug}": 12})
    assert client.get(asked["address"]).json()["wait"] == 12
    AnalysisRow.objects.update(state=State.WORKING)
    assert client.get(asked["address"]).json()["wait"] is None


def test_old_analyses_are_deleted(client, work_off, monkeypatch):
    asked = ask(client).json()
    monkeypatch.setattr(services, "KEPT", -1)
    ask(Client(), moves="a1")
    assert client.get(asked["address"]).status_code == 404


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
