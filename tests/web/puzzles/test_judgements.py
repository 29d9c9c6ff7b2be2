"""Judgements by the worker's search."""

from dataclasses import replace
from typing import Any

import pytest

from antipodes.clocks import DAY, MINUTE
from antipodes.errors import InputError
from antipodes.puzzles import store
from antipodes.puzzles.play import Judgement
from antipodes.web.analysis.presenters import words_of
from antipodes.web.jobs.models import JobKind, JobRow
from antipodes.web.matches.presenters import board_position
from antipodes.web.platform.clock import now
from antipodes.web.puzzles import (
    judgements,
    presenters,
    services,
)
from antipodes.web.puzzles.judgements import Asker, Found
from antipodes.web.puzzles.models import JudgementRow, TryRow
from antipodes.web.puzzles.services import Answer, AnswerVerdict
from tests.raising import raising

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
    found = services.refutation(Asker(ann), forced, [wrong])
    assert found.verdict is AnswerVerdict.WRONG
    assert found.is_final
    assert len(found.refutation) == 1
    assert TryRow.objects.get().retries == 0  # looking again does not count


def test_a_page_that_refutes_a_first_move_itself_needs_no_job(ann, client, forced, work_off):
    wrong = other_moves(forced)[0]
    answer = services.answer(ann, forced, (), wrong, asker=Asker(ann, None, refutes=True))
    assert answer.verdict is AnswerVerdict.WRONG
    assert not answer.is_final
    assert not JudgementRow.objects.exists()
    assert not JobRow.objects.exists()
    assert TryRow.objects.get().outcome == TryRow.Outcome.FAILED
    told = client.get(f"/puzzles/{forced.id}/judgement", {"moves": wrong, "refutes": "1"}).json()
    assert told["search"] == {"turns": 1, "proves": True}
    assert not JobRow.objects.exists()
    # The page has found nothing, and asks after all.
    assert not client.get(f"/puzzles/{forced.id}/judgement", {"moves": wrong}).json()["isFinal"]
    work_off()
    answer = services.answer(ann, forced, (), wrong, asker=Asker(ann, None, refutes=True))
    assert answer.is_final
    assert answer.refutation
    assert "search" not in presenters.answer_view(forced, answer)


def test_the_server_judges_later_moves_of_pages_that_refute_first_moves(ann, puzzle):
    position = judgements.position_after(puzzle, puzzle.line[:2])
    other = next(
        text for text in map(position.format_move, position.legal_moves) if text != puzzle.line[2]
    )
    answer = services.answer(
        ann, puzzle, puzzle.line[:2], other, asker=Asker(ann, None, refutes=True)
    )
    assert answer.verdict is AnswerVerdict.WAITING
    assert JobRow.objects.filter(kind=JobKind.PUZZLE).count() == 1


def test_the_same_move_is_searched_once_for_all_solvers(ann, bob, forced, work_off):
    wrong = other_moves(forced)[0]
    services.answer(ann, forced, (), wrong)
    services.answer(bob, forced, (), wrong)
    assert JobRow.objects.filter(kind=JobKind.PUZZLE).count() == 1
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
        answer = services.refutation(Asker(None), puzzle, [*puzzle.line[:2], text])
        assert answer.verdict is (AnswerVerdict.SOLVED if won else AnswerVerdict.WRONG)


def test_an_undecided_move_does_not_count(ann, puzzle, work_off, monkeypatch):
    position = judgements.position_after(puzzle, puzzle.line[:2])
    other = next(
        text for text in map(position.format_move, position.legal_moves) if text != puzzle.line[2]
    )
    waiting = services.answer(ann, puzzle, puzzle.line[:2], other)
    assert waiting.verdict is AnswerVerdict.WAITING
    JudgementRow.objects.update(state="undecided")
    assert services.answer(ann, puzzle, puzzle.line[:2], other).verdict is AnswerVerdict.UNDECIDED
    assert not TryRow.objects.exists()


def test_old_and_undecided_judgements_are_deleted(db):
    times = {"old": now() - 100 * 86_400_000, "new": now(), "undecided": now() - 120_000}
    for name, at in times.items():
        state = "undecided" if name == "undecided" else "done"
        JudgementRow.objects.create(puzzle_id=name, moves="a1", state=state, asked_at=at)
    judgements.queue_lost_judgements()
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


