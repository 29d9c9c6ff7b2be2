"""Rate limits of play by mail, and attempts to use them up for other senders."""

import itertools

import pytest

from antipodes.web.email_play import processing, sender_limits
from antipodes.web.email_play.commands import accounts, messages
from antipodes.web.email_play.commands import preferences as by_mail
from antipodes.web.email_play.models import ConfirmationRow, InboundMailRow
from antipodes.web.email_play.sender_limits import registered_domain
from tests.web.email_play.conftest import Post

pytestmark = pytest.mark.django_db

SPY, VICTIM = "spy@evil.example", "new@example.org"
_verified = {"Authentication_Results": "mx.play.example; dmarc=pass header.from=x"}
_numbers = itertools.count(1)


@pytest.fixture(autouse=True)
def _own_server(settings):
    settings.MAIL_AUTHSERV_ID = ["mx.play.example"]


def set_limit(monkeypatch, limit, amount="2/day"):
    monkeypatch.setenv(limit.setting, amount)


def asks(sender, address=None, **headers):
    """Ask for an account under a new name; return whether a sign-up mail was written."""
    before = ConfirmationRow.objects.count()
    Post().command(sender, f"signup heron{next(_numbers)} {address or ''}", **headers)
    return ConfirmationRow.objects.count() > before


def test_sign_up_mails_to_an_address_are_limited(monkeypatch):
    set_limit(monkeypatch, accounts._SIGNUPS)
    senders = [f"spy@evil{number}.example" for number in range(3)]
    assert [asks(sender, VICTIM) for sender in senders] == [True, True, False]


def test_requests_by_others_do_not_use_up_the_limit_of_a_verified_owner(monkeypatch):
    set_limit(monkeypatch, accounts._SIGNUPS)
    for number in range(3):
        asks(f"spy@evil{number}.example", VICTIM)
    for _ in range(3):
        asks(VICTIM)  # forged
    assert asks(VICTIM, **_verified)


def test_sign_ups_of_a_sender_are_limited(monkeypatch):
    set_limit(monkeypatch, accounts._SIGNUPS_OF_SENDER)
    asked = [asks(SPY, f"new{number}@example.org") for number in range(3)]
    assert asked == [True, True, False]
    assert asks("other@evil.example")


def test_sign_ups_of_a_domain_are_limited(monkeypatch):
    set_limit(monkeypatch, accounts._SIGNUPS_OF_DOMAIN)
    spies = ["spy1@evil.example", "spy2@a.evil.example", "spy3@b.c.evil.example"]
    assert [asks(spy) for spy in spies] == [True, True, False]
    assert asks("new@example.org")


def test_sign_ups_of_all_senders_are_limited(monkeypatch):
    set_limit(monkeypatch, accounts._SIGNUPS_OF_ALL)
    asked = [asks(f"spy@evil{number}.example") for number in range(3)]
    assert asked == [True, True, False]
    assert asks(VICTIM, **_verified)


def test_changes_of_an_account_are_limited(players, monkeypatch):
    set_limit(monkeypatch, accounts._CHANGES)
    ann, bob, *_ = players
    for _ in range(2):
        ann.say("delete")
    letters = ann.say("delete")
    assert "limits/too-many" in letters[0].text
    assert ConfirmationRow.objects.filter(kind=ConfirmationRow.Kind.DELETE).count() == 2
    bob.say("delete")
    assert ConfirmationRow.objects.filter(kind=ConfirmationRow.Kind.DELETE).count() == 3


def test_messages_are_limited(players, monkeypatch):
    set_limit(monkeypatch, messages._MESSAGES)
    ann, bob, *_ = players

    def arrives():
        return bob.address in {one.to for one in ann.say("message", "bob", "Hello")}

    assert [arrives() for _ in range(3)] == [True, True, False]


def test_broadcasts_are_limited(players, moderator, monkeypatch):
    set_limit(monkeypatch, messages._BROADCASTS)
    ann, bob, *_ = players
    by_mail.set_play_by_mail(bob.user, on=True)
    ann.user.groups.set(moderator.groups.all())

    def arrives():
        return bob.address in {one.to for one in ann.say("broadcast", text="News")}

    assert [arrives() for _ in range(3)] == [True, True, False]


