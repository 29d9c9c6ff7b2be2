"""Puzzles by mail: the daily mail, its contents, replies with moves, and the command."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from antipodes.games.registry import make_game
from antipodes.learn.move_words import line_in_words
from antipodes.puzzles import store
from antipodes.web.accounts.models import User
from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.commands import puzzles
from antipodes.web.email_play.commands.puzzles import (
    answer_waiting,
    daily_email,
    puzzle_address,
    puzzle_content,
    thread_at,
    thread_of,
)
from antipodes.web.email_play.context import CommandContext
from antipodes.web.email_play.inbox import receive
from antipodes.web.email_play.inbox_task import process_due_mails
from antipodes.web.email_play.models import InboundMailRow, PuzzleThreadRow
from antipodes.web.email_play.reply_addresses import revoke_all
from antipodes.web.notifications.emails import unsubscribe_url, write_emails
from antipodes.web.notifications.kinds import Channel, Frequency, NotificationKind
from antipodes.web.notifications.models import EmailRow, NotificationRow, PreferenceRow
from antipodes.web.notifications.preferences import preference_of, save_preferences
from antipodes.web.platform.clock import now
from antipodes.web.puzzles.daily import daily, notify_of_daily, today
from antipodes.web.puzzles.models import JudgementRow, TryRow
from antipodes.web.puzzles.services import Answer, AnswerVerdict, Recorded
from tests.raising import raising
from tests.web.email_play.conftest import HOST, raw_mail, told

pytestmark = pytest.mark.django_db


COMMANDS = f"play@{HOST}"


@pytest.fixture
def ann(reachable):
    return reachable[0]


def of_today():
    """Return the puzzle of the day."""
    found = daily(today())
    assert found is not None
    return found


def token_of(user):
    return mail_tokens.make_token(user, "a test")


def news_in(emails):
    """Return the news of the only e-mail."""
    [email] = emails
    return re.findall(r"^News: (.*(?:\n {6}.*)*)", email.text, re.MULTILINE)


def wants_daily(user):
    """Let a user want the puzzle of the day by mail, now."""
    save_preferences(
        user,
        channels={NotificationKind.DAILY_PUZZLE: [Channel.MAIL]},
        frequency=Frequency.DAILY,
        hour=8,
        zone="UTC",
        language="",
        reminders=(),
    )
    PreferenceRow.objects.filter(user=user).update(puzzle_due=now() - 1)


def daily_mails():
    notify_of_daily()
    write_emails()
    return list(EmailRow.objects.filter(key__startswith="daily puzzle"))


# The daily mail.


def test_the_daily_mail_shows_the_board_and_is_sent_once(ann):
    wants_daily(ann)
    daily_mails()
    [email] = daily_mails()
    found = of_today()
    assert email.to == "ann@example.org"
    assert email.subject.lower() == f"{found.game_id} puzzle {found.id}"
    assert "This is the puzzle of the day." in email.text
    assert f"/puzzles/{found.id}/" in email.text
    assert "Picture:" in email.text
    assert email.attachments.filter(type="image/png").exists()
    assert found.line[0] not in email.text.split("Picture:")[0]
    assert email.headers["Reply-To"].startswith("play+")


def test_unsubscribing_by_one_click_stops_only_this_mail(ann):
    wants_daily(ann)
    [email] = daily_mails()
    assert email.headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    url = email.headers["List-Unsubscribe"].strip("<>").removeprefix("https://antipodes.example")
    browser = Client()
    assert "Puzzle of the day" in browser.get(url).content.decode()
    assert Channel.MAIL in preference_of(ann).channels_for(NotificationKind.DAILY_PUZZLE)
    assert browser.post(url, {"List-Unsubscribe": "One-Click"}).status_code == 200
    row = preference_of(ann)
    assert row.channels_for(NotificationKind.DAILY_PUZZLE) == frozenset()
    assert row.puzzle_due is None
    assert row.frequency == Frequency.DAILY
    assert Channel.MAIL in row.channels_for(NotificationKind.YOUR_TURN)


def test_a_reply_to_the_daily_mail_answers_the_puzzle(ann, post):
    wants_daily(ann)
    [email] = daily_mails()
    found = of_today()
    answered = post.send(ann, email.headers["Reply-To"], f"Re: {email.subject}", found.line[0])
    assert f"{found.line[0]} is right" in " ".join(news_in(answered))
    if found.length == 1:
        assert TryRow.objects.get(user=ann).outcome == "solved"


# Replies.


def reply(post, user, puzzle, text):
    address = puzzle_address(thread_of(user, puzzle))
    return post.send(user, address, f"Re: Hex Puzzle {puzzle.id}", text)


def test_a_puzzle_is_solved_reply_by_reply(ann, post, puzzle):
    for own, answer in zip(puzzle.line[::2], puzzle.line[1::2], strict=False):
        emails = reply(post, ann, puzzle, f"{own}\n\n> quoted")
        assert news_in(emails) == [f"{own} is right. The reply is {answer}."]
        assert emails[0].headers["Reply-To"].startswith("play+")
    last = reply(post, ann, puzzle, puzzle.line[-1])
    assert news_in(last)[0] == f"{puzzle.line[-1]} is right. You have solved the puzzle."
    assert news_in(last)[1].startswith("Your rating in these puzzles is ")
    row = TryRow.objects.get(user=ann, puzzle_id=puzzle.id)
    assert (row.outcome, row.retries) == ("solved", 0)


def test_a_wrong_move_counts_once_and_is_answered_with_its_refutation(ann, post, puzzle, wrong):
    assert reply(post, ann, puzzle, wrong) == []  # the computer looks for the refutation
    assert TryRow.objects.get(user=ann).outcome == "failed"
    before = EmailRow.objects.count()
    JudgementRow.objects.update(state=JudgementRow.State.DONE, found=judged(puzzle, wrong))
    for _ in range(3):
        answer_waiting()
    [email] = EmailRow.objects.all()[before:]
    assert f"{wrong} is wrong: " in " ".join(email.text.split())
    row = TryRow.objects.get(user=ann)
    assert (row.outcome, row.retries) == ("failed", 0)


def judged(puzzle, wrong):
    after = puzzle.position.play(puzzle.position.parse_move(wrong))
    line = [after.format_move(next(iter(after.legal_moves)))]
    return {"right": False, "solved": False, "reply": "", "refutation": line, "answer": ""}


def test_a_refutation_that_takes_too_long_is_left_out(ann, post, puzzle, wrong, clocks):
    reply(post, ann, puzzle, wrong)
    before = EmailRow.objects.count()
    answer_waiting()
    assert EmailRow.objects.count() == before
    clocks.advance(61_000)
    answer_waiting()
    [email] = EmailRow.objects.all()[before:]
    assert f"{wrong} is wrong. Try another move." in " ".join(email.text.split())


def test_an_answer_that_fails_is_given_up_and_the_others_are_sent(
    reachable, post, puzzle, wrong, monkeypatch, caplog
):
    threads = []
    for user in reachable[:2]:
        reply(post, user, puzzle, wrong)
        threads.append(thread_of(user, puzzle))
    JudgementRow.objects.update(state=JudgementRow.State.DONE, found=judged(puzzle, wrong))
    before = EmailRow.objects.count()
    tell = puzzles._told_of_waiting

    def fail(thread, *more):
        if thread == threads[0]:
            raise ValueError("broken")
        return tell(thread, *more)

    monkeypatch.setattr(puzzles, "_told_of_waiting", fail)
    answer_waiting()
    assert [one.user for one in EmailRow.objects.all()[before:]] == [reachable[1]]
    assert not PuzzleThreadRow.objects.exclude(waiting=None).exists()
    assert f"puzzle not answered thread={threads[0].pk}" in caplog.text


def test_an_outage_keeps_the_answers_that_wait(ann, post, puzzle, wrong, monkeypatch):
    reply(post, ann, puzzle, wrong)
    monkeypatch.setattr(puzzles, "_told_of_waiting", raising(OperationalError("away")))
    with pytest.raises(OperationalError):
        answer_waiting()
    assert PuzzleThreadRow.objects.get().waiting is not None


def test_a_puzzle_that_is_no_longer_known_is_not_answered(ann, post, puzzle, wrong, monkeypatch):
    reply(post, ann, puzzle, wrong)
    before = EmailRow.objects.count()
    PuzzleThreadRow.objects.update(puzzle_id="0000000000")
    answer_waiting()
    assert PuzzleThreadRow.objects.get().waiting is None
    assert EmailRow.objects.count() == before


def test_threads_without_mail_for_long_are_deleted(ann, puzzle, clocks):
    mailed = thread_of(ann, puzzle).mailed_at
    clocks.advance(puzzles._LIFETIME - (now() - mailed))
    puzzles.delete_old_threads()
    assert PuzzleThreadRow.objects.exists()
    clocks.advance(1)
    puzzles.delete_old_threads()
    assert not PuzzleThreadRow.objects.exists()


def test_a_crash_while_a_reply_is_processed_counts_it_once(ann, puzzle, monkeypatch):
    address = puzzle_address(thread_of(ann, puzzle))
    raw = raw_mail("ann@example.org", address, "Re: Hex Puzzle", " ".join(puzzle.line[::2]))

    reply_of_context = CommandContext.reply
    monkeypatch.setattr(CommandContext, "reply", raising(KeyboardInterrupt))
    receive(raw, sender="ann@example.org", recipients=[address], via="lmtp")
    with pytest.raises(KeyboardInterrupt):
        process_due_mails()
    assert not TryRow.objects.exists()
    monkeypatch.setattr(CommandContext, "reply", reply_of_context)
    InboundMailRow.objects.update(due_at=1)
    process_due_mails()
    assert TryRow.objects.get(user=ann).retries == 0
    assert EmailRow.objects.count() == 1


@pytest.mark.parametrize("text", ["zz99", "I think it is c3", "swap"])
def test_a_reply_without_a_move_is_refused_and_counts_nothing(ann, post, puzzle, text):
    [email] = reply(post, ann, puzzle, text)
    assert "Error" in email.text or "move/" in email.text
    assert not TryRow.objects.exists()


def test_the_solution_by_reply_counts_as_failed(ann, post, puzzle):
    words = [str(sentence) for sentence in line_in_words(puzzle.position, puzzle.line)]
    [email] = reply(post, ann, puzzle, "solution")
    text = " ".join(email.text.split())
    assert all(told in text for told in (f"Solution: {' '.join(puzzle.line)}.", *words))
    assert TryRow.objects.get(user=ann).outcome == "failed"


def test_another_users_address_answers_for_that_user_only(reachable, post, puzzle):
    ann, bob, *_ = reachable
    address = puzzle_address(thread_of(ann, puzzle))
    [email] = post.send(bob, address, "Re:", puzzle.line[0])
    assert email.to == "ann@example.org"  # the address proves who answers
    assert PuzzleThreadRow.objects.get(user=ann).moves
    assert not PuzzleThreadRow.objects.filter(user=bob).exists()


def test_revoked_and_forged_addresses_are_refused(ann, post, puzzle):
    address = puzzle_address(thread_of(ann, puzzle))
    forged = address.replace("play+", "play+a")[: -len(HOST) - 2] + f"@{HOST}"
    revoke_all(ann)
    for one in (address, forged):
        [email] = post.send(ann, one, "Re:", puzzle.line[0])
        assert "no longer valid" in " ".join(email.text.split())
    assert not TryRow.objects.exists()


# The command.


@pytest.mark.parametrize("line", ["puzzle hex", "hex puzzle", "Puzzle HEX", "puzzle ann {} hex"])
def test_the_command_with_a_game_shows_one_of_that_game(ann, post, line):
    [email] = post.send(ann, COMMANDS, line.format(token_of(ann)))
    assert email.subject.startswith("Hex Puzzle ")


def test_the_command_offers_what_the_sender_has_not_tried(ann, post):
    tried = store.puzzles("cylindrical-hex")[:-1]
    for one in tried:
        TryRow.objects.create(
            user=ann,
            puzzle_id=one.id,
            game_id=one.game_id,
            outcome="failed",
            at=1,
            puzzle_value=1500,
        )
    [email] = post.send(ann, COMMANDS, f"puzzle ann {token_of(ann)} cylindrical-hex")
    assert store.puzzles("cylindrical-hex")[-1].id in email.subject


@pytest.mark.parametrize("line", ["puzzle {id} {move} {token}", "puzzle ann {token} {id} {move}"])
def test_the_command_answers_a_puzzle(ann, post, puzzle, line):
    text = line.format(id=puzzle.id, move=" ".join(puzzle.line[::2]), token=token_of(ann))
    [email] = post.send(ann, COMMANDS, text)
    assert "You have solved the puzzle." in " ".join(email.text.split())
    assert TryRow.objects.get(user=ann).outcome == "solved"


def test_an_answer_needs_proof_of_who_sends_it(ann, post, puzzle):
    [email] = post.send(ann, COMMANDS, f"puzzle {puzzle.id} {puzzle.line[0]}")
    assert "mail/no-proof" in email.text
    assert not TryRow.objects.exists()


def test_showing_a_puzzle_again_starts_it_again(ann, post, puzzle):
    reply(post, ann, puzzle, puzzle.line[0])
    post.send(ann, COMMANDS, f"puzzle {puzzle.id} {token_of(ann)}")
    assert PuzzleThreadRow.objects.get(user=ann).moves == []


@pytest.mark.parametrize("line", ["puzzle 0000000000", "puzzle chess", "antipod puzzle {id}"])
def test_an_unknown_puzzle_is_refused(ann, post, puzzle, line):
    [email] = post.send(ann, COMMANDS, line.format(id=puzzle.id))
    assert "mail/no-such-puzzle" in email.text


def test_answers_by_mail_are_limited(ann, post, puzzle, monkeypatch):
    monkeypatch.setenv("LIMIT_PUZZLE_ANSWERS", "1/hour")
    reply(post, ann, puzzle, puzzle.line[0])
    [email] = reply(post, ann, puzzle, puzzle.line[2])
    assert "limits/too-many" in email.text
    assert PuzzleThreadRow.objects.get(user=ann).moves == list(puzzle.line[:2])


def other_second_move(puzzle):
    """Return a legal second move of the solver that is not of the puzzle's line."""
    position = puzzle.position
    for text in puzzle.line[:2]:
        position = position.play(position.parse_move(text))
    moves = (position.format_move(move) for move in position.legal_moves)
    return next(text for text in moves if text != puzzle.line[2])


