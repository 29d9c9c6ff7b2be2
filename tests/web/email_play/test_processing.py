"""Processing of a mail: who sent it, which addresses it used, and what its answers quote."""

import pytest
from allauth.account.models import EmailAddress

from antipodes.clocks import DAY
from antipodes.puzzles import store
from antipodes.web.accounts.models import User
from antipodes.web.email_play import mail_tokens, processing
from antipodes.web.email_play.commands.emails import confirmation_address, create_confirmation
from antipodes.web.email_play.commands.puzzles import puzzle_address, thread_of
from antipodes.web.email_play.context import request_key
from antipodes.web.email_play.models import ConfirmationRow, InboundMailRow
from antipodes.web.email_play.reply_addresses import command_address, reply_address, revoke_all
from antipodes.web.platform import limits
from tests.web.email_play.conftest import confirm_address, moves_of, refused, told

pytestmark = pytest.mark.django_db

AUTHSERV = "mx.play.example"
PASSED = {"Authentication_Results": f"{AUTHSERV}; dmarc=pass header.from=example.org"}
FAILED = {"Authentication_Results": f"{AUTHSERV}; dmarc=fail header.from=example.org"}
STRANGER = "stranger@else.example"
SEVERAL = "this mail went to several reply addresses; write one mail for each board"


@pytest.fixture(autouse=True)
def _own_server(settings):
    settings.MAIL_AUTHSERV_ID = [AUTHSERV]


@pytest.fixture
def addresses(people, slow):
    """Ann's addresses of two boards, a confirmation and two puzzles, and the first board."""
    ann, row = people[0], slow()
    question = create_confirmation(ConfirmationRow.Kind.DELETE, user=ann, address="ann@example.org")
    other = create_confirmation(ConfirmationRow.Kind.MESSAGE, user=ann, reply_to=people[1])
    puzzles = store.puzzles("hex")[:2]
    return {
        "board": reply_address(ann, row),
        "other board": reply_address(ann, slow()),
        "confirmation": confirmation_address(question),
        "other confirmation": confirmation_address(other),
        "puzzle": puzzle_address(thread_of(ann, puzzles[0])),
        "other puzzle": puzzle_address(thread_of(ann, puzzles[1])),
    }


@pytest.mark.parametrize(
    "names",
    [
        ("board", "other board"),
        ("board", "confirmation"),
        ("board", "puzzle"),
        ("confirmation", "puzzle"),
        ("confirmation", "other confirmation"),
        ("puzzle", "other puzzle"),
        ("board", "other board", "puzzle"),
    ],
)
def test_a_mail_to_several_personal_addresses_does_nothing(post, people, addresses, names):
    both = ", ".join(addresses[name] for name in names)
    [answer] = post.send(people[0], both, "", "confirm")
    assert refused(answer, "mail/several-boards")
    assert SEVERAL in told(answer)
    assert User.objects.get(pk=people[0].pk).is_active
    assert not ConfirmationRow.objects.exclude(answered_at=None).exists()


def test_a_mail_to_one_address_twice_and_to_the_site_is_for_that_address(post, people, row):
    address = reply_address(people[0], row)
    [answer] = post.send(people[0], f"{address}, {address.upper()}, {command_address()}", "", "f4")
    assert moves_of(row) == ["f4"]
    assert not answer.text.startswith("Refused")


def test_an_invalid_address_beside_a_valid_one_does_not_matter(post, people, row):
    address = reply_address(people[0], row)
    forged = address.replace("play+", "play+a")
    post.send(people[0], f"{address}, {forged}", "", "f4")
    assert moves_of(row) == ["f4"]
    [answer] = post.send(people[0], forged, "", "g5")
    text = "this reply address is no longer valid; reply to a newer mail or use a token"
    assert text in " ".join(told(answer).split())


