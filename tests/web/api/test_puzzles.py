"""Puzzles by the API."""

from datetime import timedelta
from typing import Any

import pytest

from antipodes.puzzles import store
from antipodes.records.json_format import setup_data
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.platform.clock import now
from antipodes.web.puzzles import catalogue
from antipodes.web.puzzles.daily import daily, today
from antipodes.web.puzzles.labels import task_of
from antipodes.web.puzzles.models import PuzzleRow, TryRow
from antipodes.web.puzzles.selectors import own_ratings

pytestmark = pytest.mark.django_db


def test_a_puzzle_has_no_solution_in_it(ask, puzzle):
    found = ask("GET", f"puzzles/{puzzle.id}").data
    assert (found["id"], found["game"], found["toMove"]) == (
        puzzle.id,
        "hex",
        puzzle.solver.value,
    )
    assert (found["themes"], found["outcome"]) == (None, None)
    assert not {"line", "solutions", "solution", "source"} & found.keys()
    assert found["path"] == f"/puzzles/{puzzle.id}/"


def test_a_puzzle_has_all_its_fields_and_its_rating(ask, token, puzzle, people):
    told = {
        "id": puzzle.id,
        "game": "hex",
        "options": dict(puzzle.game.options.changed()),
        "setup": setup_data(puzzle.setup),
        "toMove": puzzle.solver.value,
        "goal": puzzle.goal,
        "turns": puzzle.turns,
        "task": task_of(puzzle),
        "difficulty": puzzle.difficulty,
        "rating": round(catalogue.initial_rating(puzzle).value),
        "tries": 0,
        "path": f"/puzzles/{puzzle.id}/",
        "picture": f"/puzzles/{puzzle.id}/board.svg",
        "outcome": None,
        "themes": None,
    }
    assert ask("GET", f"puzzles/{puzzle.id}").data == told
    ask("POST", f"puzzles/{puzzle.id}/solution", token(), {})
    row = PuzzleRow.objects.get()
    assert row.tries == 1
    told |= {"rating": round(row.rating.value), "tries": 1}
    assert ask("GET", f"puzzles/{puzzle.id}", token(people[1])).data == told
    tried = {"outcome": "failed", "themes": list(puzzle.themes)}
    assert ask("GET", f"puzzles/{puzzle.id}", token()).data == {**told, **tried}


def test_a_try_and_a_solver_have_all_their_fields(ask, token, puzzle, people, clocks):
    text = token()
    nothing = {"streak": 0, "longestStreak": 0, "isDoneToday": False, "ratings": []}
    assert ask("GET", "account/puzzles", text).data == nothing
    ask("POST", f"puzzles/{puzzle.id}/solution", text, {})
    row = TryRow.objects.get()
    told = {
        "puzzle": puzzle.id,
        "game": "hex",
        "outcome": "failed",
        "at": now(),
        "retries": 0,
        "solvedAt": None,
        "rating": None if row.value is None else round(row.value),
        "gain": row.gain,
    }
    assert ask("GET", "puzzles/tries", text).data == {"tries": [told], "before": None}
    [rating] = own_ratings(people[0])
    assert ask("GET", "account/puzzles", text).data["ratings"] == [
        {
            "game": "hex",
            "rating": round(rating.rating.value),
            "deviation": round(rating.rating.deviation),
            "tries": 1,
            "solved": 0,
        }
    ]
    TryRow.objects.update(value=None)
    [found] = ask("GET", "puzzles/tries", text).data["tries"]
    assert (found["rating"], found["gain"]) == (None, None)


def test_a_puzzle_that_does_not_exist_is_not_found(ask):
    assert ask("GET", "puzzles/0000000000").data["code"] == "api/not-found"


def test_the_puzzle_of_the_day(ask):
    found = ask("GET", "puzzles/daily").data
    assert found["day"] == today().isoformat()
    chosen = daily(today())
    assert chosen is not None
    assert found["puzzle"]["id"] == chosen.id
    again = ask("GET", f"puzzles/daily?day={today().isoformat()}").data
    assert again == found