def test_commands_of_a_user_are_limited(players, monkeypatch):
    set_limit(monkeypatch, processing.OF_A_USER)
    ann, bob, *_ = players
    answers = [ann.ask("games").text for _ in range(3)]
    assert ["limits/too-many" in text for text in answers] == [False, False, True]
    assert ann.say("games") == []
    assert InboundMailRow.objects.latest("pk").outcome == InboundMailRow.Outcome.IGNORED
    assert "limits/too-many" not in bob.ask("games").text


def test_mails_of_an_unknown_sender_are_limited(monkeypatch):
    set_limit(monkeypatch, sender_limits.OF_A_SENDER)
    answers = [Post().command(SPY, "help") for _ in range(4)]
    assert [len(one) for one in answers] == [1, 1, 1, 0]
    assert "limits/too-many" in answers[2][0].text
    assert Post().command("other@evil.example", "help")


def test_forged_mails_do_not_use_up_the_limits_of_a_verified_sender(monkeypatch):
    set_limit(monkeypatch, sender_limits.OF_A_SENDER)
    set_limit(monkeypatch, sender_limits.OF_A_DOMAIN)
    for _ in range(4):
        Post().command(VICTIM, "help")
    [answer] = Post().command(VICTIM, "help", **_verified)
    assert "limits/too-many" not in answer.text


def test_mails_of_unknown_senders_of_a_domain_are_limited(monkeypatch):
    set_limit(monkeypatch, sender_limits.OF_A_DOMAIN)
    spies = ["spy1@evil.example", "spy2@a.evil.example", "spy3@evil.example"]
    assert [len(Post().command(spy, "help")) for spy in spies] == [1, 1, 0]
    assert Post().command(VICTIM, "help")


def test_a_reply_to_a_confirmation_does_not_count_as_an_unknown_sender(post, monkeypatch):
    set_limit(monkeypatch, sender_limits.OF_STRANGERS, "1/day")
    set_limit(monkeypatch, sender_limits.OF_A_DOMAIN, "1/day")
    letter = post.only(VICTIM, "signup heron")
    assert Post().command(VICTIM, "help") == []
    assert "Welcome, heron" in post.answer(letter, "confirm")[0].text


def test_warnings_about_a_limit_are_limited(monkeypatch):
    set_limit(monkeypatch, sender_limits.OF_A_SENDER, "1/day")
    set_limit(monkeypatch, processing.TOLD_TO_STOP, "2/hour")
    assert [len(Post().command(SPY, "help")) for _ in range(5)] == [1, 1, 1, 0, 0]


def test_responses_to_one_mail_of_an_unknown_sender_are_limited():
    lines = "\n".join(["help"] * 20)
    assert len(Post().command(SPY, "multiple", lines)) == processing._MAX_OF_STRANGERS
    assert len(Post().command(VICTIM, "multiple", lines, **_verified)) == 20


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("cheap-pills", "buy cheap-pills at pills.example now"),
        ("help cheap-pills", ""),
        ("signup cheap.pills", ""),
        ("signup pills cheap@pills.example other@pills.example", ""),
        ("list cheap-pills", ""),
        ("history cheap-pills", ""),
        ("cheap-pills show 7", ""),
        ("games cheap-pills mt-" + "a" * 24, ""),
        ("preview hex cheap-pills", ""),
        ("multiple", "help cheap-pills\nlist cheap-pills\nmove cheap-pills"),
    ],
)
def test_responses_to_an_unknown_sender_do_not_quote_the_mail(ann, subject, text):
    """A forged sender must not make the site send text of the attacker's."""
    for sender in (SPY, ann.address):
        for letter in Post().command(sender, subject, text):
            for text in (letter.subject, letter.text, letter.html):
                assert "cheap" not in text.lower()
                assert "pills" not in text.lower()


def test_responses_to_a_verified_sender_quote_the_mail():
    [letter] = Post().command(SPY, "help cheap-pills", **_verified)
    assert "cheap-pills" in letter.text
    assert letter.subject.startswith("Re: help")


@pytest.mark.parametrize(
    ("address", "domain"),
    [
        ("ann@example.org", "example.org"),
        ("ann@a.b.Example.ORG.", "example.org"),
        ("ann@mail.example.co.uk", "example.co.uk"),
        ("ann@a.b.abc.org", "b.abc.org"),
        ("ann@a.b.abcd.org", "abcd.org"),
        ("ann@localhost", "localhost"),
        ("", ""),
    ],
)
def test_registered_domain(address, domain):
    assert registered_domain(address) == domain
