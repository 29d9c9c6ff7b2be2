"""Play by e-mail with the game of the page "Adding a game"."""

from antipodes.web.matches.models import MatchRow
from tests.web.email_play.conftest import moves_of


def test_two_seeks_begin_a_match_and_a_command_plays_a_move(ann, bob, crater):
    ann.say("crater seek")
    bob.say("crater seek")
    row = MatchRow.objects.get()
    assert row.game == crater()
    mover = ann if row.seats.get(number=0).user == ann.user else bob
    mover.say(f"crater move {row.pk}", "a1")
    assert moves_of(row) == ["a1"]


def test_the_rules_are_sent_on_request(post, crater):
    letter = post.only("stranger@example.org", "help crater")
    assert crater.summary in " ".join(letter.text.split())
