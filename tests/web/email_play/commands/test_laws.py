"""Laws of every mail command: it is complete, refuses clearly, fits columns, and heeds mutes."""

from pathlib import Path

import pytest

from antipodes.mail.layout import write_help
from antipodes.mail.requests import COMMANDS, Verb
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.email_play.commands.handlers import handler_for
from antipodes.web.email_play.inbox import receive
from antipodes.web.email_play.inbox_task import process_due_mails
from antipodes.web.email_play.models import InboundMailRow
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.moderation.models import SanctionRow
from antipodes.web.notifications.models import EmailRow
from antipodes.web.platform import limits
from tests.cases import for_each
from tests.thorough import sample
from tests.web.columns import checked
from tests.web.email_play.conftest import HOST, raw_mail

ROOT = Path(__file__).parents[4]

# The parser handles it.
_PARSED = {Verb.MULTIPLE}


def test_the_table_lists_every_command_once():
    assert sorted(info.verb for info in COMMANDS) == sorted(Verb)


@for_each("verb", [verb for verb in Verb if verb not in _PARSED])
def test_every_command_has_a_handler(verb):
    found = {handler_for(verb, on_board=True), handler_for(verb, on_board=False)}
    assert found != {None}


@for_each("verb", list(Verb))
def test_every_command_has_help(verb):
    assert verb.value in write_help(verb.value)


def test_the_docs_are_generated_from_the_table():
    page = (ROOT / "docs/mail.md").read_text(encoding="utf-8")
    assert "{mail-commands}" in page


LONG = f"{'a' * 60}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 60}.org"
# What precedes the name and the token of ann, what follows them, the code, and a part of the text.
CASES = (
    ("challenge", "bob", "mail/no-game", ""),
    ("hex challenge", "bob --rated=on --unrated=on", "mail/options", "rated or unrated, not both"),
    ("hex challenge", "bob --within=soon", "mail/options", "within is 'soon'"),
    ("hex challenge", "bob --points=0", "mail/options", "whole number above 0"),
    ("hex challenge", "bob --private=perhaps", "mail/options", "perhaps"),
    ("hex challenge", "bob --swap=perhaps", "option/unknown-value", "perhaps"),
    ("antipod limit", "99999", "lobby/limit", "not '99999'"),
    ("reject", "c999", "mail/no-challenge", "no challenge 999 for you"),
    ("message", "nemo", "mail/unknown-user", "no user 'nemo'"),
    ("digest", "daily 24", "mail/digest", "'24' is not an hour"),
    ("unsubscribe", "", "mail/no-number", "by its number"),
    ("subscribe", "999", "mail/no-such-board", "no board 999"),
    ("add", "one@example.org two@example.org", "mail/one-address", "write just one"),
    ("add", LONG, "mail/no-address", "aaa"),
    ("add", "one@example", "mail/no-address", "'one@example' is not an e-mail"),
    ("show", "7 x", "mail/no-number", "'ann' is not the number of a board"),
    ("add", "ANN@example.org", "mail/one-address", "is your address already"),
)


@for_each("before, after, code, words", CASES)
def test_a_wrong_command_is_refused_with_its_reason(ann, before, after, code, words):
    text = ann.ask(before, after).text
    assert code in text, text
    assert words in text, text
    assert not ChallengeRow.objects.exists()
    assert not MatchRow.objects.exists()