@pytest.fixture
def second(ann, post, puzzle):
    """A second move that waits for the judgement of the computer."""
    move = other_second_move(puzzle)
    assert reply(post, ann, puzzle, f"{puzzle.line[0]} {move}") == []
    waiting: Any = PuzzleThreadRow.objects.get().waiting
    assert (waiting["texts"], waiting["is_recorded"]) == ([move], False)
    return move


def answered():
    """Answer what waits; return the e-mails."""
    before = EmailRow.objects.count()
    answer_waiting()
    return list(EmailRow.objects.order_by("pk")[before:])


def news_of(emails):
    """Return the news of the only e-mail as one line each."""
    return [" ".join(one.split()) for one in news_in(emails)]


def first_is_right(puzzle):
    return f"{puzzle.line[0]} is right. The reply is {puzzle.line[1]}."


def replied(puzzle, second):
    """Return the judgement that a second move is right, with a reply to it."""
    after = puzzle.position
    for text in (*puzzle.line[:2], second):
        after = after.play(after.parse_move(text))
    answer = after.format_move(next(iter(after.legal_moves)))
    return {"right": True, "solved": False, "reply": answer, "refutation": [], "answer": ""}


def test_a_move_that_is_not_judged_in_time_is_given_back(puzzle, second, clocks):
    # Within the patience the move goes on waiting.
    thread: Any = PuzzleThreadRow.objects.get()
    since = thread.waiting["since"]
    clocks.advance(since + puzzles._PATIENCE - now())
    assert answered() == []
    assert PuzzleThreadRow.objects.get().waiting is not None
    clocks.advance(1)
    late = f"The computer could not judge {second} in time. Send it again later."
    assert news_of(answered()) == [first_is_right(puzzle), late]
    thread = PuzzleThreadRow.objects.get()
    assert (thread.moves, thread.waiting) == (list(puzzle.line[:2]), None)
    assert not TryRow.objects.exists()


