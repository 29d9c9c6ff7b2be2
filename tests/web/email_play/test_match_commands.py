"""Commands at a board by mail: moves, lines of moves, chat, old boards, and their replies."""

import re

import pytest

from antipodes.games.registry import make_game
from antipodes.match import Accept, Offer, OfferKind, Terms
from antipodes.records import Reason
from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.inbox import receive
from antipodes.web.email_play.inbox_task import process_due_mails
from antipodes.web.email_play.models import MailThreadRow
from antipodes.web.email_play.reply_addresses import address_owner, command_address, reply_address
from antipodes.web.matches.models import ChatLine
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matches.viewpoints import choose_side
from antipodes.web.notifications.models import EmailRow
from tests.web.email_play.conftest import moves_of, on_the_site, refused, state_of, told

pytestmark = pytest.mark.django_db


def test_a_reply_with_a_move_in_its_first_line_plays_it(post, people, row):
    answer = post.reply(people[0], row, "f4\n\nHave fun!\n")
    assert moves_of(row) == ["f4"]
    assert answer.subject == f"Hex Board {row.pk} ann"
    assert "News: You played f4." in answer.text
    assert "ann writes:\nHave fun!" in answer.text
    assert answer.headers["Auto-Submitted"] == "auto-replied"
    assert answer.headers["X-Antipodes-Site"] == "antipodes.example"
    assert answer.headers["Reply-To"] == reply_address(people[0], row)
    assert ChatLine.objects.get().text == "Have fun!"


def test_a_move_at_the_end_of_the_subject_is_played(post, people, row):
    post.reply(people[0], row, subject=f"Re: Hex Board {row.pk} ann f4")
    assert moves_of(row) == ["f4"]


def test_a_command_with_a_token_plays_a_move(post, people, row):
    token = mail_tokens.make_token(people[0], "mutt")
    [answer] = post.send(people[0], command_address(), f"hex move {row.pk} ann {token} f4 **")
    assert moves_of(row) == ["f4"]
    assert token not in answer.text


def test_replies_are_one_thread(post, people, row):
    first = post.reply(people[0], row, "f4", Message_ID="<ann.1@mail.example>")
    assert first.headers["In-Reply-To"] == "<ann.1@mail.example>"
    second = post.reply(people[0], row, "chat Hello", Message_ID="<ann.2@mail.example>")
    assert second.headers["In-Reply-To"] == "<ann.2@mail.example>"
    references = second.headers["References"].split()
    assert references[0] == first.message_id
    assert references[-1] == "<ann.2@mail.example>"
    assert first.thread == second.thread == f"match {row.slug}"


def test_a_reply_has_the_board_as_text_html_and_picture(post, people, slow):
    answer = post.reply(people[0], slow(), "f4")
    assert "Picture: " in answer.text
    assert [one.type for one in answer.attachments.all()] == ["image/png", "image/svg+xml"]
    assert answer.attachments.all()[0].cid in answer.html
    assert answer.headers["List-Unsubscribe"].startswith("<https://antipodes.example/")


def test_an_illegal_move_is_refused_with_board_and_quotation(post, people, row):
    on_the_site(row, "f4")
    answer = post.reply(people[1], row, "f4\nGood luck")
    assert refused(answer, "move/occupied")
    assert "Picture: " in answer.text
    assert "> f4\n> Good luck" in answer.text
    assert answer.subject == f"Hex Board {row.pk} bob"
    assert moves_of(row) == ["f4"]
    assert not ChatLine.objects.exists()


def test_only_players_in_turn_can_move(post, people, row):
    assert refused(post.reply(people[1], row, "f4"), "match/not-your-turn")
    [answer] = post.send(people[2], reply_address(people[2], row), "", "f4")
    assert refused(answer, "mail/address")
    token = mail_tokens.make_token(people[2], "mutt")
    [answer] = post.send(people[2], command_address(), f"move {row.pk} cy {token} f4")
    assert refused(answer, "mail/not-yours")
    [answer] = post.send(people[2], command_address(), f"move {row.pk} ann {token} f4")
    assert refused(answer, "mail/other-user")
    assert moves_of(row) == []


def test_the_name_of_the_sender_proves_nothing(post, people, row):
    [answer] = post.send(people[0], command_address(), f"move {row.pk} ann f4")
    assert refused(answer, "mail/no-proof")
    assert moves_of(row) == []


def test_a_move_number_detects_crossed_mails(post, people, row):
    on_the_site(row, "f4")
    answer = post.reply(people[1], row, "g5#0")
    assert refused(answer, "match/stale")
    assert "after move 0" in answer.text
    assert "after move 1" in answer.text
    post.reply(people[1], row, "g5#1")
    assert moves_of(row) == ["f4", "g5"]