# A line for each command: {} stands for what is tried, WHO for the sender's name and token.
LINES = {
    Verb.MOVE: ("hex move BOARD#{} WHO a1", "hex move BOARD WHO a1 b1 {}"),
    Verb.QUEUE: ("hex queue BOARD#{} WHO a1", "hex queue BOARD WHO {}"),
    Verb.PREVIEW: ("preview {} a1", "hex preview new -size={} a1"),
    Verb.SUBMIT: ("hex submit BOARD#{} WHO a1", "hex submit BOARD WHO {}"),
    Verb.CONFIRM: ("hex confirm BOARD#{} WHO", "confirm WHO {}"),
    Verb.PASS: ("pass {} WHO",),
    Verb.SWAP: ("swap {} WHO",),
    Verb.UNDO: ("undo BOARD#{} WHO",),
    Verb.PROPOSE: ("propose BOARD WHO {}",),
    Verb.ACCEPT: ("accept BOARD WHO {}", "accept WHO c{}"),
    Verb.REJECT: ("reject BOARD WHO {}", "reject WHO c{}"),
    Verb.RESIGN: ("resign BOARD#{} WHO",),
    Verb.CHAT: ("chat BOARD#{} WHO hello", "chat BOARD WHO {}"),
    Verb.CHALLENGE: (
        "hex challenge WHO {}",
        "hex challenge WHO bob -size={}",
        "hex challenge WHO bob --totaltime={}",
        "hex challenge WHO bob --forfeittime={} --nagtime={}",
    ),
    Verb.SEEK: ("hex seek WHO -size={}", "hex seek WHO {}"),
    Verb.LIMIT: ("hex limit WHO {}",),
    Verb.SHOW: ("show {}", "show BOARD#{}"),
    Verb.SHOWAS: ("showas WHO {}", "showas WHO BOARD#{}"),
    Verb.ALL_SHOW: ("all show {}",),
    Verb.GAMES: ("games {}",),
    Verb.HISTORY: ("history {}",),
    Verb.STANDINGS: ("hex standings {}",),
    Verb.PUZZLE: ("puzzle WHO {}", "puzzle WHO {} a1"),
    Verb.TOURNAMENT: ("tournament WHO join {}", "tournament WHO pairings {} {}"),
    Verb.SIMUL: ("simul WHO join {}",),
    Verb.SUBSCRIBE: ("subscribe {} WHO",),
    Verb.UNSUBSCRIBE: ("unsubscribe {} WHO",),
    Verb.NOTIFY: ("notify WHO on {}",),
    Verb.VACATION: ("vacation WHO {}", "vacation WHO until {}"),
    Verb.REMINDERS: ("reminders WHO {}",),
    Verb.DIGEST: ("digest WHO daily {}",),
    Verb.VIEW: ("view WHO {}",),
    Verb.HELP: ("help {}",),
    Verb.LIST: ("list {}",),
    Verb.MESSAGE: ("message WHO bob: {}", "message WHO {}: hello"),
    Verb.BROADCAST: ("broadcast WHO {}",),
    Verb.MULTIPLE: ("{}",),
    Verb.SIGNUP: ("signup {}", "signup zoe {}@example.org"),
    Verb.ADD: ("add WHO {}@example.org",),
    Verb.CHANGE_ADDRESS: ("change address WHO {}@example.org",),
    Verb.CHANGE_PASSWORD: ("change password {}",),
    Verb.SIGNOFF: ("signoff WHO {}",),
    Verb.DELETE: ("delete WHO {}",),
}
# Numbers at the ends of columns, dates at those of calendars, and long words, also of characters
# of four bytes and of one that becomes eighteen if a text is normalised.
VALUES = (
    *("32767", "32768", "99999", "2147483648", "999999999", "9" * 30, "0", "-1"),
    *("9999-12-31", "0001-01-01", "99999d", "bob", "x" * 20_000),
    *("\U0001f600" * 20_000, "\ufdfa" * 300, "a\x00b"),
)

# Faults of the mail, not of its commands.
NOT_READ = ("mail/no-subject", "mail/body-command")


@pytest.mark.slow
def test_every_command_is_tried():
    assert set(LINES) == set(Verb)


@pytest.mark.slow
@for_each("verb", list(Verb))
def test_what_mails_say_fits_the_columns(players, board, verb):
    ann, number = players[0], board(size=3)
    who = f"{ann.name} {ann.token}"
    faults = []
    for line in LINES[verb]:
        for value in sample(VALUES, 5):
            said = line.replace("WHO", who).replace("BOARD", str(number)).replace("{}", value)
            faults += [
                f"{line} {value[:20]!r}: {why}" for why in said_by_mail(ann, "multiple", said)
            ]
    assert not faults, "\n".join(faults)


def said_by_mail(player, subject, text):
    """Send a mail; return what no column holds, and whether it failed."""
    limits.limiter().storage.reset()
    raw = raw_mail(player.address, f"play@{HOST}", subject, text)
    with checked() as faults:
        receive(raw, sender=player.address, recipients=[f"play@{HOST}"], via="lmtp")
        process_due_mails()
    last = InboundMailRow.objects.latest("pk")
    if last.outcome not in {"answered", "ignored"}:
        faults.append(last.outcome)
    if any(code in EmailRow.objects.latest("pk").text for code in NOT_READ):
        faults.append("not read as commands")
    return faults


@pytest.mark.slow
def test_what_headers_say_fits_the_columns(ann):
    for value in VALUES:
        word = value.replace("\x00", "")
        sender = f"{word[:300]}@example.org"
        assert said_by_mail(ann, f"help {word}", "") == []
        with checked() as faults:
            raw = raw_mail(sender, f"{word[:2000]}@{HOST}", "help", "", In_Reply_To=f"<{word}>")
            receive(raw, sender=sender, recipients=[f"{word[:2000]}@{HOST}"], via="lmtp" * 5)
            process_due_mails()
        assert faults == []


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
