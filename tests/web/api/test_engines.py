"""Engines of volunteers take jobs over the API, and settle them."""

import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache import cache

from antipodes.cli import engine_command
from antipodes.cli.site_client import Site, SiteError
from antipodes.games.registry import make_game
from antipodes.match import Terms
from antipodes.search.players import make_player
from antipodes.web.accounts.services import computer
from antipodes.web.analysis.models import AnalysisRow, AnalysisState
from antipodes.web.jobs import lending
from antipodes.web.jobs.lending import Task, Trial
from antipodes.web.jobs.models import JobRow
from antipodes.web.matches.services import begin_match
from antipodes.web.matches.snapshots import look_up
from antipodes.web.platform.locks import lend_lock, return_lock
from antipodes.web.puzzles.engine_trials import make_trial

pytestmark = pytest.mark.django_db

HEX = make_game("hex", {"size": 3, "swap": "off"})


@pytest.fixture(autouse=True)
def volunteers(settings, monkeypatch):
    """Ann and Bob run engines, and get no trials."""
    cache.clear()
    settings.ENGINE_ACCOUNTS = frozenset({"ann", "bob"})
    monkeypatch.setattr(lending, "make_trial", None)


@pytest.fixture
def match(people):
    """A match in which the computer begins, and its move waits."""
    users = [computer("2"), people[2]]
    row = begin_match(Terms(game=HEX, players=tuple(str(user.pk) for user in users)), users)
    assert JobRow.objects.get().key == row.slug
    return row


@pytest.fixture
def engine(ask, token):
    """The engine of a user, as a function that does a job; it returns whether one waited."""

    class TestSite(Site):
        def __init__(self, user):
            self._token = token(user)

        def send(self, method, path, data=None):
            answer = ask(method, path.removeprefix("/"), self._token, data or {})
            if answer.status_code >= 400:
                raise SiteError(answer.data["code"], answer.data["message"], answer.status_code)
            return answer.data

    return lambda user: engine_command.do_job(TestSite(user))


def test_a_site_without_an_engine_of_its_own_works_with_one_volunteer(match, engine, ann, cy):
    assert engine(ann)
    played = look_up(match.slug).match
    assert played.ply == 1
    assert not JobRow.objects.exists()
    assert not engine(ann)


def test_an_analysis_is_done_by_a_volunteer(ask, token, engine, ann, cy):
    position = {"game": "hex", "options": {"size": 3}, "moves": ["b2"], "effort": "glance"}
    slug = ask("POST", "analyses", token(cy), position).data["slug"]
    assert engine(ann)
    found = ask("GET", f"analyses/{slug}", token(cy)).data
    assert found["isOver"]
    assert found["found"]["moveInfos"][0]["move"] == "swap"
    assert found["found"]["ply"] == 1


def test_a_lent_job_is_given_to_no_other_engine_until_the_loan_expires(match, ask, token, people):
    ann, bob = map(token, people[:2])
    job = ask("POST", "engine/jobs", ann, {}).data["job"]
    assert (job["game"], job["player"], job["moves"]) == ("hex", "computer:2", [])
    assert ask("POST", "engine/jobs", bob, {}).data["job"] is None
    return_lock(f"move {match.slug}")  # as it expires
    assert ask("POST", "engine/jobs", bob, {}).data["job"]["loan"] != job["loan"]


def test_an_analysis_that_a_lane_takes_at_the_same_time_is_not_begun(
    monkeypatch, ask, token, people
):
    position = {"game": "hex", "options": {"size": 3}, "moves": ["b2"], "effort": "glance"}
    slug = ask("POST", "analyses", token(people[2]), position).data["slug"]
    assert lend_lock(f"analysis {slug}", 60)
    monkeypatch.setattr(lending, "locked_jobs", lambda _names: set())  # looked up before that
    assert ask("POST", "engine/jobs", token(), {}).data["job"] is None
    assert AnalysisRow.objects.get(slug=slug).state == AnalysisState.WAITING