def test_the_rest_of_a_line_becomes_conditional_moves(post, people, row):
    answer = post.reply(people[0], row, "f4 g5 h6")
    assert moves_of(row) == ["f4"]
    assert "Conditional: g5 h6" in answer.text
    on_the_site(row, "g5")
    assert moves_of(row) == ["f4", "g5", "h6"]
    assert state_of(row).moves[-1].source == "conditional"


def test_an_unexpected_answer_drops_the_rest_of_a_line(post, people, row):
    post.reply(people[0], row, "f4 g5 h6")
    on_the_site(row, "a1")
    assert moves_of(row) == ["f4", "a1"]


def test_a_line_that_ends_with_the_opponents_move_is_refused(post, people, row):
    answer = post.reply(people[0], row, "f4 g5")
    assert refused(answer, "mail/line")
    assert "bob" in answer.text
    assert moves_of(row) == []


def test_a_line_with_an_illegal_move_is_refused(post, people, row):
    assert refused(post.reply(people[0], row, "f4 g5 f4"), "move/occupied")
    assert moves_of(row) == []


def test_a_line_continues_after_the_opponents_conditional_move(post, people, row):
    post.reply(people[1], row, "queue f4 g5")
    post.reply(people[0], row, "f4 g5 h6")
    assert moves_of(row) == ["f4", "g5", "h6"]


def test_an_unexpected_conditional_move_ends_the_line(post, people, row):
    post.reply(people[1], row, "queue a1")
    answer = post.reply(people[0], row, "f4 g5 h6")
    assert moves_of(row) == ["f4", "a1"]
    assert "further moves were dropped" in answer.text


def test_a_queued_move_is_secret_and_played_in_turn(post, people, row):
    answer = post.reply(people[1], row, "queue g5")
    assert "Conditional: g5" in answer.text
    shown = post.reply(people[0], row, "chat Hello").text
    assert not re.search(r"(?<![\w-])g5(?![\w-])", shown)  # addresses may have it by chance
    played = post.reply(people[0], row, "f4")
    assert moves_of(row) == ["f4", "g5"]
    assert "bob played g5 (conditional move)." in played.text
    assert "g5 (auto)" in played.text


def test_a_queued_move_replaces_the_previous_one(post, people, row):
    post.reply(people[1], row, "queue g5")
    post.reply(people[1], row, "queue h6")
    assert "Conditional: h6" in post.reply(people[1], row, "chat so").text
    answer = post.reply(people[1], row, "queue")
    assert "Conditional:" not in answer.text
    on_the_site(row, "f4")
    assert moves_of(row) == ["f4"]


def test_a_queued_move_that_became_illegal_is_dropped_and_its_owner_notified(post, by_mail, row):
    post.reply(by_mail[1], row, "queue g5")
    post.notifications()
    on_the_site(row, "g5")
    assert moves_of(row) == ["g5"]
    [email] = post.notifications()
    assert email.to == "bob@example.org"
    assert "Your conditional moves were no longer legal, and were dropped." in email.text


def test_a_move_to_an_occupied_point_cannot_be_queued(post, people, row):
    on_the_site(row, "f4")
    assert refused(post.reply(people[0], row, "queue f4"), "move/occupied")


def test_a_move_queued_in_turn_is_played(post, people, row):
    post.reply(people[0], row, "queue f4")
    assert moves_of(row) == ["f4"]


def test_a_queued_line_becomes_conditional_moves(post, people, row):
    post.reply(people[1], row, "queue f4 g5 a1 b2")
    on_the_site(row, "f4")
    assert moves_of(row) == ["f4", "g5"]
    on_the_site(row, "a1", "by hand 2")
    assert moves_of(row) == ["f4", "g5", "a1", "b2"]
    assert refused(post.reply(people[1], row, "queue c3 d4 e5"), "mail/line")


def test_a_comment_with_a_queued_move_is_not_sent(post, people, row):
    answer = post.reply(people[1], row, "queue g5\n\nI know what you do")
    assert not ChatLine.objects.exists()
    assert "your message was not sent" in answer.text


def test_swap(post, people, slow):
    row = slow(swap="sides")
    post.reply(people[0], row, "f4")
    post.reply(people[1], row, "swap")
    assert moves_of(row) == ["f4", "swap"]
    assert refused(post.reply(people[0], row, "swap"), "move/no-swap")


