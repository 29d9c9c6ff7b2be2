"""Answers to moves of puzzles, and the tries that they end."""

import dataclasses
from types import SimpleNamespace
from typing import Any

import pytest

from antipodes.clocks import DAY
from antipodes.errors import InputError, MoveError
from antipodes.games.registry import make_game
from antipodes.learn.move_words import line_in_words
from antipodes.puzzles import store
from antipodes.web.puzzles import catalogue, plain_answers, services, views
from antipodes.web.puzzles.daily import today
from antipodes.web.puzzles.models import (
    JudgementRow,
    PuzzleReportRow,
    PuzzleRow,
    SolverRow,
    TryRow,
)
from antipodes.web.puzzles.selectors import streak
from antipodes.web.puzzles.services import Answer, AnswerVerdict
from antipodes.web.ratings.glicko import Rating
from tests.raising import code_of

pytestmark = pytest.mark.django_db


def solve(user, puzzle):
    """Play a puzzle's line; return the last answer."""
    *before, last = puzzle.line[::2]
    moves: tuple[str, ...] = ()
    for move in before:
        moves = services.answer(user, puzzle, moves, move).moves
    return services.answer(user, puzzle, moves, last)


def test_right_moves_are_answered_by_the_opponent_until_the_puzzle_is_solved(ann, puzzle):
    first = services.answer(ann, puzzle, (), puzzle.line[0])
    assert (first.verdict, first.reply) == (AnswerVerdict.RIGHT, puzzle.line[1])
    assert first.recorded is None
    last = solve(ann, puzzle)
    assert last.verdict is AnswerVerdict.SOLVED
    assert last.recorded.is_first
    assert last.recorded.row.outcome == "solved"


def test_a_wrong_first_move_is_told_at_once_by_the_proof(ann, puzzle, wrong):
    answer = services.answer(ann, puzzle, (), wrong)
    assert answer.verdict is AnswerVerdict.WRONG
    assert not answer.is_final  # the refutation follows
    assert TryRow.objects.get().outcome == "failed"
    assert JudgementRow.objects.get().state == "waiting"


def test_a_first_try_is_rated_once(ann, puzzle, wrong):
    services.answer(ann, puzzle, (), wrong)
    rated = SolverRow.objects.get(user=ann)
    services.answer(ann, puzzle, (), wrong)
    last = solve(ann, puzzle)
    assert not last.recorded.is_first
    again = SolverRow.objects.get(user=ann)
    assert (again.value, again.tries) == (rated.value, 1)
    row = TryRow.objects.get()
    assert (row.outcome, row.retries) == ("failed", 2)
    assert row.solved_at is not None
    assert PuzzleRow.objects.get().tries == 1


def test_ratings_move_both_ways(ann, bob, puzzle, wrong):
    start = catalogue.initial_rating(puzzle).value
    services.answer(ann, puzzle, (), wrong)
    failed = PuzzleRow.objects.get().value
    assert failed > start
    assert SolverRow.objects.get(user=ann).value < 1500
    solve(bob, puzzle)
    assert PuzzleRow.objects.get().value < failed
    assert SolverRow.objects.get(user=bob).value > 1500


def test_tries_of_guests_are_not_recorded(guest, puzzle, wrong):
    for user in (None, guest):
        assert services.answer(user, puzzle, (), wrong).verdict is AnswerVerdict.WRONG
        assert solve(user, puzzle).verdict is AnswerVerdict.SOLVED
    assert not TryRow.objects.exists()
    assert not SolverRow.objects.exists()


def test_a_hint_makes_the_try_unrated(ann, puzzle):
    assert services.hint(ann, puzzle, ()) == puzzle.line[0]
    assert services.hint(ann, puzzle, puzzle.line[:2]) == puzzle.line[2]
    assert solve(ann, puzzle).recorded.row.outcome == "hinted"
    row = TryRow.objects.get()
    assert not row.is_rated
    assert row.solved_at is not None
    assert not SolverRow.objects.exists()


def test_a_solution_that_is_shown_counts_as_failed(ann, bob, puzzle):
    assert services.solution(ann, puzzle) == puzzle.line
    assert TryRow.objects.get().outcome == "failed"
    solve(bob, puzzle)
    services.solution(bob, puzzle)
    assert TryRow.objects.get(user=bob).outcome == "solved"


