"""Answers to moves of puzzles, and the tries that they end."""

import pytest

from antipodes.errors import InputError, MoveError
from antipodes.puzzles import store
from antipodes.web.puzzles import attempts, catalogue, plain_answers, services
from antipodes.web.puzzles.daily import today
from antipodes.web.puzzles.models import JudgementRow, PuzzleRow, SolverRow, TryRow
from antipodes.web.puzzles.selectors import streak
from antipodes.web.puzzles.services import Answer, Verdict

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
    assert (first.verdict, first.reply) == (Verdict.RIGHT, puzzle.line[1])
    assert first.recorded is None
    last = solve(ann, puzzle)
    assert last.verdict is Verdict.SOLVED
    assert last.recorded.is_first
    assert last.recorded.row.outcome == "solved"


def test_a_wrong_first_move_is_told_at_once_by_the_proof(ann, puzzle, wrong):
    answer = services.answer(ann, puzzle, (), wrong)
    assert answer.verdict is Verdict.WRONG
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
        assert services.answer(user, puzzle, (), wrong).verdict is Verdict.WRONG
        assert solve(user, puzzle).verdict is Verdict.SOLVED
    assert not TryRow.objects.exists()
    assert not SolverRow.objects.exists()


def test_a_hint_makes_the_try_unrated(ann, puzzle):
    assert services.hint(ann, puzzle, ()) == puzzle.line[0]
    assert solve(ann, puzzle).recorded.row.outcome == "hinted"
    row = TryRow.objects.get()
    assert not row.is_rated
    assert row.solved_at is not None
    assert not SolverRow.objects.exists()


def test_a_hint_later_in_the_line_names_the_next_move(ann, puzzle):
    assert services.hint(ann, puzzle, puzzle.line[:2]) == puzzle.line[2]


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
        with pytest.raises(InputError) as refused:
            services.answer(ann, puzzle, moves, puzzle.line[2])
        assert refused.value.code == "puzzle/moves"
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
        attempts.record(ann, of, attempts.Outcome.SOLVED)
        return row_of(of)

    monkeypatch.setattr(catalogue, "row_of", row_of_later)
    assert not attempts.record(ann, puzzle, attempts.Outcome.FAILED).is_first
    assert TryRow.objects.get().outcome == "solved"
    assert SolverRow.objects.get().tries == PuzzleRow.objects.get().tries == 1
    assert SolverRow.objects.get().value > 1500


@pytest.mark.parametrize("game_id", ["antipode", "antipalos", "hex", "cylindrical-hex", "antipod"])
def test_puzzles_of_every_game_can_be_solved_by_their_line(ann, game_id):
    for puzzle in store.puzzles(game_id)[:3]:
        assert solve(ann, puzzle).verdict is Verdict.SOLVED


@pytest.mark.parametrize(
    ("found", "text", "shown"),
    [
        (Answer(Verdict.SOLVED, ("a1",)), "a1 is right. Solved!", "a1"),
        (
            Answer(Verdict.RIGHT, ("a1", "b2"), reply="b2"),
            "a1 is right. The reply is b2. Your move.",
            "a1 b2",
        ),
        (Answer(Verdict.WRONG, ("a1",)), "a1 is wrong.", "a1"),
        (
            Answer(Verdict.WRONG, ("a1",), refutation=("b2", "c3")),
            "a1 is wrong. The refutation: b2 c3",
            "a1 b2 c3",
        ),
        (
            Answer(Verdict.UNDECIDED, ("a1",)),
            "a1: the computer could not decide whether this is right.",
            "",
        ),
        (
            Answer(Verdict.WAITING, ("a1",)),
            "The computer still thinks about a1. Answer again soon.",
            "",
        ),
    ],
)
def test_answers_without_javascript_are_sentences(found, text, shown):
    told = plain_answers._answered([], found)
    assert (told["text"], told["played"]) == (text, shown)
    assert told["is_over"] is (found.verdict is Verdict.SOLVED)