def test_a_preview_stores_nothing(post, people, row):
    version = row.version
    answer = post.reply(people[0], row, "preview f4 g5 h6")
    assert answer.subject == f"Hex Preview {row.pk}"
    assert "Nothing is stored." in answer.text
    row.refresh_from_db()
    assert (row.version, moves_of(row)) == (version, [])


def test_strangers_may_preview_earlier_positions(post, people, row):
    post.reply(people[0], row, "f4")
    [answer] = post.send("stranger@else.example", command_address(), f"preview {row.pk}#0 a1")
    assert "a1" in answer.text
    assert answer.to == "stranger@else.example"
    [answer] = post.send("stranger@else.example", command_address(), f"preview {row.pk}#2 a1")
    assert refused(answer, "mail/no-such-ply")


def test_a_new_board_can_be_previewed(post):
    [answer] = post.send("x@else.example", command_address(), "hex preview new 2 -size=5 a1 b2")
    assert answer.subject == "Hex Preview new"
    [answer] = post.send("x@else.example", command_address(), "hex preview new 3 a1")
    assert refused(answer, "mail/players")


def test_a_takeback_needs_consent(post, people, row):
    post.reply(people[0], row, "f4")
    answer = post.reply(people[0], row, "undo")
    assert "Offer: undo; by ann; waits for bob; goes back to move 1\n" in answer.text
    assert "You asked to take back move 1." in answer.text
    assert moves_of(row) == ["f4"]
    answer = post.reply(people[1], row, "undo")
    assert moves_of(row) == []
    assert "taken back" in answer.text


def test_a_move_ends_an_open_offer(post, people, slow):
    row = slow(game_id="antipalos")
    post.reply(people[0], row, "F4*")
    post.reply(people[0], row, "propose")
    assert state_of(row).offers == {OfferKind.DRAW: (0,)}
    post.reply(people[1], row, "G5*")
    assert state_of(row).offers == {}


def test_a_draw_cannot_be_offered_in_a_game_without_draws(post, people, row):
    answer = post.reply(people[0], row, "propose")
    assert refused(answer, "match/no-draws")
    assert "Hex cannot end in a draw" in answer.text
    assert state_of(row).offers == {}


def test_a_draw_is_accepted_or_declined(post, people, slow):
    row = slow(game_id="antipalos")
    post.reply(people[0], row, "F4*")
    post.reply(people[0], row, "propose")
    assert refused(post.reply(people[0], row, "accept"), "match/no-offer")
    post.reply(people[1], row, "reject")
    assert state_of(row).offers == {}
    post.reply(people[0], row, "propose")
    answer = post.reply(people[1], row, "accept")
    assert state_of(row).result.reason is Reason.AGREEMENT
    assert "Result: " in answer.text


def test_accept_must_name_one_of_several_offers(post, people, row):
    post.reply(people[0], row, "f4")
    post.reply(people[0], row, "propose pause")
    post.reply(people[0], row, "undo")
    answer = post.reply(people[1], row, "accept")
    assert refused(answer, "mail/which-offer")
    assert "pause, undo" in answer.text
    answer = post.reply(people[1], row, "accept draw")
    assert refused(answer, "mail/which-offer")
    assert "draw is not among the offers here: pause, undo" in answer.text
    post.reply(people[1], row, "accept undo")
    assert moves_of(row) == []


def test_without_offers_none_is_accepted(post, people, row):
    answer = post.reply(people[0], row, "accept pause")
    assert "pause is not among the offers here: nothing" in answer.text


def test_resigning_before_the_first_move_aborts_the_game(post, people, row):
    post.reply(people[1], row, "resign")
    assert state_of(row).result.reason is Reason.VOID


def test_resigning_in_turn_ends_the_game(post, people, row):
    post.reply(people[0], row, "f4")
    post.reply(people[1], row, "g5")
    answer = post.reply(people[0], row, "resign")
    assert state_of(row).result.reason is Reason.RESIGNATION
    assert "You resigned." in answer.text
    assert refused(post.reply(people[1], row, "f4"), "match/over")


def test_resigning_out_of_turn_is_queued_and_toggles(post, people, row):
    post.reply(people[0], row, "f4")
    post.reply(people[0], row, "resign")
    assert state_of(row).resigning == {0}
    post.reply(people[0], row, "resign")
    assert state_of(row).resigning == frozenset()
    post.reply(people[0], row, "resign")
    post.reply(people[1], row, "g5")
    assert state_of(row).result.reason is Reason.RESIGNATION


def test_chat_is_posted_to_the_match(post, people, row):
    post.reply(people[0], row, "chat Hello there")
    post.reply(people[1], row, "chat\nTwo\nlines\n\nand more")
    lines = list(ChatLine.objects.order_by("pk").values_list("user__username", "room", "text"))
    assert lines == [
        ("ann", "seated", "Hello there"),
        ("bob", "seated", "Two\nlines\n\nand more"),
    ]
    assert refused(post.reply(people[1], row, "chat"), "mail/no-words")