def test_a_move_that_cannot_be_decided_is_given_back_and_counts_nothing(puzzle, second):
    JudgementRow.objects.update(state=JudgementRow.State.UNDECIDED)
    undecided = f"The computer could not decide whether {second} is right. Try another move."
    assert news_of(answered()) == [undecided, first_is_right(puzzle)]
    thread = PuzzleThreadRow.objects.get()
    assert (thread.moves, thread.waiting) == (list(puzzle.line[:2]), None)
    assert not TryRow.objects.exists()


def test_a_move_that_was_found_right_goes_on_with_the_reply_to_it(puzzle, second):
    found = replied(puzzle, second)
    JudgementRow.objects.update(state=JudgementRow.State.DONE, found=found)
    right = f"{second} is right. The reply is {found['reply']}."
    assert news_of(answered()) == [first_is_right(puzzle), right]
    thread = PuzzleThreadRow.objects.get()
    assert thread.moves == [*puzzle.line[:2], second, found["reply"]]
    assert thread.waiting is None
    assert not TryRow.objects.exists()


def test_a_second_move_that_was_found_wrong_counts_when_it_is_found(ann, puzzle, second):
    found = {**replied(puzzle, second), "right": False, "reply": ""}
    JudgementRow.objects.update(state=JudgementRow.State.DONE, found=found)
    news = news_of(answered())
    assert news[:2] == [first_is_right(puzzle), f"{second} is wrong. Try another move."]
    assert news[2].startswith("Your rating in these puzzles is ")
    assert TryRow.objects.get(user=ann).outcome == "failed"
    assert PuzzleThreadRow.objects.get().moves == list(puzzle.line[:2])