def test_an_earlier_day_keeps_its_puzzle(ask, clocks):
    days = [today() - timedelta(days=back) for back in (1, 2, 4)]
    chosen = {day: daily(day) for day in days}
    for day, puzzle in chosen.items():
        assert puzzle is not None
        found = ask("GET", f"puzzles/daily?day={day.isoformat()}").data
        assert (found["day"], found["puzzle"]["id"]) == (day.isoformat(), puzzle.id)
    without = (today() - timedelta(days=3)).isoformat()
    refused = ask("GET", f"puzzles/daily?day={without}")
    assert (refused.status_code, refused.data["code"]) == (404, "api/not-found")
    assert refused.data["message"] == f"There is no puzzle of {without}."
    tomorrow = today() + timedelta(days=1)
    daily(tomorrow)
    assert ask("GET", f"puzzles/daily?day={tomorrow.isoformat()}").status_code == 404


@pytest.mark.parametrize(
    ("day", "code"),
    [
        ("2999-01-01", "api/not-found"),
        ("1999-01-01", "api/not-found"),
        ("2026-02-31", "puzzle/day"),
    ],
)
def test_other_days_have_no_puzzle(ask, day, code):
    assert ask("GET", f"puzzles/daily?day={day}").data["code"] == code


def test_the_next_puzzle_is_one_that_was_not_tried(ask, token, people):
    last = store.puzzles("cylindrical-hex")[-1]
    for one in store.puzzles("cylindrical-hex")[:-1]:
        TryRow.objects.create(
            user=people[0],
            puzzle_id=one.id,
            game_id=one.game_id,
            outcome="failed",
            at=1,
            puzzle_value=1500,
        )
    found = ask("GET", "puzzles/next?game=cylindrical-hex", token()).data
    assert found["id"] == last.id
    TryRow.objects.filter(puzzle_id=store.puzzles("cylindrical-hex")[0].id).update(
        puzzle_id=last.id
    )
    found = ask("GET", "puzzles/next?game=cylindrical-hex", token()).data
    assert found["id"] == store.puzzles("cylindrical-hex")[0].id


def test_filters_of_the_next_puzzle(ask):
    found = ask("GET", "puzzles/next?game=hex&theme=fork&difficulty=3").data
    chosen = store.find_puzzle(found["id"])
    assert (chosen.game_id, chosen.difficulty) == ("hex", 3)
    assert "fork" in chosen.themes


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("game=chess", "game/unknown"),
        ("theme=none", "puzzle/theme"),
        ("difficulty=10", "api/parameter"),
        ("game=cylindrical-hex&theme=lock", "api/not-found"),
    ],
)
def test_wrong_filters_are_refused(ask, query, code):
    found = ask("GET", f"puzzles/next?{query}").data
    assert found["code"] == code or code == "api/parameter"
    assert "code" in found


def test_a_puzzle_is_solved_move_by_move(ask, token, puzzle, people):
    text, moves, found = token(), list[str](), dict[str, Any]()
    for own, reply in zip(puzzle.line[::2], [*puzzle.line[1::2], None], strict=False):
        body = {"moves": moves, "move": own}
        found = ask("POST", f"puzzles/{puzzle.id}/answers", text, body).data
        assert (found["verdict"], found["reply"]) == ("right" if reply else "solved", reply)
        moves = found["moves"]
    assert moves == list(puzzle.line)
    assert (found["isFirst"], found["firstTry"]["outcome"]) == (True, "solved")
    shown = ask("GET", f"puzzles/{puzzle.id}", text).data
    assert (shown["outcome"], shown["themes"]) == ("solved", list(puzzle.themes))
    assert ask("GET", f"puzzles/{puzzle.id}", token(people[1])).data["outcome"] is None
    [first] = ask("GET", "puzzles/tries", text).data["tries"]
    assert (first["puzzle"], first["outcome"], first["retries"]) == (puzzle.id, "solved", 0)
    solver = ask("GET", "account/puzzles", text).data
    assert (solver["streak"], solver["isDoneToday"]) == (1, True)
    assert [one["game"] for one in solver["ratings"]] == ["hex"]