def test_moves_that_the_site_did_not_answer_so_are_refused(ann, puzzle, wrong):
    position = puzzle.position.play(puzzle.solution)
    other = next(
        text for text in map(position.format_move, position.legal_moves) if text not in puzzle.line
    )
    for moves in ((puzzle.line[0], other), (wrong, puzzle.line[0])):
        assert code_of(services.answer, ann, puzzle, moves, puzzle.line[2]) == "puzzle/moves"
    assert not TryRow.objects.exists()


def test_impossible_moves_are_refused_and_do_not_count(ann, puzzle):
    for move in ("z99", "", puzzle.position.format_move(puzzle.solution) * 9):
        with pytest.raises(MoveError):
            services.answer(ann, puzzle, (), move)
    with pytest.raises(InputError, match="the opponent is to move"):
        services.answer(ann, puzzle, puzzle.line[:1], puzzle.line[1])
    with pytest.raises(InputError, match="too many"):
        services.answer(ann, puzzle, ["a1"] * 80, "b2")
    assert not TryRow.objects.exists()


def test_a_solved_puzzle_continues_the_streak_once_a_day(ann, clocks):
    first, second, third = store.puzzles("hex")[:3]
    solve(ann, first)
    solve(ann, second)
    assert streak(ann, today()).days == 1
    clocks.advance(86_400_000)
    assert streak(ann, today()).days == 1  # yesterday's
    assert not streak(ann, today()).is_done_today
    solve(ann, third)
    assert streak(ann, today()).days == 2
    clocks.advance(3 * 86_400_000)
    now = streak(ann, today())
    assert (now.days, now.longest) == (0, 2)


def test_a_try_that_two_processes_end_at_once_is_rated_once(ann, puzzle, monkeypatch):
    """The other process records the try after this one has begun to."""
    row_of = catalogue.row_of

    def row_of_later(of):
        monkeypatch.setattr(catalogue, "row_of", row_of)
        services.record(ann, of, services.Outcome.SOLVED)
        return row_of(of)

    monkeypatch.setattr(catalogue, "row_of", row_of_later)
    assert not services.record(ann, puzzle, services.Outcome.FAILED).is_first
    assert TryRow.objects.get().outcome == "solved"
    assert SolverRow.objects.get().tries == PuzzleRow.objects.get().tries == 1
    assert SolverRow.objects.get().value > 1500


@pytest.mark.parametrize("game_id", ["antipode", "antipalos", "hex", "cylindrical-hex", "antipod"])
def test_puzzles_of_every_game_can_be_solved_by_their_line(ann, game_id):
    for puzzle in store.puzzles(game_id)[:3]:
        assert solve(ann, puzzle).verdict is AnswerVerdict.SOLVED


@pytest.mark.parametrize(
    ("found", "text", "shown"),
    [
        (Answer(AnswerVerdict.SOLVED, ("a1",)), "a1 is right. Solved!", "a1"),
        (
            Answer(AnswerVerdict.RIGHT, ("a1", "b2"), reply="b2"),
            "a1 is right. The reply is b2. Your move.",
            "a1 b2",
        ),
        (Answer(AnswerVerdict.WRONG, ("a1",)), "a1 is wrong.", "a1"),
        (
            Answer(AnswerVerdict.WRONG, ("a1",), refutation=("d4",)),
            "a1 is wrong. The refutation: d4. White puts a stone on d4.",
            "a1 d4",
        ),
        (
            Answer(AnswerVerdict.UNDECIDED, ("a1",)),
            "a1: the computer could not decide whether this is right.",
            "",
        ),
        (
            Answer(AnswerVerdict.WAITING, ("a1",)),
            "The computer still thinks about a1. Answer again soon.",
            "",
        ),
    ],
)
def test_answers_without_javascript_are_sentences(found, text, shown):
    puzzle: Any = SimpleNamespace(position=make_game("hex").initial())
    told = plain_answers._answered(puzzle, [], found)
    assert (told["text"], told["played"]) == (text, shown)
    assert told["is_over"] is (found.verdict is AnswerVerdict.SOLVED)


def fields_of(row, *names):
    return tuple(getattr(row, name) for name in names)


