"""Judgements by the worker's search."""

from dataclasses import replace
from typing import Any

import pytest

from antipodes.errors import InputError
from antipodes.puzzles import store
from antipodes.puzzles.play import Judgement
from antipodes.web.jobs import queue
from antipodes.web.jobs.models import JobRow, Kind
from antipodes.web.platform.clock import now
from antipodes.web.platform.kernel_warmup import Use
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


def row_of(puzzle, *moves, **more):
    """Store a judgement."""
    return JudgementRow.objects.create(
        puzzle_id=puzzle.id, moves=" ".join(moves), asked_at=now(), **more
    )


def test_only_a_waiting_judgement_of_a_known_puzzle_is_searched(forced, monkeypatch):
    searched = []

    def search(_puzzle, moves):
        searched.append(moves)
        return {"right": True}

    monkeypatch.setattr(judgements, "_searched", search)
    judgements.judge_now("123456")
    judgements.judge_now(str(row_of(forced, "a1", state="done").pk))
    judgements.judge_now(str(row_of(replace(forced, id="hex-none"), "a1").pk))
    assert searched == []
    row = row_of(forced, "a1", "b2")
    judgements.judge_now(str(row.pk))
    row.refresh_from_db()
    assert (searched, row.state, row.found) == ([["a1", "b2"]], "done", {"right": True})


def test_a_search_waits_for_its_kernels(forced, cold):
    asked = cold(judgements)
    row = row_of(forced, other_moves(forced)[0])
    with pytest.raises(queue.NotReadyError):
        judgements.judge_now(str(row.pk))
    row.refresh_from_db()
    assert row.state == "waiting"
    assert asked == [(forced.game, Use.STUDY)]


def test_other_puzzles_refute_first_moves_alone_and_the_referee_the_rest(forced, monkeypatch):
    mine = replace(forced, id="mine-1")
    refutations: list[tuple[str, ...] | None] = [("b2", "c3"), None]
    asked = []

    def refute(puzzle, move):
        asked.append((puzzle, move))
        return refutations.pop(0)

    others = judgements.OtherPuzzles({"mine-1": mine}.get, refute)
    monkeypatch.setattr(judgements, "_others", {"mine-": others})
    monkeypatch.setattr(judgements, "_referee", lambda game, goal: (game, goal))
    monkeypatch.setattr(judgements, "judge", lambda _puzzle, moves, chosen: [*moves, chosen])
    monkeypatch.setattr(judgements, "_as_data", lambda _puzzle, _moves, told, _chosen: told)
    chosen = (forced.game, forced.goal)
    assert judgements._find("mine-1") is mine
    assert judgements._find(forced.id) == forced
    searched: Any = judgements._searched
    shown = {"right": False, "refutation": ["b2", "c3"]}
    assert searched(mine, ["a1"]) == shown
    assert searched(mine, ["a1"]) == ["a1", chosen]
    assert searched(mine, ["a1", "b2", "c3"]) == ["a1", "b2", "c3", chosen]
    assert searched(forced, ["a1"]) == ["a1", chosen]
    assert asked == [(mine, "a1")] * 2


@pytest.mark.parametrize("finds", [True, False])
def test_a_judgement_has_the_reply_and_a_right_move_after_it(forced, finds):
    asked = []
    before = judgements.position_after(forced, forced.line[:1])
    reply = before.parse_move(forced.line[1])
    after = before.play(reply)

    class Referee:
        def answer(self, position, turns):
            asked.append((position, turns))
            return after.parse_move(forced.line[2]) if finds else None

    referee: Any = Referee()

    def told(*, reply, position):
        return judgements._as_data(
            forced,
            forced.line[:1],
            Judgement(True, solved=False, reply=reply, refutation=(), position=position),
            referee,
        )

    data = {"right": True, "solved": False, "refutation": []}
    answer = forced.line[2] if finds else ""
    assert told(reply=reply, position=after) == {**data, "reply": forced.line[1], "answer": answer}
    assert asked == [(after, 1)]
    assert told(reply=None, position=after) == {**data, "reply": "", "answer": ""}
    over = judgements.position_after(forced, forced.line)
    assert told(reply=reply, position=over) == {**data, "reply": forced.line[1], "answer": ""}
    assert len(asked) == 1


class Time:
    """A clock that stands still except while a thread sleeps."""

    def __init__(self):
        """Begin."""
        self.naps = []
        self.wakes = lambda: None

    def monotonic(self):
        """Return the time."""
        return sum(self.naps)

    def sleep(self, seconds):
        """Let time pass."""
        self.naps.append(seconds)
        self.wakes()


def test_a_judgement_is_waited_for_as_long_as_wanted(ann, puzzle, wrong, monkeypatch):
    time = Time()
    monkeypatch.setattr(services, "time", time)
    found = services.refutation(ann, puzzle, [wrong], wait=0.2)
    assert (found.is_final, found.refutation, time.naps) == (False, (), [0.1, 0.1])

    def judge():
        shown = {"right": False, "refutation": ["a1"]}
        JudgementRow.objects.update(state="done", found=shown)

    time.naps.clear()
    time.wakes = judge
    found = services.refutation(ann, puzzle, [wrong], wait=0.2)
    assert (found.is_final, found.refutation, time.naps) == (True, ("a1",), [0.1])
    assert services.refutation(ann, puzzle, [wrong], wait=0.2).is_final
    assert time.naps == [0.1]


def test_moves_after_one_that_waits_for_a_search_wait_too(ann, puzzle):
    moves = list(puzzle.line[:2])
    position = judgements.position_after(puzzle, moves)
    texts = [position.format_move(move) for move in position.legal_moves]
    moves += [text for text in texts if text != puzzle.line[2]][:3]
    found = services.refutation(ann, puzzle, moves)
    assert (found.verdict, found.moves) == (Verdict.WAITING, tuple(moves))
    assert JudgementRow.objects.get().moves == " ".join(moves[:3])


def test_a_hint_is_a_right_move_after_moves_of_the_puzzle_alone(ann, puzzle, wrong):
    asker = judgements.Asker(ann)
    assert services.right_move(puzzle, [], asker) == puzzle.line[0]
    assert services.right_move(puzzle, puzzle.line[:2], asker) == puzzle.line[2]
    position = judgements.position_after(puzzle, puzzle.line[:1])
    texts = [position.format_move(move) for move in position.legal_moves]
    other = next(text for text in texts if text != puzzle.line[1])
    reply = next(text for text in texts if text != wrong)
    not_of_it = ("puzzle/moves", "These moves do not belong to this puzzle; start it again.")
    for moves, fault in (
        (puzzle.line[:1], ("puzzle/turn", "the opponent is to move, not the solver")),
        ((puzzle.line[0], other), not_of_it),
        ((wrong, reply), not_of_it),
    ):
        with pytest.raises(InputError) as error:
            services.right_move(puzzle, moves, asker)
        assert [(one.code, one.message) for one in error.value.faults] == [fault]


def test_without_a_search_only_a_last_turn_beside_the_line_is_known_to_be_wrong(forced):
    assert judgements.known_at_once(forced, (other_moves(forced)[0],)) is None
    before = judgements.position_after(forced, forced.line[:2])
    losing = next(
        text
        for move in before.legal_moves
        if before.play(move).outcome is None
        and (text := before.format_move(move)) != forced.line[2]
    )
    found = judgements.known_at_once(forced, (*forced.line[:2], losing))
    assert found is not None
    assert (found.right, found.solved) == (False, False)