def test_other_puzzles_refute_first_moves_alone_and_the_referee_the_rest(forced, monkeypatch):
    mine = replace(forced, id="mine-1")
    refutations: list[tuple[str, ...] | None] = [("b2", "c3"), None]
    asked = []

    def refute(puzzle, move):
        asked.append((puzzle, move))
        return refutations.pop(0)

    others = judgements.OtherPuzzles({"mine-1": mine}.get, refute)
    monkeypatch.setattr(judgements, "others", {"mine-": others})
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
    found = services.refutation(Asker(ann), puzzle, [wrong], wait=0.2)
    assert (found.is_final, found.refutation, time.naps) == (False, (), [0.1, 0.1])

    def judge():
        shown = {"right": False, "refutation": ["a1"]}
        JudgementRow.objects.update(state="done", found=shown)

    time.naps.clear()
    time.wakes = judge
    found = services.refutation(Asker(ann), puzzle, [wrong], wait=0.2)
    assert (found.is_final, found.refutation, time.naps) == (True, ("a1",), [0.1])
    assert services.refutation(Asker(ann), puzzle, [wrong], wait=0.2).is_final
    assert time.naps == [0.1]


def test_moves_after_one_that_waits_for_a_search_wait_too(ann, puzzle):
    moves = list(puzzle.line[:2])
    position = judgements.position_after(puzzle, moves)
    texts = [position.format_move(move) for move in position.legal_moves]
    moves += [text for text in texts if text != puzzle.line[2]][:3]
    found = services.refutation(Asker(ann), puzzle, moves)
    assert (found.verdict, found.moves) == (AnswerVerdict.WAITING, tuple(moves))
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


def test_judgements_are_kept_for_ninety_days_and_undecided_ones_for_a_minute(db, clocks):
    at = now()
    for state, age in (("done", 90 * DAY), ("undecided", MINUTE)):
        for more in (0, 1):
            fields = {"puzzle_id": f"{state} {more}", "moves": "a1", "asked_at": at - age - more}
            JudgementRow.objects.create(state=state, **fields)
    judgements.queue_lost_judgements()
    kept = set(JudgementRow.objects.values_list("puzzle_id", flat=True))
    assert kept == {"done 0", "undecided 0"}


def test_a_search_is_a_job_of_the_solver_and_a_lost_one_has_no_owner(ann, forced):
    services.answer(ann, forced, (), other_moves(forced)[0])
    key = str(JudgementRow.objects.get().pk)

    def jobs():
        return list(JobRow.objects.values_list("kind", "key", "version", "user", "seconds"))

    assert jobs() == [("puzzle", key, 0, ann.pk, 1.5)]
    judgements.queue_lost_judgements()
    assert jobs() == [("puzzle", key, 0, ann.pk, 1.5)]
    JobRow.objects.all().delete()
    JudgementRow.objects.create(puzzle_id="done", moves="a1", state="done", asked_at=now())
    judgements.queue_lost_judgements()
    assert jobs() == [("puzzle", key, 0, None, 1.5)]


@pytest.mark.parametrize(("right", "state"), [(None, "undecided"), (False, "done"), (True, "done")])
def test_a_judgement_without_a_verdict_is_undecided(forced, monkeypatch, right, state):
    row = row_of(forced, other_moves(forced)[0])
    monkeypatch.setattr(judgements, "_searched", lambda *_: {"right": right})
    judgements.judge_now(str(row.pk))
    row.refresh_from_db()
    assert (row.state, row.found) == (state, {"right": right})


def test_after_an_error_of_a_search_solvers_wait_no_longer(forced, monkeypatch):
    row = row_of(forced, other_moves(forced)[0])

    monkeypatch.setattr(judgements, "_searched", raising(ValueError("odd")))
    with pytest.raises(ValueError, match="odd"):
        judgements.judge_now(str(row.pk))
    row.refresh_from_db()
    assert (row.state, row.found) == ("undecided", None)
    found = judgements.judgement(forced, (row.moves,), judgements.Asker(None))
    assert found == Found(right=False)  # by the proof


def test_the_line_of_a_puzzle_is_known_without_a_search(puzzle, forced):
    first, reply, second, *_ = puzzle.line
    found = judgements.known_at_once(puzzle, (first,))
    assert found == Found(right=True, reply=reply, answer=second)
    assert judgements.known_at_once(puzzle, puzzle.line) == Found(right=True, solved=True)
    assert judgements.known_at_once(forced, forced.line) == Found(right=True, solved=True)


def test_a_stored_judgement_is_an_answer(puzzle, wrong):
    stored = {"right": True, "solved": False, "reply": "b2", "refutation": ["c3"], "answer": "d4"}
    row_of(puzzle, wrong, state="done", found=stored)
    found = judgements.judgement(puzzle, (wrong,), judgements.Asker(None))
    assert found == Found(right=True, reply="b2", refutation=("c3",), answer="d4")


