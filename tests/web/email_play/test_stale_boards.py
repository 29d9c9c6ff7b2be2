"""Replies to a board that is no longer current."""

import pytest

from antipodes.match import OfferKind
from antipodes.web.email_play.reply_addresses import reply_address
from tests.web.email_play.conftest import moves_of, on_the_site, refused, state_of

pytestmark = pytest.mark.django_db


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
