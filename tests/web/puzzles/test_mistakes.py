"""Your mistakes: exercises from a player's own reviewed matches."""

import re
from types import SimpleNamespace

import pytest

from antipodes.core import Color, Move
from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.match import Play, Terms
from antipodes.puzzles.only_wins import OnlyWin
from antipodes.records.json_format import read_setup
from antipodes.search.chances import chance_of
from antipodes.web.analysis.models import ReviewRow
from antipodes.web.jobs.models import JobKind, JobRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.platform.clock import now
from antipodes.web.puzzles import mistakes, services
from antipodes.web.puzzles.models import MistakeRow, SearchedMatchRow
from antipodes.web.puzzles.services import AnswerVerdict

pytestmark = pytest.mark.django_db


def test_a_missed_win_becomes_an_exercise(exercise, ann):
    assert (exercise.ply, exercise.played) == (2, "b1")
    assert exercise.is_proven
    position = mistakes.puzzle_of(exercise).position
    assert exercise.better == "b2"
    assert position.to_move.value == "black"


def test_each_match_is_searched_once(ann, bob, reviewed):
    assert mistakes.search(ann) == 1
    assert mistakes.search(ann) == 0
    assert MistakeRow.objects.count() == SearchedMatchRow.objects.count() == 1
    mistakes.search(bob)  # it was not bob's mistake
    assert MistakeRow.objects.filter(user=bob).count() == 0


def test_a_position_with_several_good_moves_is_dropped(ann, reviewed, work_off, monkeypatch):
    monkeypatch.setattr(mistakes, "find_only_win", lambda _: None)
    monkeypatch.setattr(mistakes, "_is_far_ahead", lambda *_: False)
    mistakes.search(ann)
    work_off()
    assert mistakes.exercises(ann) == []
    assert mistakes.waiting(ann) == 0


def seen(best, *visits_and_values, proven=None):
    """Return what an analysis has found: its best move, then others, each as visits and value."""
    candidates = [SimpleNamespace(visits=1_000, value=0.9, move=best)]
    candidates += [SimpleNamespace(visits=n, value=value) for n, value in visits_and_values]
    return SimpleNamespace(best=candidates[0], proven=proven, candidates=candidates)


NEAR = 0.9 - mistakes._GAP + 0.01
FAR = 0.9 - mistakes._GAP - 0.01


@pytest.mark.parametrize(
    ("others", "more", "is_far_ahead"),
    [
        ([(900, FAR), (900, FAR)], {}, True),
        ([(900, FAR), (900, NEAR)], {}, False),
        ([(900, FAR), (1, NEAR)], {}, True),  # hardly searched
        ([(1, FAR)], {}, False),
        ([], {}, False),
        ([(900, FAR)], {"proven": 1}, False),
        ([(900, FAR)], {"best": "c3"}, False),
    ],
)
def test_without_a_proof_one_move_is_good_that_is_far_ahead(
    ann, reviewed, monkeypatch, others, more, is_far_ahead
):
    mistakes.search(ann)
    row = MistakeRow.objects.get()
    position = mistakes.puzzle_of(row).position
    best = position.parse_move(more.pop("best", row.better))
    monkeypatch.setattr(mistakes, "analyze", lambda *_, **__: seen(best, *others, **more))
    assert mistakes._is_far_ahead(row, position) is is_far_ahead


def test_an_analysis_without_a_best_move_makes_no_exercise(ann, reviewed, monkeypatch):
    mistakes.search(ann)
    row = MistakeRow.objects.get()
    nothing = SimpleNamespace(best=None)
    monkeypatch.setattr(mistakes, "analyze", lambda *_, **__: nothing)
    assert not mistakes._is_far_ahead(row, mistakes.puzzle_of(row).position)


def test_exactly_the_missed_move_is_right(exercise):
    wrong = mistakes.answer(exercise, [], exercise.played)
    assert wrong.verdict is AnswerVerdict.WRONG
    assert mistakes.answer(exercise, [], exercise.better).verdict is AnswerVerdict.SOLVED
    mistakes.answer(exercise, [], exercise.played)
    row = MistakeRow.objects.get()
    assert row.tries == 1  # those after the solution do not count
    assert row.solved_at is not None