def test_only_who_has_the_loan_settles_it_and_only_once(match, ask, token, people):
    ann, bob = map(token, people[:2])
    loan = ask("POST", "engine/jobs", ann, {}).data["job"]["loan"]
    answer = {"loan": loan, "move": "b2"}
    for other, data in ((bob, answer), (ann, {**answer, "loan": "x"})):
        refused = ask("POST", "engine/answers", other, data)
        assert (refused.status_code, refused.data["code"]) == (422, "engine/no-loan")
    assert look_up(match.slug).match.ply == 0
    assert ask("POST", "engine/answers", ann, answer).status_code == 204
    assert ask("POST", "engine/answers", ann, answer).data["code"] == "engine/no-loan"
    assert look_up(match.slug).match.ply == 1


def test_an_illegal_move_changes_nothing_and_the_job_waits_again(match, ask, token, ann):
    loan = ask("POST", "engine/jobs", token(), {}).data["job"]["loan"]
    refused = ask("POST", "engine/answers", token(), {"loan": loan, "move": "z9"})
    assert refused.status_code == 422
    assert look_up(match.slug).match.ply == 0
    assert ask("POST", "engine/jobs", token(), {}).data["job"]["moves"] == []


@pytest.mark.parametrize(
    "change",
    [
        {"ply": 4},
        {"game": "antipode"},
        {"moveInfos": [{"move": "b2"}]},
        {"script": "<script>"},
        {"heat": {"a": "b"}},
    ],
)
def test_an_analysis_of_another_form_or_position_is_refused(ask, token, people, change):
    position = {"game": "hex", "options": {"size": 3}, "moves": ["b2"], "effort": "glance"}
    slug = ask("POST", "analyses", token(people[2]), position).data["slug"]
    job = ask("POST", "engine/jobs", token(), {}).data["job"]
    answer = engine_command.answer_of({**job, "seconds": 0.1})
    answer["analysis"] |= change
    refused = ask("POST", "engine/answers", token(), {**answer, "loan": job["loan"]})
    assert refused.status_code == 422, refused.data
    assert AnalysisRow.objects.get(slug=slug).state == AnalysisState.WAITING


def test_the_host_says_whose_engines_work_for_the_site(ask, token, people):
    refused = ask("POST", "engine/jobs", token(people[2]), {})
    assert (refused.status_code, refused.data["code"]) == (422, "engine/not-allowed")


def test_an_engine_that_asks_too_often_is_refused(monkeypatch, ask, token):
    monkeypatch.setenv("LIMIT_ENGINE_JOBS", "2/minute")
    statuses = [ask("POST", "engine/jobs", token(), {}).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]


def test_an_engine_that_fails_trials_gets_no_more_jobs(monkeypatch, ask, token, match):
    trial = Trial(Task(game=HEX, setup=None, moves=(), seconds=0.1), "b2")
    monkeypatch.setattr(lending, "make_trial", lambda _chance: trial)
    monkeypatch.setattr(lending, "_TRIALS", 1.0)

    def answer(move):
        loan = ask("POST", "engine/jobs", token(), {}).data["job"]["loan"]
        assert (
            ask("POST", "engine/answers", token(), {"loan": loan, "move": move}).status_code == 204
        )

    for move in ("b2", "b2", "b2", "b2", "a1", "a1", "a1", "a1"):
        answer(move)
    refused = ask("POST", "engine/jobs", token(), {})
    assert refused.data["code"] == "engine/failed-trials"
    assert "4 of 8" in refused.data["message"]


def test_trials_that_end_at_the_same_time_all_count(ann):
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(lambda _: lending._note_trial(ann, is_passed=True), range(100)))
    finally:
        sys.setswitchinterval(interval)
    assert lending._trials_of(ann) == (100, 0)


def test_the_first_task_of_an_engine_is_a_trial_that_looks_like_an_analysis(
    monkeypatch, ask, token, match
):
    monkeypatch.setattr(lending, "make_trial", make_trial)
    monkeypatch.setattr(lending, "_TRIALS", 0.0)
    asked = ask("POST", "engine/jobs", token(), {})
    assert asked.status_code == 200, asked.data
    job = asked.data["job"]
    assert (job["player"], job["moves"], job["seconds"]) == ("", [], 5.0)
    assert JobRow.objects.count() == 1


def test_trials_are_puzzles_that_a_strong_player_solves():
    for seed in range(3):
        trial = make_trial(random.Random(seed))
        assert trial.task.setup is not None
        position = trial.task.game.position(trial.task.setup)
        move = make_player("computer:6", seed=1).choose(position)
        assert position.format_move(move) == trial.move
