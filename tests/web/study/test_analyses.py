"""Laws of analyses that people ask for."""

import pytest
from django.test import Client

from antipodes.games.registry import game_ids
from antipodes.web.study import analyses
from antipodes.web.study.models import AnalysisRow, State

pytestmark = pytest.mark.django_db


def ask(client, **fields):
    return client.post("/analyses", {"game": "hex", "size": "4", **fields})


def do(jobs):
    """Do the jobs that were asked for, here and now."""
    while jobs:
        analyses.analyse_now(jobs.pop(0)[1])


@pytest.mark.parametrize("game_id", game_ids())
def test_any_position_of_any_game_is_analysed(client, jobs, game_id):
    asked = client.post("/analyses", {"game": game_id})
    assert asked.status_code == 202
    do(jobs)
    told = client.get(asked.json()["address"]).json()
    assert told["state"] == "done"
    found = told["found"]
    assert found["moveInfos"]
    assert {one["color"] for one in found["estimates"]} >= {found["rootInfo"]["currentPlayer"]}
    assert found["share"] == 1
    assert "1" in {mark[0] for mark in found["marks"].values()} or found["moveInfos"][0]["move"]


def test_what_is_proven_is_told_as_proven_and_threats_have_a_cell(client, jobs):
    asked = ask(client, moves="b1,a1,b2,a2,b3", swap="off", effort="study").json()
    do(jobs)
    found = client.get(asked["address"]).json()["found"]
    assert found["rootInfo"]["proven"] == "loss"
    assert {threat["move"] for threat in found["threats"]} == {"a4", "b4"}
    assert all(isinstance(threat["cell"], int) for threat in found["threats"])


def test_a_finished_game_is_told_as_such(client, jobs):
    asked = ask(client, size="2", moves="a1,b1,a2", swap="off").json()
    do(jobs)
    assert client.get(asked["address"]).json()["found"]["outcome"]["winner"] == "black"


def test_what_is_known_is_not_done_again(client, jobs):
    first = ask(client).json()
    do(jobs)
    again = ask(Client()).json()
    assert again["address"] == first["address"]
    assert again["isOver"]
    assert jobs == []


def test_a_new_analysis_ends_the_one_before_it(client, jobs):
    first = ask(client).json()
    second = ask(client, moves="a1").json()
    do(jobs)
    assert client.get(first["address"]).json()["state"] == "stopped"
    assert client.get(second["address"]).json()["state"] == "done"


def test_whoever_leaves_ends_the_own_work_alone(client, jobs):
    asked = ask(client).json()
    assert Client().delete(asked["address"]).json()["state"] == "waiting"
    client.delete(asked["address"])
    do(jobs)
    assert client.get(asked["address"]).json()["state"] == "stopped"


def test_what_nobody_waits_for_is_not_done(client, jobs, monkeypatch):
    asked = ask(client).json()
    monkeypatch.setattr(analyses, "PATIENCE", -1)
    do(jobs)
    assert client.get(asked["address"]).json()["state"] == "stopped"


def test_an_analysis_is_stopped_in_the_middle_when_nobody_waits_any_more(client, jobs, monkeypatch):
    asked = ask(client, size="11", effort="study").json()
    monkeypatch.setattr(analyses, "_REPORT", 0)
    reports = []

    def leave_after_two(row):
        reports.append(row)
        if len(reports) > 2:
            AnalysisRow.objects.update(state=State.STOPPED)
            return False
        return True

    monkeypatch.setattr(analyses, "_is_wanted", leave_after_two)
    do(jobs)
    assert client.get(asked["address"]).json()["state"] == "stopped"


def test_work_that_breaks_leaves_nobody_waiting(client, jobs, monkeypatch):
    asked = ask(client).json()
    monkeypatch.setattr(analyses, "Analyzer", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        do(jobs)
    assert client.get(asked["address"]).json()["isOver"]


def test_killed_work_is_taken_up_again(client, jobs):
    asked = ask(client).json()
    AnalysisRow.objects.update(state=State.WORKING)
    jobs.clear()
    analyses.take_up()
    do(jobs)
    assert client.get(asked["address"]).json()["state"] == "done"


def test_deeper_work_waits_for_quicker_work(client, jobs):
    for effort in ("study", "glance"):
        ask(Client(), effort=effort)
    assert jobs[0][2] < jobs[1][2]


def test_asking_too_often_and_too_much_at_once_is_refused(client, jobs, monkeypatch):
    monkeypatch.setattr(analyses, "MOST_A_MINUTE", 2)
    answers = [ask(client, moves=move) for move in ("a1", "a2", "a3")]
    assert [answer.status_code for answer in answers] == [202, 202, 400]
    assert answers[2].json()["code"] == "study/too-many"
    monkeypatch.setattr(analyses, "MOST_WAITING", 1)
    assert ask(Client(), moves="b1").json()["code"] == "study/busy"


def test_the_old_is_forgotten(client, jobs, monkeypatch):
    asked = ask(client).json()
    monkeypatch.setattr(analyses, "KEPT", -1)
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
def test_what_cannot_be_analysed_is_refused_with_its_code(client, jobs, fields, code):
    answer = ask(client, **fields)
    assert answer.status_code == 400
    assert answer.json()["code"] == code
    assert jobs == []


def test_strangers_cannot_ask_in_somebodys_name():
    guarded = Client(enforce_csrf_checks=True)
    assert ask(guarded).status_code == 403