def test_a_first_try_is_a_game_of_solver_and_puzzle_at_their_ratings_before(ann, clocks):
    first, second = store.puzzles("hex")[:2]
    names = ("value", "deviation", "volatility", "tries", "solved")
    easy, hard = catalogue.initial_rating(first), catalogue.initial_rating(second)

    row = services.record(ann, first, services.Outcome.SOLVED).row
    solver = Rating().after_games([(easy, 1.0)], 0)
    rated = easy.after_games([(Rating(), 0.0)], 0)
    assert row.game_id == "hex"
    assert (row.value_before, row.value, row.deviation) == (1500, solver.value, solver.deviation)
    assert (row.puzzle_value, row.solved_at) == (easy.value, row.at)
    found = PuzzleRow.objects.get(puzzle_id=first.id)
    assert found.game_id == "hex"
    assert fields_of(found, *names) == (*dataclasses.astuple(rated), 1, 1)

    idle = 30 * DAY
    clocks.advance(idle)
    later = services.record(ann, second, services.Outcome.FAILED).row
    assert later.at == row.at + idle
    after = solver.after_games([(hard, 0.0)], idle)
    rated = hard.after_games([(solver.after_idling(idle), 1.0)], 0)
    assert (later.value_before, later.value, later.deviation) == (
        solver.value,
        after.value,
        after.deviation,
    )
    assert later.solved_at is None
    found = PuzzleRow.objects.get(puzzle_id=second.id)
    assert fields_of(found, *names) == (*dataclasses.astuple(rated), 1, 0)
    kept = SolverRow.objects.get()
    assert fields_of(kept, *names) == (*dataclasses.astuple(after), 2, 1)
    assert kept.latest == later.at


def test_the_gain_of_a_try_has_its_sign(ann, bob, puzzle, wrong):
    services.answer(ann, puzzle, (), wrong)
    lost = TryRow.objects.get(user=ann)
    assert lost.gain == round(lost.value or 0) - 1500
    assert lost.gain_text == f"−{1500 - round(lost.value or 0)}"  # a minus, no hyphen
    solve(bob, puzzle)
    won = TryRow.objects.get(user=bob)
    assert won.gain_text == f"+{round(won.value or 0) - 1500}"
    services.hint(ann, store.puzzles("antipode")[0], ())
    hinted = TryRow.objects.get(outcome="hinted")
    assert (hinted.gain, hinted.gain_text) == (None, "")


def test_later_tries_are_counted_and_the_first_solution_is_kept(ann, puzzle, clocks):
    def retry(outcome):
        clocks.advance(DAY)
        recorded = services.record(ann, puzzle, outcome)
        assert not recorded.is_first
        row = TryRow.objects.get()
        assert recorded.row == row
        return row.retries, row.solved_at, streak(ann, today()).days

    services.record(ann, puzzle, services.Outcome.FAILED)
    at = TryRow.objects.get().at
    assert retry(services.Outcome.HINTED) == (0, None, 0)
    assert retry(services.Outcome.FAILED) == (1, None, 0)
    assert retry(services.Outcome.SOLVED) == (2, at + 3 * DAY, 1)
    assert retry(services.Outcome.SOLVED) == (3, at + 3 * DAY, 1)
    assert streak(ann, today()).is_done_today is False
    assert TryRow.objects.get().outcome == "failed"


def told_for(client, puzzle, **fields):
    return client.post(f"/puzzles/{puzzle.id}/", fields).context["plain"]


def test_an_answer_without_javascript_shows_the_moves_and_goes_on_after_right_ones(
    client, puzzle, wrong, monkeypatch
):
    monkeypatch.setattr(views, "WAIT", 0.0)
    first, reply, *_ = puzzle.line
    line = {"is_over": False, "status": 200}
    started = {"moves": f"{first},{reply}", "shown": f"{first},{reply}"}
    assert told_for(client, puzzle, move=f" {first} ") == {
        **line,
        **started,
        "text": f"{first} is right. The reply is {reply}. Your move.",
        "played": f"{first} {reply}",
    }
    assert told_for(client, puzzle, move=wrong) == {
        **line,
        "text": f"{wrong} is wrong.",
        "moves": "",
        "shown": wrong,
        "played": wrong,
    }
    refused = told_for(client, puzzle, moves=f"{first},{reply}", move="zz99")
    assert refused.pop("refused")
    assert refused == {
        **line,
        **started,
        "text": "",
        "played": f"{first} {reply}",
        "status": 400,
    }
    asked = told_for(client, puzzle, moves=f"{first},{reply}", ask="hint")
    assert asked.pop("text").startswith("The right move begins at one of these: ")
    assert asked == {**line, **started, "played": f"{first} {reply}"}
    solution = told_for(client, puzzle, moves=f"{first},{reply}", ask="solution")
    words = [str(sentence) for sentence in line_in_words(puzzle.position, puzzle.line)]
    assert solution.pop("text") == " ".join([f"Solution: {' '.join(puzzle.line)}.", *words])
    assert solution == {
        "moves": "",
        "shown": ",".join(puzzle.line),
        "played": " ".join(puzzle.line),
        "is_over": True,
        "status": 200,
    }


