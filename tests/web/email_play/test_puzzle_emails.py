"""Contents of e-mails about puzzles, and their addresses for replies."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.urls import reverse

from antipodes.puzzles import store
from antipodes.web.accounts.models import User
from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.commands import puzzles
from antipodes.web.email_play.commands.puzzles import (
    daily_email,
    puzzle_address,
    puzzle_content,
    thread_at,
    thread_of,
)
from antipodes.web.email_play.models import PuzzleThreadRow
from antipodes.web.notifications.emails import unsubscribe_url
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.platform.clock import now
from antipodes.web.puzzles.daily import daily, today
from antipodes.web.puzzles.models import TryRow
from antipodes.web.puzzles.services import Answer, AnswerVerdict, Recorded
from tests.web.email_play.conftest import HOST

pytestmark = pytest.mark.django_db

HOW = "write your move in the first line of a reply, or `hint`, or `solution`"
COMMANDS = f"play@{HOST}"


def told(text):
    """Return a text in one line."""
    return " ".join(text.split())


def test_a_puzzle_is_shown_with_its_task_and_how_to_answer(people, puzzle):
    thread = thread_of(people[0], puzzle)
    content = puzzle_content(puzzle, news=("Hello.", "Again."), thread=thread)
    assert content.subject == f"Hex Puzzle {puzzle.id}"
    assert content.text.startswith(f"Hex Puzzle {puzzle.id}\nNews: Hello.\nNews: Again.\n")
    path = reverse("puzzle", args=[puzzle.id])
    assert f"\nLink: https://antipodes.example{path}\n" in content.text
    assert re.search(r"^Task: .+\.$", content.text, re.MULTILINE)
    assert f"\nReply: {puzzle_address(thread)}\n" in content.text
    assert f"Answer: {HOW}" in told(content.text)
    assert "Moves:" not in content.text
    first = puzzle_content(puzzle, news=())
    assert "Reply:" not in first.text
    assert "Answer:" not in first.text


def test_the_board_of_a_puzzle_is_shown_after_the_moves(people, puzzle):
    moves = puzzle.line[:2]
    thread = thread_of(people[0], puzzle)
    content = puzzle_content(puzzle, news=(), moves=moves, thread=thread)
    assert "\nMoves: 2\n" in content.text
    assert re.search(rf"1\. {moves[0]} +2\. {moves[1]}\n", content.text)
    assert re.search(r"^Task: (Black|White) \(.\) to move\.$", content.text, re.MULTILINE)
    drawings = [one.drawing for one in content.attachments]
    assert [one is not None and len(one["moves"]) for one in drawings] == [2, 2]
    assert f"Last move: {moves[1]}." in content.text


def test_a_solved_puzzle_has_neither_task_nor_address(people, puzzle):
    thread = thread_of(people[0], puzzle)
    content = puzzle_content(puzzle, news=(), moves=puzzle.line, thread=thread)
    assert f"\nMoves: {len(puzzle.line)}\n" in content.text
    for name in ("Task:", "Reply:", "Answer:"):
        assert name not in content.text


def test_the_address_of_a_puzzle_is_for_its_reader_and_stays_valid_with_the_previous_key(
    people, puzzle, settings
):
    thread = thread_of(people[0], puzzle)
    address = puzzle_address(thread)
    assert puzzle_address(thread_of(people[1], puzzle)) != address
    assert thread_at(address.upper()) == thread
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    assert thread_at(address) == thread
    settings.SECRET_KEY_FALLBACKS = []
    assert thread_at(address) is None
    settings.MAIL_HOST = ""
    assert puzzle_address(thread) == ""


def test_the_address_of_a_puzzle_is_invalid_without_its_thread_or_account(people, puzzle):
    thread = thread_of(people[0], puzzle)
    address = puzzle_address(thread)
    User.objects.filter(pk=people[0].pk).update(is_active=False)
    assert thread_at(address) is None
    User.objects.filter(pk=people[0].pk).update(is_active=True)
    assert thread_at(address) == thread
    thread.delete()
    assert thread_at(address) is None


def test_the_daily_mail_has_settings_and_headers_of_a_list(reachable):
    ann, found = reachable[0], daily(today())
    assert found is not None
    row = NotificationRow.objects.create(
        user=ann,
        kind=NotificationKind.DAILY_PUZZLE,
        key="daily",
        arguments={"puzzle": found.id},
        made_at=now(),
    )
    email = daily_email(ann, "ann@example.org", row)
    assert email is not None
    stop = unsubscribe_url(ann, NotificationKind.DAILY_PUZZLE)
    assert (email.to, email.user, email.key) == ("ann@example.org", ann, f"daily puzzle {row.pk}")
    assert email.headers["List-Unsubscribe"] == f"<{stop}>"
    assert email.headers["List-Id"] == "Antipodes puzzles <puzzles.antipodes.example>"
    assert email.headers["Reply-To"] == puzzle_address(thread_of(ann, found))
    settings = reverse("notification-preferences")
    assert f"\nSettings: https://antipodes.example{settings}\n" in email.text
    assert f"Unsubscribe: {stop}" in told(email.text)


def answered(verdict, moves, **more):
    """Return the sentences about an answer."""
    return puzzles._news(Answer(verdict, moves, **more))


def test_each_answer_names_the_solvers_move():
    assert answered(AnswerVerdict.RIGHT, ("a1", "b2"), reply="b2") == [
        "a1 is right. The reply is b2."
    ]
    solved = ["c3 is right. You have solved the puzzle."]
    assert answered(AnswerVerdict.SOLVED, ("a1", "b2", "c3")) == solved
    wrong = ["c3 is wrong: d4 e5. Try another move."]
    assert answered(AnswerVerdict.WRONG, ("a1", "b2", "c3"), refutation=("d4", "e5")) == wrong
    assert answered(AnswerVerdict.WRONG, ("a1",)) == ["a1 is wrong. Try another move."]


@pytest.mark.parametrize(
    ("value", "gain", "is_first", "news"),
    [
        (1512.6, 12, True, ["Your rating in these puzzles is 1513 (+12)."]),
        (1487.4, -13, True, ["Your rating in these puzzles is 1487 (-13)."]),
        (1500.0, None, True, ["Your rating in these puzzles is 1500 (+0)."]),
        (1512.6, 12, False, []),
        (None, None, True, []),
    ],
)
def test_the_first_try_of_a_rated_puzzle_tells_the_rating(value, gain, is_first, news):
    row: Any = SimpleNamespace(value=value, gain=gain)
    recorded = Recorded(row=row, is_first=is_first)
    solved = ["a1 is right. You have solved the puzzle.", *news]
    assert answered(AnswerVerdict.SOLVED, ("a1",), recorded=recorded) == solved
    wrong = ["a1 is wrong. Try another move.", *news]
    assert answered(AnswerVerdict.WRONG, ("a1",), recorded=recorded) == wrong


def test_the_command_shows_a_puzzle_from_its_start_with_an_address_for_accounts(
    reachable, ann, post, puzzle
):
    token = mail_tokens.make_token(ann, "a test")
    found = daily(today())
    assert found is not None
    is_daily = "News: This is the puzzle of the day."
    needs_token = (
        "News: To answer it, send the command with a mail token from the page of your account."
    )
    for line, one in (("puzzle", found), (f"puzzle {puzzle.id}", puzzle)):
        [email] = post.send("stranger@else.example", COMMANDS, line)
        assert needs_token in told(email.text)
        assert (is_daily in email.text) == (one == found)
        assert email.headers["Reply-To"] == COMMANDS
        [email] = post.send(ann, COMMANDS, f"{line} {token}")
        assert needs_token not in told(email.text)
        assert (is_daily in email.text) == (one == found)
        thread = PuzzleThreadRow.objects.get(user=ann, puzzle_id=one.id)
        assert email.headers["Reply-To"] == puzzle_address(thread)
        assert (thread.moves, thread.waiting) == ([], None)


def test_a_puzzle_may_be_named_with_its_game_and_punctuation(reachable, post, puzzle):
    token = mail_tokens.make_token(reachable[0], "a test")
    who = f"puzzle ann {token}"
    for line in (f"hex {who} {puzzle.id}.", f"{who} {puzzle.id.upper()},"):
        [email] = post.send(reachable[0], COMMANDS, line)
        assert email.subject == f"Hex Puzzle {puzzle.id}", email.text
    for name in ("cylindrical hex", "Cylindrical-Hex", "cylindricalhex"):
        [email] = post.send(reachable[0], COMMANDS, f"{who} {name}")
        assert email.subject.startswith("Cylindrical-Hex Puzzle "), email.text


def test_a_hint_names_the_themes_and_keeps_the_moves(reachable, ann, post, puzzle):
    themed = next(one for one in store.puzzles("hex") if len(one.themes) > 1)
    thread = thread_of(ann, themed)
    [email] = post.send(ann, puzzle_address(thread), "Re:", "HINT")
    assert f"News: Themes: {', '.join(themed.themes)}." in email.text
    assert "News: A try with a hint is not rated." in email.text
    assert TryRow.objects.get(user=ann, puzzle_id=themed.id).outcome == "hinted"
    plain = next(one for one in store.puzzles("hex") if not one.themes)
    [email] = post.send(ann, puzzle_address(thread_of(ann, plain)), "Re:", "hint")
    assert "News: This puzzle has no theme." in email.text
    [email] = post.send(ann, puzzle_address(thread_of(ann, puzzle)), "Re:", puzzle.line[0])
    [email] = post.send(ann, puzzle_address(thread_of(ann, puzzle)), "Re:", "hint")
    assert "\nMoves: 2\n" in email.text
    [email] = post.send(ann, puzzle_address(thread_of(ann, puzzle)), "Re:", "Solution")
    assert f"\nMoves: {len(puzzle.line)}\n" in email.text
    assert PuzzleThreadRow.objects.get(user=ann, puzzle_id=puzzle.id).moves == []


@pytest.mark.parametrize(
    ("verdict", "shown", "kept"),
    [
        (AnswerVerdict.SOLVED, 3, 0),
        (AnswerVerdict.WRONG, 2, 2),
        (AnswerVerdict.UNDECIDED, 2, 2),
        (None, 2, 2),
    ],
)
def test_only_a_solving_move_is_shown_on_the_board_and_ends_the_thread(
    people, puzzle, verdict, shown, kept
):
    thread = thread_of(people[0], puzzle)
    thread.waiting = {"texts": [puzzle.line[2]]}
    found = None if verdict is None else Answer(verdict, puzzle.line[:3])
    told_of = puzzles._finish(thread, puzzle.line[:2], found, ["News."])
    assert told_of == puzzles.Told(("News.",), puzzle.line[:shown])
    thread.refresh_from_db()
    assert thread.moves == list(puzzle.line[:kept])
    assert thread.waiting is None