@pytest.mark.parametrize("where", ["confirmed", "unknown"])
def test_answers_go_to_a_confirmed_address_of_the_owner_of_the_tokens(post, ann, bob, where):
    confirm_address(ann, "ann@work.example")
    sender = "ann@work.example" if where == "confirmed" else STRANGER
    token = mail_tokens.make_token(ann, "mutt")
    lines = "\n".join([f"games ann {token}"] * 2)
    emails = post.send(sender, command_address(), "multiple", lines)
    to = sender if where == "confirmed" else "ann@example.org"
    assert [(one.to, one.user) for one in emails] == [(to, ann)] * 2
    both = f"games ann {token}\ngames bob {mail_tokens.make_token(bob, 'mutt')}"
    emails = post.send(sender, command_address(), "multiple", both)
    assert [(one.to, one.user) for one in emails] == [(sender, None)] * 2
    assert ["Boards of ann." in emails[0].text, "Boards of bob." in emails[1].text] == [True, True]


def test_an_owner_without_an_address_is_answered_where_the_mail_came_from(post, people):
    token = mail_tokens.make_token(people[0], "mutt")
    EmailAddress.objects.filter(user=people[0]).delete()
    [answer] = post.send(STRANGER, command_address(), f"games ann {token}")
    assert answer.to == STRANGER


def test_the_owners_of_all_tokens_are_warned_of_a_forged_mail(post, ann, bob, clocks, row):
    lines = f"games bob {mail_tokens.make_token(bob, 'mutt')}\ngames cy mt-{'a' * 24}"
    to = reply_address(ann, row)
    emails = post.send(ann, to, "multiple", lines, **FAILED)
    assert sorted(one.to for one in emails) == ["ann@example.org", "bob@example.org"]
    for one in emails:
        assert one.subject == "A mail in your name was refused"
        assert one.text.count("News: ") == 2
    assert post.send(ann, to, "multiple", lines, **FAILED) == []
    clocks.advance(DAY)
    assert len(post.send(ann, to, "multiple", lines, **FAILED)) == 2
    outcomes = set(InboundMailRow.objects.values_list("outcome", flat=True))
    assert outcomes == {InboundMailRow.Outcome.IGNORED}
    assert moves_of(row) == []


def test_a_password_is_warned_of_again_on_the_next_day(post, people, clocks):
    def sent():
        return post.send(STRANGER, command_address(), "move 7 ann correct-horse f4")

    assert [len(sent()), len(sent())] == [2, 1]
    clocks.advance(DAY)
    emails = sent()
    assert len(emails) == 2
    [warning] = [one for one in emails if one.to == "ann@example.org"]
    assert warning.subject == "Please send no password by mail"
    assert warning.text.count("News: ") == 2


@pytest.mark.parametrize("body", ["", "\n> e5\n"])
def test_a_reply_to_a_puzzle_has_its_move_in_the_first_line_with_words(post, people, puzzle, body):
    address = puzzle_address(thread_of(people[0], puzzle))
    [answer] = post.send(people[0], address, "Re: Hex Puzzle", body)
    assert "the first line of your reply is empty; write your move there" in told(answer)
    [answer] = post.send(people[0], address, "Re: Hex Puzzle", f"\n\n{puzzle.line[0]}\n\nBye")
    assert f"{puzzle.line[0]} is right." in told(answer)


@pytest.mark.parametrize(
    ("sender", "verdict", "quotes"),
    [(STRANGER, {}, False), (STRANGER, PASSED, True), ("ann@example.org", {}, False)],
)
def test_only_mail_of_a_verified_sender_is_quoted(post, people, sender, verdict, quotes):
    [answer] = post.send(sender, command_address(), "nonsense of mine", "and more", **verdict)
    assert ("> Subject: nonsense of mine" in answer.text) == quotes
    subject = "Re: nonsense of mine" if quotes else "Antipodes: your mail"
    assert answer.subject == subject