def test_a_player_of_both_seats_moves_for_both(post, ann, begin):
    from antipodes.games.registry import make_game
    from antipodes.match import Terms
    from antipodes.web.matches.services import begin_match

    row = begin_match(Terms(game=make_game("hex"), players=(str(ann.pk),) * 2), [ann, ann])
    answer = post.reply(ann, row, "f4 g5 h6")
    assert moves_of(row) == ["f4", "g5", "h6"]
    assert answer.text.count("You played") + answer.text.count("ann played") == 3
    assert post.notifications() == []


def test_a_board_of_another_game_is_refused(post, people, row):
    token = mail_tokens.make_token(people[0], "mutt")
    [answer] = post.send(people[0], command_address(), f"antipod move {row.pk} ann {token} f4")
    assert refused(answer, "mail/other-game")
    [answer] = post.send(people[0], command_address(), f"move {row.pk + 1} ann {token} f4")
    assert refused(answer, "mail/no-such-board")


def test_a_private_board_seems_not_to_exist(post, people, row):
    row.is_private = True
    row.save()
    [answer] = post.send("x@else.example", command_address(), f"preview {row.pk} f4")
    assert refused(answer, "mail/no-such-board")
    assert "ann" not in answer.text
    token = mail_tokens.make_token(people[0], "mutt")
    [answer] = post.send(people[0], command_address(), f"preview {row.pk} ann {token} f4")
    assert "preview" in answer.text


def test_commands_in_one_mail_are_independent(post, people, slow):
    one, other = slow(), slow()
    token = mail_tokens.make_token(people[0], "mutt")
    lines = [f"move {row.pk} ann {token} {text}" for row, text in ((one, "f4"), (other, "zz9"))]
    lines.append(f"chat {other.pk} ann {token} Hello")
    emails = post.send(people[0], command_address(), "multiple", "\n".join(lines))
    assert len(emails) == 3
    assert moves_of(one) == ["f4"]
    assert moves_of(other) == []
    assert refused(emails[1], "move/unreadable")
    assert ChatLine.objects.get().match == other


def test_a_reply_address_is_valid_for_its_board_only(post, people, slow):
    one, other = slow(), slow()
    lines = (f"move {other.pk} ann f4", "vacation off")
    answers = [post.reply(people[0], one, "", line) for line in lines]
    assert all(refused(answer, "mail/other-board") for answer in answers)
    words = f"a reply address is valid for its own board {one.pk} only; for this use a mail token"
    assert words in told(answers[1])
    assert moves_of(other) == []


def test_the_reply_goes_to_a_confirmed_address_of_the_owner(post, people, row):
    [email] = post.send("thief@else.example", reply_address(people[0], row), "", "chat Hi")
    assert email.to == "ann@example.org"
    assert address_owner(email.headers["Reply-To"]) is not None


def test_a_move_command_without_a_move_is_refused(post, people, row):
    token = mail_tokens.make_token(people[0], "mutt")
    line = f"move {row.pk} ann {token}"
    [answer] = post.send(people[0], command_address(), "multiple", line)
    assert refused(answer, "mail/no-move")
    assert "say which move you make, such as f4" in told(answer)


def test_nothing_can_be_queued_when_the_match_is_over(post, people, row):
    on_the_site(row, "f4")
    on_the_site(row, "g5", "by hand 2")
    post.reply(people[0], row, "resign")
    for text in ("queue h6", "queue"):
        assert refused(post.reply(people[0], row, text), "match/over")


def test_an_empty_queue_is_told(post, people, row):
    assert "You had no conditional moves." in post.reply(people[1], row, "queue none").text
    post.reply(people[1], row, "queue g5")
    assert "You had no conditional moves." not in post.reply(people[1], row, "queue none").text
    assert not any(state_of(row).conditional_moves)


def test_several_moves_are_not_queued_in_ones_own_turn(post, people, row):
    answer = post.reply(people[0], row, "queue f4 g5 h6")
    assert refused(answer, "match/your-turn")
    assert "it is your turn: use move" in told(answer)
    assert moves_of(row) == []


@pytest.mark.parametrize("name", ["", " PAUSE"])
def test_rejecting_ends_a_pause(post, people, row, name):
    on_the_site(row, "f4")
    post.reply(people[0], row, "propose pause")
    post.reply(people[1], row, f"accept{name}")
    assert state_of(row).clock.paused
    assert refused(post.reply(people[1], row, "accept"), "match/no-offer")
    post.reply(people[1], row, f"reject{name}")
    assert not state_of(row).clock.paused


