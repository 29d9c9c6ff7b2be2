"""Lines of moves, queued moves, chat and submitted moves by mail."""

import pytest

from antipodes.games.registry import make_game
from antipodes.match import Accept, Offer, OfferKind, Terms
from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.models import MailThreadRow
from antipodes.web.matches.models import ChatLine
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matches.viewpoints import choose_side
from tests.web.email_play.conftest import moves_of, on_the_site, refused, state_of, told

pytestmark = pytest.mark.django_db


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