def test_a_wrong_move_counts_once(ask, token, puzzle, wrong, people):
    for _ in range(2):
        body = {"move": wrong}
        found = ask("POST", f"puzzles/{puzzle.id}/answers", token(), body).data
        assert found["verdict"] == "wrong"
    row = TryRow.objects.get(user=people[0])
    assert (row.outcome, row.retries) == ("failed", 1)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"move": "zz99"}, 422, "move/"),
        ({"move": "c3", "moves": ["c3", "d4"]}, 422, ""),
        ({"moves": []}, 422, ""),
        ({"move": "c3", "moves": ["c3"] * 61}, 422, ""),
    ],
)
def test_wrong_answers_are_refused_and_count_nothing(ask, token, puzzle, body, status, code):
    found = ask("POST", f"puzzles/{puzzle.id}/answers", token(), body)
    assert found.status_code in (status, 409)
    assert code in found.data["code"]
    assert not TryRow.objects.exists()


def test_the_solution_counts_as_failed(ask, token, puzzle, people):
    found = ask("POST", f"puzzles/{puzzle.id}/solution", token(), {}).data
    assert found["moves"] == list(puzzle.line)
    assert TryRow.objects.get(user=people[0]).outcome == "failed"


def test_a_token_without_read_sees_no_outcome(ask, token, puzzle, people):
    ask("POST", f"puzzles/{puzzle.id}/solution", token(), {})
    limited = token(people[0], Scope.PLAY)
    assert ask("GET", f"puzzles/{puzzle.id}", limited).data["outcome"] is None
    assert ask("GET", "puzzles/tries", limited).status_code == 403


def test_an_answer_shows_the_first_try_only_with_read(ask, token, puzzle, wrong, people):
    limited, body = token(people[0], Scope.PLAY), {"move": wrong}
    found = ask("POST", f"puzzles/{puzzle.id}/answers", limited, body).data
    assert (found["verdict"], found["firstTry"], found["isFirst"]) == ("wrong", None, False)
    found = ask("POST", f"puzzles/{puzzle.id}/answers", token(), body).data
    assert found["firstTry"]["outcome"] == "failed"


def test_tries_come_in_pages(ask, token, people):
    for number, one in enumerate(store.puzzles("hex")[:5]):
        TryRow.objects.create(
            user=people[0],
            puzzle_id=one.id,
            game_id="hex",
            outcome="failed",
            at=number // 2,
            puzzle_value=1500,
        )
    seen: list[str] = []
    before: str | None = ""
    while before is not None:
        page = ask("GET", f"puzzles/tries?count=2&before={before}", token()).data
        seen += [one["puzzle"] for one in page["tries"]]
        before = page["before"]
    assert seen == [one.id for one in reversed(store.puzzles("hex")[:5])]
    for count, has_more in ((4, True), (5, False), (6, False)):
        page = ask("GET", f"puzzles/tries?count={count}", token()).data
        assert (len(page["tries"]), page["before"] is not None) == (min(count, 5), has_more)


def test_answers_are_limited(ask, token, puzzle, monkeypatch):
    monkeypatch.setenv("LIMIT_PUZZLE_ANSWERS", "1/hour")
    body = {"move": puzzle.line[0]}
    assert ask("POST", f"puzzles/{puzzle.id}/answers", token(), body).status_code == 200
    found = ask("POST", f"puzzles/{puzzle.id}/answers", token(), body)
    assert found.status_code == 429
    assert "Retry-After" in found.headers