def test_rejecting_during_a_pause_declines_the_offer_of_another(post, people, row):
    on_the_site(row, "f4")
    post.reply(people[0], row, "propose pause")
    post.reply(people[1], row, "accept")
    post.reply(people[0], row, "undo")
    post.reply(people[1], row, "reject")
    assert (state_of(row).offers, bool(state_of(row).clock.paused)) == ({}, True)


def test_a_comment_with_a_queued_resignation_is_not_sent(post, people, row):
    on_the_site(row, "f4")
    answer = post.reply(people[0], row, "resign\n\nI give up")
    assert state_of(row).resigning == {0}
    assert "A queued resignation is secret, so your message was not sent; use chat." in told(answer)
    assert not ChatLine.objects.exists()
    assert "is secret" not in told(post.reply(people[0], row, "resign"))


def test_moves_after_the_end_of_a_game_are_refused(post, people, slow):
    row = slow(size=2, swap="off")
    answer = post.reply(people[0], row, "a1 b1 a2 b2")
    assert refused(answer, "mail/line")
    assert "the game would be over before b2" in told(answer)
    assert moves_of(row) == []
    post.reply(people[0], row, "a1 b1 a2")
    assert moves_of(row) == ["a1"]


def test_a_preview_needs_a_board_and_moves(post, people, row):
    token = mail_tokens.make_token(people[0], "mutt")
    line = f"preview {row.pk} ann {token}"
    [answer] = post.send(people[0], command_address(), "multiple", line)
    assert refused(answer, "mail/no-move")
    assert "say which moves you want to see" in told(answer)
    [answer] = post.send(people[0], command_address(), f"preview new 2 {token} a1")
    assert refused(answer, "mail/no-number")
    words = "say which board you mean, or GAME preview new with its options"
    assert words in told(answer)


def test_a_preview_may_begin_between_two_moves(post, people, row):
    on_the_site(row, "f4")
    on_the_site(row, "g5", "by hand 2")
    # The point of the second move is free before it.
    answer = post.reply(people[0], row, "preview g5#1")
    assert answer.subject == f"Hex Preview {row.pk}"
    assert refused(post.reply(people[0], row, "preview f4#1"), "move/occupied")
    assert refused(post.reply(people[0], row, "preview g5#2"), "move/occupied")


def test_one_move_is_submitted_at_a_time(post, people, row):
    answer = post.reply(people[0], row, "submit f4 g5")
    assert refused(answer, "mail/line")
    assert "submit takes one move; several together are for move, queue or preview" in told(answer)
    assert refused(post.reply(people[0], row, "confirm"), "mail/no-draft")


def test_a_single_move_loses_no_further_moves(post, people, row):
    post.reply(people[1], row, "queue a1")
    answer = post.reply(people[0], row, "f4")
    assert moves_of(row) == ["f4", "a1"]
    assert "further moves were dropped" not in told(answer)


def test_each_player_of_four_queues_a_move_for_their_own_turn(post, ann, bob, cy, dee, slow):
    row = slow(game_id="antipalos", seats="team")
    for user, number in ((dee, 2), (cy, 3), (bob, 0)):
        assert refused(post.reply(user, row, f"queue A1*#{number}"), "match/stale") == (number != 0)
    queued = [bool(one.branches) for one in state_of(row).conditional_moves]
    assert queued == [False, True, False, False]
    assert "Conditional: A1*" in post.reply(dee, row, "queue A1*#3").text
    assert "Conditional: A1*" in post.reply(cy, row, "queue A1*").text
    post.reply(ann, row, "A1*")
    assert moves_of(row) == ["A1*", "*A16", "P16*", "*P1"]


def test_a_queued_line_ends_at_the_players_last_move(post, people, row):
    on_the_site(row, "f4")
    post.reply(people[0], row, "queue g5 h6")
    [moves] = [one for one in state_of(row).conditional_moves if one.branches]
    assert moves.branches[0].then.branches[0].then.branches == ()


@pytest.mark.parametrize("word", ["none", "OFF", "nothing", "-", ""])
def test_words_that_empty_the_queue(post, people, row, word):
    post.reply(people[1], row, "queue g5")
    answer = post.reply(people[1], row, f"queue {word}")
    assert "Your conditional moves were dropped." in told(answer)
    assert not any(one.branches for one in state_of(row).conditional_moves)


