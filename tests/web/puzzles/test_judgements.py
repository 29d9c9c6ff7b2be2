"""Judgements by the worker's search."""

import pytest

from antipodes.puzzles import store
from antipodes.web.jobs.models import JobRow, Kind
from antipodes.web.platform.clock import now
from antipodes.web.puzzles import judgements, presenters, services
from antipodes.web.puzzles.models import JudgementRow, TryRow
from antipodes.web.puzzles.services import Verdict

pytestmark = pytest.mark.django_db


@pytest.fixture
def forced():
    """A puzzle of Antipode that takes two turns, whose search is short."""
    return next(one for one in store.puzzles("antipode") if one.turns == 2)


def other_moves(puzzle):
    position = puzzle.position
    return [position.format_move(move) for move in position.legal_moves if move != puzzle.solution]


def test_the_worker_finds_the_refutation_of_a_wrong_move(ann, forced, work_off):
    wrong = other_moves(forced)[0]
    assert not services.answer(ann, forced, (), wrong).is_final
    work_off()
    found = services.refutation(ann, forced, [wrong])
    assert found.verdict is Verdict.WRONG
    assert found.is_final
    assert len(found.refutation) == 1
    assert TryRow.objects.get().retries == 0  # looking again does not count


def test_a_page_learns_that_the_computer_cannot_search_yet(ann, forced, work_off, monkeypatch):
    wrong = other_moves(forced)[0]
    found = services.answer(ann, forced, (), wrong)
    assert not presenters.answer_view(forced, found)["isPreparing"]
    monkeypatch.setattr(presenters, "is_cold", lambda *_: True)
    assert presenters.answer_view(forced, found)["isPreparing"]
    work_off()
    found = services.refutation(ann, forced, [wrong])
    assert not presenters.answer_view(forced, found)["isPreparing"]


def test_the_same_move_is_searched_once_for_all_solvers(ann, bob, forced, work_off):
    wrong = other_moves(forced)[0]
    services.answer(ann, forced, (), wrong)
    services.answer(bob, forced, (), wrong)
    assert JobRow.objects.filter(kind=Kind.PUZZLE).count() == 1
    work_off()
    assert services.answer(bob, forced, (), wrong).is_final
    assert not JobRow.objects.exists()


def test_a_late_right_move_beside_the_line_is_right_once_it_was_searched(ann, work_off):
    """In some puzzle another last move wins too; it counts when the rules say so, or the search."""
    puzzle = next(one for one in store.puzzles("antipalos") if one.turns == 2)
    before = judgements.position_after(puzzle, puzzle.line[:2])
    for move in before.legal_moves:
        text = before.format_move(move)
        after = before.play(move)
        won = after.outcome is not None and after.outcome.winner is puzzle.solver
        answer = services.refutation(None, puzzle, [*puzzle.line[:2], text])
        assert answer.verdict is (Verdict.SOLVED if won else Verdict.WRONG)


def test_an_undecided_move_does_not_count(ann, puzzle, work_off, monkeypatch):
    position = judgements.position_after(puzzle, puzzle.line[:2])
    other = next(
        text for text in map(position.format_move, position.legal_moves) if text != puzzle.line[2]
    )
    waiting = services.answer(ann, puzzle, puzzle.line[:2], other)
    assert waiting.verdict is Verdict.WAITING
    JudgementRow.objects.update(state="undecided")
    assert services.answer(ann, puzzle, puzzle.line[:2], other).verdict is Verdict.UNDECIDED
    assert not TryRow.objects.exists()


def test_a_lost_job_is_queued_again(ann, forced):
    services.answer(ann, forced, (), other_moves(forced)[0])
    JobRow.objects.all().delete()
    judgements.take_up_lost()
    assert JobRow.objects.get().kind == Kind.PUZZLE


def test_old_and_undecided_judgements_are_deleted(db):
    times = {"old": now() - 100 * 86_400_000, "new": now(), "undecided": now() - 120_000}
    for name, at in times.items():
        state = "undecided" if name == "undecided" else "done"
        JudgementRow.objects.create(puzzle_id=name, moves="a1", state=state, asked_at=at)
    judgements.take_up_lost()
    assert [row.puzzle_id for row in JudgementRow.objects.all()] == ["new"]
