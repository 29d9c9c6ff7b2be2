"""Secrets of senders in the parts of their mails that others read."""

import re

import pytest

from antipodes.mail.commands import Verb
from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.reply_addresses import command_address, reply_address
from antipodes.web.matches.models import ChatLine
from antipodes.web.notifications.models import EmailRow
from tests.web.email_play.conftest import moves_of

pytestmark = pytest.mark.django_db

TOLD = "In what you wrote to others, *** stands for"
# An Outlook block as a program writes it in a language that is on no list.
BLOCK = "Blurb: Games <{site}>\nFloop: {own}\nZonk: Nwm 21\nWip: Welcome"


def words_of(email):
    return " ".join(f"{email.subject} {email.text} {email.html}".split())


def test_the_address_in_the_rest_of_a_reply_does_not_reach_the_opponent(post, by_mail, ann, row):
    address = reply_address(ann, row)
    told = post.reply(ann, row, f"f4\n\nGood luck!\nTo: Games <{address}>\nSubject: Hex")
    assert f"{TOLD} an address of this site" in words_of(told)
    assert ChatLine.objects.get().text == "Good luck!\nTo: Games <***>\nSubject: Hex"
    [email] = [one for one in post.notifications() if one.to == "bob@example.org"]
    assert "Good luck!" in email.text
    # All that bob gets to read: no address in it moves in ann's name.
    for found in set(re.findall(r"play\+[\w-]+@play\.example", words_of(email))):
        post.send("stranger@mail.example", found, "", "a1")
    assert address not in words_of(email)
    assert moves_of(row) == ["f4"]


def test_the_token_of_a_repeated_command_does_not_reach_the_opponent(post, by_mail, ann, slow):
    token, row = mail_tokens.make_token(ann, "phone"), slow()
    command = f"hex move ann {token} b{row.pk} f4"
    told = post.reply(ann, row, f"f4\n\nI had sent\n{command}\nbefore")
    assert f"{TOLD} a token" in words_of(told)
    assert ChatLine.objects.get().text == f"I had sent\nhex move ann *** b{row.pk} f4\nbefore"
    assert not any(token in words_of(one) for one in post.notifications())


def test_a_block_in_an_unknown_language_gives_neither_token_nor_address(post, by_mail, ann, row):
    token, own = mail_tokens.make_token(ann, "from your first mail"), "ann@example.org"
    head = BLOCK.format(site=command_address(), own=own)
    welcome = f"Welcome, ann. You can play by mail now.\n\nYour mail token: {token}\n"
    told = post.reply(ann, row, f"f4\n\nHello\n\n{head}\n\n{welcome}")
    assert f"{TOLD} a token, an address of this site, your mail address" in words_of(told)
    [email] = [one for one in post.notifications() if one.to == "bob@example.org"]
    for text in (ChatLine.objects.get().text, words_of(email)):
        assert "Hello" in text
        assert token not in text
        assert own not in text
    assert "Games <***>" in ChatLine.objects.get().text


@pytest.mark.parametrize("verb", Verb)
def test_no_command_of_mail_passes_on_a_secret(post, by_mail, ann, slow, verb):
    """The law walks all commands: in replies to a board, and with the token in the Subject."""
    row, token = slow(), mail_tokens.make_token(ann, "phone")
    secrets = [token, reply_address(ann, row), "ann@example.org"]
    body = "\n".join(["Hi!", *secrets])
    for words in ("", "f4", "bob"):
        post.send(ann, reply_address(ann, row), "", f"{verb} {words}\n\n{body}")
        for subject in (f"{verb} ann {token} {words}", f"hex {verb} ann {token} bob"):
            post.send(ann, command_address(), subject, body)
    post.notifications()
    texts = list(ChatLine.objects.values_list("text", flat=True))
    others = EmailRow.objects.exclude(to="ann@example.org")
    texts += [words_of(one) for one in others]
    for secret in secrets:
        assert not any(secret in text for text in texts)