def test_a_queued_swap_is_told_as_such(post, people, slow):
    row = slow(swap="sides")
    assert "\nConditional: f4 swap\n" in post.reply(people[1], row, "queue f4 swap").text
    on_the_site(row, "f4")
    assert moves_of(row) == ["f4", "swap"]


def test_a_submitted_move_expires_with_a_takeback(post, people, row):
    for number, text in enumerate(("f4", "g5", "h6")):
        on_the_site(row, text, f"by hand {number}")
    post.reply(people[1], row, "submit a1")
    carry_out(row.slug, Offer(seat=0, ply=3, key="take back", kind=OfferKind.TAKEBACK))
    carry_out(row.slug, Accept(seat=1, ply=3, key="agree", kind=OfferKind.TAKEBACK))
    on_the_site(row, "k9", "again")
    answer = post.reply(people[1], row, "confirm")
    assert refused(answer, "match/stale")
    assert "the move was submitted as move 4, but move 4 is next" in told(answer)
    assert moves_of(row) == ["f4", "g5", "k9"]


def test_a_submitted_move_tells_its_number_when_it_has_expired(post, people, row):
    post.reply(people[0], row, "submit a1")
    thread = MailThreadRow.objects.get(user=people[0])
    assert (thread.draft_ply, thread.draft is None) == (0, False)
    on_the_site(row, "f4")
    on_the_site(row, "g5", "by hand 2")
    answer = post.reply(people[0], row, "confirm")
    assert "the move was submitted as move 1, but move 3 is next" in told(answer)
    post.reply(people[0], row, "submit h6")
    assert "You played h6." in told(post.reply(people[0], row, "confirm\n\nHello"))
    thread.refresh_from_db()
    assert (thread.draft, thread.draft_ply) == (None, None)
    assert ChatLine.objects.get().text == "Hello"
    assert refused(post.reply(people[0], row, "confirm"), "mail/no-draft")


def test_moves_and_confirmations_of_another_position_are_refused(post, people, row):
    on_the_site(row, "f4")
    for line in ("submit a1#0", "confirm#0", "undo#0", "resign#0", "queue a1 b2 c3#0"):
        assert "Refused" in post.reply(people[1], row, line).text, line
    assert moves_of(row) == ["f4"]
    assert state_of(row).offers == {}


def test_the_turn_of_another_player_is_named(post, people, row):
    answer = post.reply(people[1], row, "f4")
    text = "it is the turn of ann; to prepare a move for your turn use queue"
    assert text in told(answer)
    assert "it is the turn of ann" in told(post.reply(people[1], row, "submit f4"))


def test_moves_that_were_taken_back_are_told_with_those_after_them(post, by_mail, row):
    post.notifications()
    on_the_site(row, "f4")
    on_the_site(row, "g5", "by hand 2")
    on_the_site(row, "h6", "by hand 3")
    carry_out(row.slug, Offer(seat=0, ply=3, key="take back", kind=OfferKind.TAKEBACK))
    carry_out(row.slug, Accept(seat=1, ply=3, key="agree", kind=OfferKind.TAKEBACK))
    on_the_site(row, "k9", "again")
    [to_bob] = [one for one in post.notifications() if one.to == "bob@example.org"]
    news = [line for line in to_bob.text.splitlines() if line.startswith("News: ")]
    assert [line for line in news if " played " in line] == [
        "News: ann played f4.",
        "News: You played g5.",
        "News: ann played h6.",
        "News: ann played k9.",
    ]


def test_a_takeback_is_offered_by_the_seat_that_moved_last(post, people, row):
    on_the_site(row, "f4")
    post.reply(people[0], row, "undo")
    assert state_of(row).offers == {OfferKind.TAKEBACK: (0,)}
    answer = post.reply(people[0], row, "reject undo")
    assert state_of(row).offers == {}
    assert "Refused" not in answer.text


def test_the_players_of_a_finished_game_agree_on_a_rematch(post, people, row):
    on_the_site(row, "f4")
    on_the_site(row, "g5", "by hand 2")
    post.reply(people[0], row, "resign")
    post.reply(people[0], row, "propose rematch")
    assert list(state_of(row).offers) == [OfferKind.REMATCH]
    assert "Refused" not in post.reply(people[1], row, "accept").text
    row.refresh_from_db()
    assert state_of(row).result is not None


def test_spectators_write_to_their_own_room(post, people, row):
    token = mail_tokens.make_token(people[2], "a test")
    [answer] = post.send(people[2], "play@play.example", f"chat {row.pk} cy {token} Hello all")
    assert "Refused" not in answer.text
    line = ChatLine.objects.get()
    assert (line.user, line.room, line.text) == (people[2], "spectators", "Hello all")