def test_an_exercise_is_listed_for_its_player_alone(client, ann, bob, exercise):
    path = f"/puzzles/mistakes/{exercise.pk}/"
    for user, is_listed in ((bob, False), (ann, True)):
        client.force_login(user)
        assert (path in client.get("/puzzles/mistakes/").text) is is_listed


def test_only_a_proof_is_shown_as_certain(client, ann, exercise):
    client.force_login(ann)
    MistakeRow.objects.filter(pk=exercise.pk).update(before=0.9999, after=0.0001)
    page = client.get(f"/puzzles/mistakes/{exercise.pk}/").context
    assert (page["before"], page["after"]) == (99, 1)


def test_the_page_judges_and_hints_without_telling_the_move_before(client, ann, exercise):
    client.force_login(ann)
    path = f"/puzzles/mistakes/{exercise.pk}/"
    assert not re.search(rf"\b{exercise.better}\b", client.get(path).text)
    start = client.get(path + "position.json").json()
    assert "line" not in start
    told = client.post(path + "answer", {"move": exercise.played}).json()
    assert (told["verdict"], told["message"]) == ("wrong", "That is what you played in the game.")
    assert client.post(path + "answer", {"move": "z9"}).status_code == 400
    assert len(client.post(path + "hint").json()["cells"]) > 1
    told = client.post(path + "answer", {"move": exercise.better}).json()
    assert told["verdict"] == "solved"
    game, black = make_game("hex", {"size": 3, "swap": "off"}), Color.BLACK
    shares = [round(100 * chance_of(game, black, value)) for value in (0.9, 0.1)]
    assert "from {} % to {} %".format(*shares) in client.get(path + "result").text
    shown = client.post(path + "solution").json()["shown"]
    assert [move["text"] for move in shown] == [exercise.better]


def test_a_wrong_move_is_refuted_on_the_board(client, ann, exercise, work_off):
    client.force_login(ann)
    path = f"/puzzles/mistakes/{exercise.pk}/"
    first = client.post(path + "answer", {"move": exercise.played}).json()
    assert not first["isFinal"]
    work_off()
    told = client.get(path + "judgement", {"moves": exercise.played}).json()
    assert told["isFinal"]
    assert next(move["text"] for move in told["shown"]) == exercise.played
    assert len(told["shown"]) > 1
    assert MistakeRow.objects.get().tries == 1  # late refutations do not count


def test_without_a_proof_the_line_of_an_analysis_refutes(exercise):
    MistakeRow.objects.update(is_proven=False)
    puzzle = mistakes.puzzle_of(exercise)
    assert 1 <= len(mistakes._refute(puzzle, exercise.played) or ()) <= 5
    MistakeRow.objects.update(is_proven=True)
    assert mistakes._refute(puzzle, exercise.played) is None


def test_a_forced_win_is_played_to_its_end(exercise):
    after = mistakes.puzzle_of(exercise).position.play(exercise.better)
    reply = after.format_move(after.legal_moves[0])
    answer = after.play(after.legal_moves[0])
    follows = answer.format_move(answer.legal_moves[0])
    exercise.line = [reply, follows]
    found = mistakes.answer(exercise, [], exercise.better)
    assert (found.verdict, found.reply) == (AnswerVerdict.RIGHT, reply)
    found = mistakes.answer(exercise, found.moves, follows)
    assert found.verdict is AnswerVerdict.SOLVED


def test_an_exercise_is_answered_without_javascript(client, ann, exercise):
    client.force_login(ann)
    path = f"/puzzles/mistakes/{exercise.pk}/"
    assert 'name="move"' in client.get(path).text
    assert "is right. Solved!" in client.post(path, {"move": exercise.better}).text
    assert client.get(path + "board.svg", {"moves": exercise.better}).status_code == 200