def test_moves_are_read_up_to_a_thousand_characters():
    assert plain_answers.read(" a1, ,b2 ,") == ["a1", "b2"]
    assert plain_answers.read("a" * 1_000) == ["a" * 1_000]
    with pytest.raises(InputError, match="1001 characters are too many"):
        plain_answers.read("a" * 1_001)


def test_a_line_has_at_most_sixty_moves(puzzle):
    for count, code in ((60, "move/occupied"), (61, "puzzle/too-long")):
        assert code_of(services.refutation, None, puzzle, [puzzle.line[0]] * count) == code


def test_reports_are_decided_together_and_only_open_ones(ann, bob, puzzle):
    other = store.puzzles("antipode")[0]
    for user in (ann, bob):
        services.solution(user, puzzle)
        services.solution(user, other)
        services.report(user, puzzle, "wrong", "  x" * 600)
    services.report(ann, other, "other")
    row = catalogue.row_of(puzzle)
    assert {len(one.text) for one in row.reports.all()} == {1_000}
    assert services.decide_reports(row, retire=True) == 2
    row.refresh_from_db()
    assert {(one.decision, one.decided_at) for one in row.reports.all()} == {
        ("retired", row.retired_at)
    }
    assert catalogue.retired_ids() == {puzzle.id}
    services.report(ann, puzzle, "several")  # the earlier one is no longer open
    assert services.decide_reports(row, retire=False) == 1
    assert sorted(one.decision for one in row.reports.all()) == ["kept", "retired", "retired"]
    assert catalogue.retired_ids() == set()
    assert PuzzleReportRow.objects.get(puzzle__puzzle_id=other.id).decided_at is None


def brought(client, puzzle, *moves):
    """Bring a try that was made without a network; return the answer."""
    fields = {"moves": ",".join(moves[:-1]), "move": moves[-1], "refutes": "1", "once": "1"}
    answer = client.post(f"/puzzles/{puzzle.id}/answer", fields)
    assert answer.status_code == 200, answer.content.decode()
    return answer.json()


def test_tries_without_a_network_are_recorded_once(client, ann, puzzle, wrong):
    client.force_login(ann)
    for _ in range(2):
        assert brought(client, puzzle, wrong)["verdict"] == "wrong"
    row = TryRow.objects.get(user=ann)
    assert (row.outcome, row.retries, row.solved_at) == (TryRow.Outcome.FAILED, 0, None)
    value = row.value
    for _ in range(2):
        assert brought(client, puzzle, *puzzle.line)["verdict"] == "solved"
    row.refresh_from_db()
    assert (row.outcome, row.retries, row.value) == (TryRow.Outcome.FAILED, 1, value)
    assert row.solved_at is not None
    assert not JudgementRow.objects.exists()


def test_tries_without_a_network_are_recorded_for_guests(client, puzzle):
    for _ in range(2):
        brought(client, puzzle, *puzzle.line)
    assert client.session["puzzles"]["tried"] == {puzzle.id: "solved"}
    assert client.session["puzzles"]["streak"][0] == 1


def test_tries_without_a_network_count_for_the_limits_of_answers(client, ann, puzzle, monkeypatch):
    client.force_login(ann)
    monkeypatch.setenv(services.ANSWERS.setting, "1/minute")
    brought(client, puzzle, *puzzle.line)
    fields = {"moves": "", "move": puzzle.line[0], "once": "1"}
    assert client.post(f"/puzzles/{puzzle.id}/answer", fields).status_code == 429
