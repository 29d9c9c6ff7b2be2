"""Law: what mails may say and the site stores fits the columns of both databases."""

import pytest

from antipodes.mail.requests import Verb
from antipodes.web.email_play.inbox import receive
from antipodes.web.email_play.inbox_task import process_due_mails
from antipodes.web.email_play.models import InboundMailRow
from antipodes.web.notifications.models import EmailRow
from antipodes.web.platform import limits
from tests.cases import for_each
from tests.thorough import sample
from tests.web.columns import checked
from tests.web.email_play.conftest import HOST, raw_mail

pytestmark = pytest.mark.slow

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


def test_every_command_is_tried():
    assert set(LINES) == set(Verb)


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