def test_the_choice_to_swap_is_no_exercise(ann, bob):
    game = make_game("hex", {"size": 3})
    row = begin_match(Terms(game=game, players=(str(ann.pk), str(bob.pk))), [ann, bob])
    for ply, text in enumerate(("a1", "c3", "b1", "b3")):
        match = MatchRow.objects.get(pk=row.pk).match()
        move = match.position.parse_move(text)
        carry_out(row.slug, Play(seat=ply % 2, ply=ply, key=f"move {ply} xx", move=move))
    turns = [
        {"ply": ply, "move": "?", "better": "b2", "before": 0.9, "after": 0.1, "decides": ply == 2}
        for ply in (1, 2, 3, 4)
    ]
    ReviewRow.objects.filter(match=row).delete()
    review = ReviewRow.objects.create(match_id=row.pk, state="done", turns=turns)
    assert [one.ply for one in mistakes._candidates(bob, review)] == [3]
    assert [one.ply for one in mistakes._candidates(ann, review)] == [0, 2]


def test_only_an_exercise_that_waits_is_examined(ann, reviewed, monkeypatch):
    mistakes.search(ann)
    row = MistakeRow.objects.get()
    examined = []
    monkeypatch.setattr(mistakes, "_examine", lambda one, _position: examined.append(one))
    mistakes.examine_now("123456")
    MistakeRow.objects.update(state="ready")
    mistakes.examine_now(str(row.pk))
    assert examined == []
    MistakeRow.objects.update(state="waiting")
    mistakes.examine_now(str(row.pk))
    assert examined == [row]
    row.refresh_from_db()
    assert row.state == "dropped"


@pytest.mark.parametrize(
    ("after", "is_far_ahead", "state"),
    [
        (0.5, True, "ready"),
        (0.25, True, "ready"),
        (0.25, False, "dropped"),
        (0.26, True, "dropped"),
    ],
)
def test_without_a_proof_a_move_that_is_far_ahead_makes_an_exercise(
    ann, reviewed, monkeypatch, after, is_far_ahead, state
):
    mistakes.search(ann)
    MistakeRow.objects.update(before=0.5 if after < 0.5 else 1.0, after=after)
    monkeypatch.setattr(mistakes, "find_only_win", lambda _: None)
    monkeypatch.setattr(mistakes, "_is_far_ahead", lambda *_: is_far_ahead)
    row = MistakeRow.objects.get()
    mistakes.examine_now(str(row.pk))
    row.refresh_from_db()
    assert (row.state, row.is_proven, row.better) == (state, False, "b2")


def test_an_answer_needs_a_move(exercise):
    for move in ("", "  "):
        with pytest.raises(InputError) as error:
            mistakes.answer(exercise, [], move)
        assert [(one.code, one.message) for one in error.value.faults] == [
            ("puzzle/turn", "choose a move")
        ]
    assert MistakeRow.objects.get().tries == 0