def test_the_next_move_waits_after_one_that_was_found_right(puzzle, second):
    found = replied(puzzle, second)
    JudgementRow.objects.update(state=JudgementRow.State.DONE, found=found)
    after = puzzle.position
    for text in (*puzzle.line[:2], second, found["reply"]):
        after = after.play(after.parse_move(text))
    third = after.format_move(next(iter(after.legal_moves)))
    thread: Any = PuzzleThreadRow.objects.get()
    thread.waiting = {**thread.waiting, "texts": [second, third]}
    thread.save()
    assert answered() == []
    thread.refresh_from_db()
    assert thread.moves == [*puzzle.line[:2], second, found["reply"]]
    assert thread.waiting["texts"] == [third]


def test_moves_that_no_longer_fit_are_told_and_wait_no_more(puzzle, second):
    thread: Any = PuzzleThreadRow.objects.get()
    thread.moves = [puzzle.line[0]]
    thread.waiting = {**thread.waiting, "texts": [puzzle.line[1]]}
    thread.save()
    assert news_of(answered()) == ["the opponent is to move, not the solver."]
    thread.refresh_from_db()
    assert (thread.moves, thread.waiting) == ([puzzle.line[0]], None)


def test_moves_that_another_process_has_answered_are_not_answered_again(puzzle, second):
    thread = PuzzleThreadRow.objects.get()
    JudgementRow.objects.update(state=JudgementRow.State.UNDECIDED)
    PuzzleThreadRow.objects.update(waiting=None)
    before = EmailRow.objects.count()
    puzzles._answer_waiting(thread.pk)
    puzzles._answer_waiting(thread.pk + 1)
    assert EmailRow.objects.count() == before