def test_mail_with_a_token_is_quoted_without_it(post, people):
    token = mail_tokens.make_token(people[0], "mutt")
    subject = f"games ann {token} nonsense"
    [answer] = post.send(people[0], command_address(), subject, "Hello")
    assert token not in answer.text + answer.subject
    assert answer.subject == "Re: games ann *** nonsense"
    assert "> Subject: games ann *** nonsense\n>\n> Hello" in answer.text


def test_long_subjects_and_texts_are_cut_in_answers(post, people, monkeypatch):
    monkeypatch.setattr(processing, "_MAX_QUOTED", 40)
    subject = "nonsense " + "x" * 300
    [answer] = post.send(STRANGER, command_address(), subject, "y" * 100, **PASSED)
    assert answer.subject == f"Re: {subject}"[:200]
    quoted = "".join(line[2:] for line in answer.text.splitlines() if line.startswith("> "))
    assert quoted == f"Subject: {subject}"[:40]


def test_the_own_text_of_a_mail_is_quoted_and_else_all_of_it(post, people):
    for body, quoted in (("Hello\n\n> from before", "Hello"), ("> from before", "> > from before")):
        [answer] = post.send(STRANGER, command_address(), "nonsense", body, **PASSED)
        assert quoted in answer.text
        assert ("from before" in answer.text) == ("Hello" not in body)


def test_a_refusal_shows_the_board_to_those_who_may_watch_it(post, people, row):
    token = mail_tokens.make_token(people[2], "mutt")
    [answer] = post.send(people[2], command_address(), f"move {row.pk} cy {token} f4")
    assert refused(answer, "mail/not-yours")
    assert "Picture: " in answer.text
    assert answer.thread == f"match {row.slug}"
    # A reply from an address of a board shows that board, even for other commands.
    reply = post.reply(people[0], row, "vacation off")
    assert f"Hex Board {row.pk}" in reply.text
    assert "Picture: " in reply.text
    [answer] = post.send(people[2], command_address(), f"move 999 cy {token} f4")
    assert "Picture: " not in answer.text
    assert answer.thread == ""


def test_a_challenge_names_its_sender_among_the_players(post, people):
    token = mail_tokens.make_token(people[0], "mutt")
    [answer] = post.send(people[0], command_address(), f"hex challenge bob {token} cy")
    assert refused(answer, "mail/other-user")
    assert "this mail token or reply address is not one of bob" in told(answer)
    emails = post.send(people[0], command_address(), f"hex challenge bob {token} ANN")
    assert {one.to for one in emails} == {"ann@example.org", "bob@example.org"}


def test_a_known_address_does_not_count_among_strangers(post, people, monkeypatch):
    monkeypatch.setenv("LIMIT_MAIL_OF_STRANGERS", "1/hour")
    assert len(post.send(STRANGER, command_address(), "help")) == 1
    assert post.send(STRANGER, command_address(), "help") == []
    assert InboundMailRow.objects.latest("pk").outcome == InboundMailRow.Outcome.IGNORED
    EmailAddress.objects.create(user=people[0], email="new@else.example", verified=False)
    assert post.send("new@else.example", command_address(), "help") == []
    EmailAddress.objects.update(verified=True)
    assert len(post.send("NEW@else.example", command_address(), "help")) == 1
    limits.limiter().storage.reset()
    # Such mail is not counted at all.
    for _ in range(2):
        assert len(post.send("ann@example.org", command_address(), "help")) == 1
    assert len(post.send(STRANGER, command_address(), "help")) == 1


def test_each_command_of_a_mail_has_a_key_of_its_own():
    keys = {request_key(mail, index) for mail in ("a", "b") for index in range(3)}
    assert len(keys) == 6
    assert {len(key) for key in keys} == {40}


def test_revoked_addresses_of_confirmations_are_invalid(post, people, addresses):
    revoke_all(people[0])
    for name in ("confirmation", "puzzle", "board"):
        [answer] = post.send(people[0], addresses[name], "", "confirm")
        assert refused(answer, "mail/address")