def test_wrong_requests_about_an_exercise_are_refused(client, ann, exercise):
    client.force_login(ann)
    path = f"/puzzles/mistakes/{exercise.pk}/"
    for answer, status, code in (
        (client.get(path + "judgement", {"moves": "z9"}), 400, "move/unreadable"),
        (client.get(path + "judgement", {"moves": ""}), 400, "puzzle/turn"),
        (client.post(path + "hint", {"moves": exercise.better}), 400, "puzzle/turn"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_mistake_is_stored_with_its_position_and_queued(ann, reviewed, clocks):
    mistakes.search(ann)
    row = MistakeRow.objects.get()
    match = reviewed.match.match()
    position = mistakes._position_after(match, 2)
    assert (row.user, row.match, row.ply, row.game_id) == (ann, reviewed.match, 2, "hex")
    assert (row.options, read_setup(row.setup)) == ({"size": 3, "swap": "off"}, position.to_setup())
    assert (row.played, row.better, row.before, row.after) == ("b1", "b2", 0.9, 0.1)
    assert (row.state, row.asked_at, row.solved_at) == ("waiting", now(), None)
    job = JobRow.objects.get(kind=JobKind.MISTAKE)
    assert (job.key, job.user, job.seconds) == (str(row.pk), ann, 6.0)
    JobRow.objects.all().delete()
    for _ in range(2):
        mistakes.queue_lost_exercises()
    job = JobRow.objects.get()
    assert (job.kind, job.key, job.user, job.seconds) == ("mistake", str(row.pk), ann, 6.0)


@pytest.mark.parametrize(
    ("turns", "plies"),
    [
        ([(1, 0.9, 0.65, False), (3, 0.9, 0.66, False)], [0]),  # a quarter of the chances
        ([(1, 0.6, 0.5, True), (3, 0.9, 0.1, False)], [0, 2]),  # decisive ones first
        ([(1, 0.9, 0.5, False), (3, 0.9, 0.1, False)], [2, 0]),  # then the greatest loss
        ([(2, 0.9, 0.1, True), (4, 0.9, 0.1, True)], []),  # bob's
    ],
)
def test_the_worst_mistakes_come_first(ann, reviewed, turns, plies):
    reviewed.turns = [
        {"ply": ply, "move": "?", "better": "b2", "before": before, "after": after, "decides": one}
        for ply, before, after, one in turns
    ]
    assert [row.ply for row in mistakes._candidates(ann, reviewed)] == plies


def test_at_most_three_mistakes_of_a_match_are_exercises(ann, reviewed, monkeypatch):
    turn = reviewed.turns[0]
    reviewed.turns = [turn] * 4
    assert len(mistakes._candidates(ann, reviewed)) == 3


def test_of_two_searches_at_once_one_stores_the_mistakes(ann, reviewed, meanwhile):
    def other():
        SearchedMatchRow.objects.create(user=ann, match=reviewed.match)

    with meanwhile(other):
        mistakes.search(ann)
    assert not MistakeRow.objects.exists()


def test_a_move_that_was_the_only_win_is_no_mistake(ann, reviewed):
    mistakes.search(ann)
    MistakeRow.objects.update(played="b2")
    row = MistakeRow.objects.get()
    mistakes.examine_now(str(row.pk))
    row.refresh_from_db()
    assert (row.state, row.is_proven) == ("dropped", False)


def test_a_proven_win_has_the_line_that_the_solver_plays_on(ann, reviewed, monkeypatch):
    mistakes.search(ann)
    row = MistakeRow.objects.get()
    asked = []

    def line(position, move, turns, _judge, most):
        asked.append((position.format_move(move), turns, most))
        return ("b2", "c1", "a3") if len(asked) < 3 else ()

    monkeypatch.setattr(mistakes, "line_of", line)
    for turns, played in ((None, ["c1", "a3"]), (2, ["c1", "a3"]), (None, [])):
        won = OnlyWin(Move(4), turns)
        monkeypatch.setattr(mistakes, "find_only_win", lambda _, won=won: won)
        MistakeRow.objects.update(state="waiting", better="?")
        mistakes.examine_now(str(row.pk))
        row.refresh_from_db()
        assert (row.state, row.better, row.is_proven) == ("ready", "b2", True)
        assert (row.line, row.turns) == (played, turns)
    assert asked == [("b2", None, 8), ("b2", 2, 2), ("b2", None, 8)]


def test_an_exercise_is_a_puzzle_with_the_move_to_find(exercise):
    exercise.line, exercise.turns = ["c1", "a3"], 2
    puzzle = mistakes.puzzle_of(exercise)
    assert puzzle.line == ("b2", "c1", "a3")
    assert (puzzle.turns, puzzle.goal, puzzle.game_id) == (2, "win", "hex")
    assert puzzle.game.options.changed() == {"size": 3, "swap": "off"}
    assert mistakes._find_puzzle(puzzle.id) == mistakes.puzzle_of(MistakeRow.objects.get())
    assert mistakes._find_puzzle("mistake-999999") is None


def test_an_answer_to_an_exercise_does_not_wait_for_a_search(client, ann, exercise, monkeypatch):
    naps: list[float] = []
    time = SimpleNamespace(monotonic=lambda: sum(naps), sleep=naps.append)
    monkeypatch.setattr(services, "time", time)
    client.force_login(ann)
    path = f"/puzzles/mistakes/{exercise.pk}/"
    assert not mistakes.answer(exercise, [], "b1").is_final
    assert client.post(path + "answer", {"move": "b1"}).status_code == 200
    assert client.get(path + "judgement", {"moves": "b1"}).status_code == 200
    assert naps == []
    client.post(path, {"move": "b1"})  # without JavaScript
    assert sum(naps) == pytest.approx(4)
