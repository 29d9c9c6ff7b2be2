"""Law: muted people say nothing to others by mail, with whatever command."""

import pytest

from antipodes.mail.requests import Verb
from antipodes.web.matches.models import ChatLine
from antipodes.web.moderation.models import SanctionRow
from antipodes.web.notifications.models import EmailRow
from tests.web.email_play.commands.test_column_bounds import LINES, said_by_mail

WORDS = "zqwords"


def said_to_others(player, others, line, value):
    """Send a command with words after it; return whether others read them."""
    text = f"{line.replace('{}', value)}\nend\n{WORDS} and more"
    last = EmailRow.objects.order_by("pk").last()
    lines = ChatLine.objects.count()
    assert said_by_mail(player, "multiple", text) == []
    letters = EmailRow.objects.filter(pk__gt=last.pk if last else 0)
    letters = letters.filter(to__in=[other.address for other in others])
    heard = [one for one in letters if WORDS in f"{one.subject} {one.text} {one.html}"]
    return bool(heard) or ChatLine.objects.count() > lines


def heard_commands(players, number):
    """Return the commands with which words reach others."""
    ann, *others = players
    found = set()
    for verb, lines in {
        **LINES,
        Verb.CHALLENGE: ("hex challenge WHO bob", "hex challenge WHO {}"),
    }.items():
        for line in lines:
            said = line.replace("WHO", f"{ann.name} {ann.token}").replace("BOARD", str(number))
            for value in (WORDS, "bob"):
                if said_to_others(ann, others, said, value):
                    found.add(verb)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("is_muted", [False, True])
def test_muted_people_say_nothing_by_mail(players, ann, board, is_muted):
    if is_muted:
        SanctionRow.objects.create(user=ann.user, kind="mute", reason="rude")
    heard = heard_commands(players, board(size=3))
    if is_muted:
        assert heard == set()
    else:
        assert {Verb.CHAT, Verb.MESSAGE, Verb.CHALLENGE} <= heard


def test_a_muted_player_cannot_answer_a_message(ann, bob):
    letters = ann.say("message", "bob", "Hello")
    [to_bob] = [letter for letter in letters if letter.to == bob.address]
    SanctionRow.objects.create(user=bob.user, kind="mute", reason="rude words")
    [refused] = bob._post.answer(to_bob, f"{WORDS} to you")
    assert refused.to == bob.address
    assert "you are muted permanently: rude words" in " ".join(refused.text.split())


def test_a_challenge_of_a_muted_player_goes_without_words(ann, bob):
    SanctionRow.objects.create(user=ann.user, kind="mute", reason="rude words")
    letters = ann.say("hex challenge", "bob", f"{WORDS} to you")
    [to_bob] = [letter for letter in letters if letter.to == bob.address]
    [to_ann] = [letter for letter in letters if letter.to == ann.address]
    assert WORDS not in to_bob.text
    assert "Your message was not sent: you are muted" in " ".join(to_ann.text.split())