def test_an_answer_is_shown_with_what_follows(client, puzzle, wrong):
    def told(*moves, **answer):
        return presenters.answer_view(puzzle, Answer(moves=moves, **answer))

    def texts(shown):
        return [one["text"] for one in shown]

    first, reply, second, *_ = puzzle.line
    view = told(first, reply, verdict=AnswerVerdict.RIGHT, reply=reply)
    shown = view.pop("shown")
    assert texts(shown) == [first, reply]
    assert view.pop("words") == words_of(puzzle.position, [first, reply])
    after = board_position(judgements.position_after(puzzle, (first, reply)))
    assert view == {
        "verdict": "right",
        "isFinal": True,
        "moves": [first, reply],
        "position": after,
    }
    view = told(first, reply, second, verdict=AnswerVerdict.SOLVED)
    assert (view["moves"], texts(view["shown"])) == ([first, reply, second], [second])
    assert view["position"]["last"] == int(puzzle.position.parse_move(second))
    answer = judgements.position_after(puzzle, (first, reply, wrong))
    refutation = tuple(map(answer.format_move, answer.legal_moves[:1]))
    view = told(first, reply, wrong, verdict=AnswerVerdict.WRONG, refutation=refutation)
    assert (view["verdict"], view["moves"], view["position"]) == ("wrong", [first, reply], None)
    assert texts(view["shown"]) == [wrong, *refutation]


def test_a_page_that_waits_for_a_search_gets_202(client, puzzle):
    moves = list(puzzle.line[:2])
    position = judgements.position_after(puzzle, moves)
    texts = [position.format_move(move) for move in position.legal_moves]
    other = next(text for text in texts if text != puzzle.line[2])
    waits = client.post(f"/puzzles/{puzzle.id}/answer", {"moves": ",".join(moves), "move": other})
    assert (waits.status_code, waits.json()["verdict"]) == (202, "waiting")
    right = client.post(f"/puzzles/{puzzle.id}/answer", {"move": puzzle.line[0]})
    assert right.status_code == 200


def test_the_view_of_a_position_says_how_the_game_has_ended(forced):
    start = board_position(forced.position)
    assert (start["result"], start["chain"]) == (None, [])
    assert start["toMove"] == forced.solver.value
    end = judgements.position_after(forced, forced.line)
    view = board_position(end)
    assert view["result"] is not None
    assert view["result"].startswith(forced.solver.title)
    assert view["chain"] == list(end.winning_chain()) != []
    assert view["last"] == end.last_cell
    assert view["legal"] == []
    line = presenters.line_view(forced, forced.line)
    assert line["position"] == view
    assert [one["text"] for one in line["shown"]] == list(forced.line)


def test_a_hint_is_five_free_cells_within_two_steps(puzzle):
    for moves in ((), puzzle.line[:2]):
        right = puzzle.line[len(moves)]
        position = judgements.position_after(puzzle, moves)
        cells = presenters.hint_view(puzzle, moves, right)["cells"]
        near = position.game.topology.neighbours
        cell = int(position.parse_move(right))
        assert len(set(cells)) == 5
        assert cells == sorted(cells)
        assert cell in cells
        assert set(cells) <= {int(move) for move in position.legal_moves}
        for one in set(cells) - {cell}:
            assert one in near[cell] or set(near[one]) & set(near[cell])


def test_pages_and_the_api_do_not_wait_for_a_search(client, ann, puzzle, wrong, monkeypatch):
    time = Time()
    monkeypatch.setattr(services, "time", time)
    services.answer(ann, puzzle, (), wrong)
    services.refutation(Asker(ann), puzzle, [wrong])
    client.post(f"/puzzles/{puzzle.id}/answer", {"move": wrong})
    client.get(f"/puzzles/{puzzle.id}/judgement", {"moves": wrong})
    assert time.naps == []
    client.post(f"/puzzles/{puzzle.id}/", {"move": wrong})  # without JavaScript
    assert sum(time.naps) == pytest.approx(4)


def test_what_cannot_be_judged_is_refused_with_a_code(client, puzzle):
    for moves, code in (("zz99", "move/unreadable"), ("", "puzzle/turn")):
        told = client.get(f"/puzzles/{puzzle.id}/judgement", {"moves": moves})
        assert (told.status_code, told.json()["code"]) == (400, code)