def picture_of(letter):
    """Return the lines of the picture of a board."""
    return letter.text.partition("Picture: ")[2].partition("Legend:")[0].splitlines()


def test_a_preview_shows_the_board_after_the_moves_made_and_imagined(post, people, row):
    on_the_site(row, "f4")
    on_the_site(row, "e5", "by hand 2")
    for line, before, moves in (
        ("preview g5", 2, ["g5"]),
        ("preview g5#1", 1, ["g5"]),
        ("preview c3#0 d4 e5", 0, ["c3", "d4", "e5"]),
        ("preview g5#2 d4", 2, ["g5", "d4"]),
    ):
        answer = post.reply(people[0], row, line)
        shown = "  ".join(f"{number}. {text}" for number, text in enumerate(moves, before + 1))
        assert f"\nTried: {len(moves)}\n  {shown}\n" in answer.text
        stones = sum(line.count("x ") + line.count("o ") for line in picture_of(answer))
        assert stones == before + len(moves)
        assert f"Turn: move {before + len(moves) + 1};" in answer.text
        assert f"\nLink: https://antipodes.example/m/{row.slug}/\n" in answer.text
        assert f"Last move: {moves[-1]}." in answer.text
        assert answer.thread == f"match {row.slug}"
    refusal = told(post.reply(people[0], row, "preview g5#3"))
    assert "there is no position after move 3: 2 moves were made" in refusal
    assert moves_of(row) == ["f4", "e5"]


def test_a_new_board_is_previewed_with_its_options(post):
    for line in ("hex preview new 2 -size=5 a1 b2", "hex preview new -size=5 a1 b2"):
        [answer] = post.send("x@else.example", "play@play.example", line)
        assert "1. a1  2. b2" in answer.text
        assert "Options: size=5" in answer.text
        assert "Link:" not in answer.text
        assert answer.thread == ""
    [answer] = post.send("x@else.example", "play@play.example", "hex preview new 3 a1")
    assert answer.text.startswith("Refused: mail/players;")


@pytest.fixture
def two_seats(ann, bob, reachable):
    """A match of Antipalos between bob and ann, who has the second and the third seat."""
    users = [bob, ann, ann]
    game = make_game("antipalos", {"seats": "cutthroat3"})
    return begin_match(Terms(game=game, players=tuple(str(user.pk) for user in users)), users)


def test_a_player_of_two_seats_acts_for_the_one_to_move_or_the_last_that_moved(
    post, ann, bob, two_seats
):
    choose_side(ann, own=False)
    post.reply(ann, two_seats, "queue A1*")
    queued = [bool(one.branches) for one in state_of(two_seats).conditional_moves]
    assert queued == [False, True, False]
    post.reply(ann, two_seats, "queue none")
    assert not any(one.branches for one in state_of(two_seats).conditional_moves)
    post.reply(bob, two_seats, "C1*")
    post.reply(ann, two_seats, "E1*")
    assert [made.seat for made in state_of(two_seats).moves] == [0, 1]
    post.reply(ann, two_seats, "G1*")
    assert [made.seat for made in state_of(two_seats).moves] == [0, 1, 2]
    post.reply(ann, two_seats, "undo")
    assert state_of(two_seats).offers == {OfferKind.TAKEBACK: (2,)}
    post.reply(bob, two_seats, "I1*")
    post.reply(ann, two_seats, "propose pause")
    assert state_of(two_seats).offers == {OfferKind.PAUSE: (1,)}


def test_a_line_of_two_seats_has_conditional_moves_for_both(post, ann, bob, two_seats):
    choose_side(ann, own=False)
    post.reply(ann, two_seats, "queue C1* E1* G1*")
    post.reply(bob, two_seats, "C1*")
    assert moves_of(two_seats) == ["C1*", "E1*", "G1*"]
    assert [made.source for made in state_of(two_seats).moves[1:]] == ["conditional", "conditional"]


def test_the_only_legal_move_below_a_greeting_is_played_on_the_board(post, by_mail, ann, bob, row):
    post.reply(ann, row, "Hello Bob!\n\nf4\n\nGood luck")
    assert moves_of(row) == ["f4"]
    assert [line.text for line in ChatLine.objects.all()] == ["Hello Bob!\n\nGood luck"]
    post.reply(bob, row, "Thanks. Not\nf4\nbut\n* g5")
    assert moves_of(row) == ["f4", "g5"]
    answer = post.reply(ann, row, "Now\nd4\nor\ne5")
    assert refused(answer, "mail/which-move"), answer.text
    assert "your mail can mean several moves: d4, e5" in told(answer)
    post.reply(ann, row, "**d4**")
    assert moves_of(row) == ["f4", "g5", "d4"]