def test_a_solver_without_an_address_gets_no_answer(ann, puzzle, second):
    JudgementRow.objects.update(state=JudgementRow.State.UNDECIDED)
    ann.emailaddress_set.all().delete()
    assert answered() == []
    assert PuzzleThreadRow.objects.get().waiting is None


def test_where_no_mail_is_received_the_daily_mail_has_no_address_for_replies(ann, settings):
    settings.MAIL_HOST = ""
    wants_daily(ann)
    [email] = daily_mails()
    assert "Reply-To" not in email.headers


def test_the_daily_mail_is_not_sent_when_the_puzzle_is_gone(ann):
    wants_daily(ann)
    notify_of_daily()
    row = NotificationRow.objects.get(user=ann)
    assert puzzles.daily_email(ann, "ann@example.org", row) is not None
    row.arguments = {"puzzle": "0000000000"}
    assert puzzles.daily_email(ann, "ann@example.org", row) is None


def test_the_command_is_refused_where_everything_was_tried(ann, post):
    for one in store.puzzles("cylindrical-hex"):
        TryRow.objects.create(
            user=ann,
            puzzle_id=one.id,
            game_id=one.game_id,
            outcome="failed",
            at=1,
            puzzle_value=1500,
        )
    [email] = post.send(ann, COMMANDS, f"puzzle ann {token_of(ann)} cylindrical-hex")
    lines = email.text.splitlines()
    assert lines[0] == "Refused: mail/no-such-puzzle; there is no puzzle that you have not tried"
    assert not PuzzleThreadRow.objects.exists()


HOW = "write your move in the first line of a reply, or `hint`, or `solution`"


def test_a_puzzle_is_shown_with_its_task_and_how_to_answer(people, puzzle):
    thread = thread_of(people[0], puzzle)
    content = puzzle_content(puzzle, news=("Hello.", "Again."), thread=thread)
    assert content.subject == f"Hex Puzzle {puzzle.id}"
    assert content.text.startswith(f"Hex Puzzle {puzzle.id}\nNews: Hello.\nNews: Again.\n")
    path = reverse("puzzle", args=[puzzle.id])
    assert f"\nLink: https://antipodes.example{path}\n" in content.text
    assert re.search(r"^Task: .+\.$", content.text, re.MULTILINE)
    assert f"\nReply: {puzzle_address(thread)}\n" in content.text
    assert f"Answer: {HOW}" in told(content)
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
    assert f"Unsubscribe: {stop}" in told(email)


def news_about(verdict, moves, **more):
    """Return the sentences about an answer."""
    puzzle: Any = SimpleNamespace(position=make_game("hex").initial())
    return puzzles._news(puzzle, Answer(verdict, moves, **more))


def test_each_answer_names_the_solvers_move():
    assert news_about(AnswerVerdict.RIGHT, ("a1", "b2"), reply="b2") == [
        "a1 is right. The reply is b2."
    ]
    solved = ["c3 is right. You have solved the puzzle."]
    assert news_about(AnswerVerdict.SOLVED, ("a1", "b2", "c3")) == solved
    wrong = [
        "c3 is wrong: d4 e5. Try another move.",
        "White puts a stone on d4.",
        "Black puts a stone on e5.",
    ]
    assert news_about(AnswerVerdict.WRONG, ("a1", "b2", "c3"), refutation=("d4", "e5")) == wrong
    assert news_about(AnswerVerdict.WRONG, ("a1",)) == ["a1 is wrong. Try another move."]


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
    assert news_about(AnswerVerdict.SOLVED, ("a1",), recorded=recorded) == solved
    wrong = ["a1 is wrong. Try another move.", *news]
    assert news_about(AnswerVerdict.WRONG, ("a1",), recorded=recorded) == wrong


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
        assert needs_token in told(email)
        assert (is_daily in email.text) == (one == found)
        assert email.headers["Reply-To"] == COMMANDS
        [email] = post.send(ann, COMMANDS, f"{line} {token}")
        assert needs_token not in told(email)
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