def test_a_reply_that_cannot_be_read_is_told_so(post, by_mail, ann, row):
    raw = (
        f"From: ann@example.org\nTo: {reply_address(ann, row)}\nSubject: {{}}\n"
        "Message-ID: <{}@mail.example>\nMIME-Version: 1.0\n"
        'Content-Type: multipart/encrypted; boundary="x"\n\n'
        "--x\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--x--\n"
    )
    for subject, expected in (
        (f"Re: Hex Board {row.pk} ann", "your mail has no text that can be read: it is encrypted"),
        (f"Re: Hex Board {row.pk} ann chat", "your mail has no text that can be read"),
        (
            f"Re: Hex Board {row.pk} ann f4",
            "The text of your mail cannot be read: it is encrypted.",
        ),
    ):
        mail = raw.format(subject, len(subject)).encode()
        receive(mail, sender="ann@example.org", recipients=[reply_address(ann, row)], via="lmtp")
        process_due_mails()
        answer = EmailRow.objects.latest("pk")
        assert expected in told(answer), subject
    assert moves_of(row) == ["f4"]


def quote(email):
    """Return an e-mail as mail programs quote it."""
    return "\n".join(f"> {line}" for line in email.text.split("\n"))


def test_a_reply_to_a_board_that_is_no_longer_current_is_refused(post, by_mail, ann, bob, row):
    old = post.reply(ann, row, "show")
    post.reply(ann, row, "f4", In_Reply_To=old.message_id)
    on_the_site(row, "g5")
    answer = old
    for body, headers in (
        ("d4", {"In_Reply_To": old.message_id}),
        ("d4", {"References": f"<x@y.example> {old.message_id}"}),
        (f"d4\n\n{quote(old)}", {}),
        (f"d4\n\n{quote(old)}", {"In_Reply_To": "<lost@antipodes.example>"}),
        (f"resign\n\n{quote(old)}", {}),
        (f"undo\n\n{quote(old)}", {}),
    ):
        answer = post.reply(ann, row, body, **headers)
        assert refused(answer, "match/stale"), body
        assert "after move 0, but it is after move 2 now" in " ".join(answer.text.split())
        assert "Turn: move 3;" in answer.text
        assert moves_of(row) == ["f4", "g5"]
        verb = body.split()[0]
        insisting = "d4#2" if verb == "d4" else f"{verb} {row.pk}#2"
        assert insisting in " ".join(answer.text.split())
    # The refusal shows the present board, so a reply to it is one to that.
    post.reply(ann, row, "d4", In_Reply_To=answer.message_id)
    assert moves_of(row) == ["f4", "g5", "d4"]
    now = post.reply(bob, row, f"e5#3\n\n{quote(old)}", In_Reply_To=old.message_id)
    assert "News: You played e5." in now.text
    assert moves_of(row) == ["f4", "g5", "d4", "e5"]


def test_own_moves_since_the_board_do_not_matter(post, by_mail, ann, row):
    old = post.reply(ann, row, "show")
    post.reply(ann, row, "f4", In_Reply_To=old.message_id)
    answer = post.reply(ann, row, "undo", In_Reply_To=old.message_id)
    assert OfferKind.TAKEBACK in state_of(row).offers
    answer = post.reply(ann, row, "chat Sorry", In_Reply_To=old.message_id)
    assert not answer.text.startswith("Refused")


def test_a_board_before_a_takeback_is_no_longer_current(post, by_mail, ann, bob, row):
    shown = post.reply(ann, row, "f4")
    post.reply(ann, row, "undo")
    post.reply(bob, row, "accept")
    assert moves_of(row) == []
    assert refused(post.reply(ann, row, "d4", In_Reply_To=shown.message_id), "match/stale")
    post.reply(ann, row, "d4#0", In_Reply_To=shown.message_id)
    assert moves_of(row) == ["d4"]


def test_several_moves_of_one_mail_are_for_one_board(post, by_mail, ann, row):
    old = post.reply(ann, row, "show")
    answers = post.send(
        ann,
        reply_address(ann, row),
        body="multiple\nf4\nqueue g6",
        In_Reply_To=old.message_id,
    )
    assert [one.text.startswith("Refused") for one in answers] == [False, False]
    assert moves_of(row) == ["f4"]


def test_a_mail_to_another_player_says_nothing_about_the_board(post, by_mail, ann, bob, row):
    post.reply(ann, row, "f4")
    shown = post.reply(ann, row, "show")
    post.reply(bob, row, "g5", In_Reply_To=shown.message_id)
    assert moves_of(row) == ["f4", "g5"]
