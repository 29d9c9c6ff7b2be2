"""The corpus of unusual mails by LMTP: each is played, refused with a reason, or ignored."""

import smtplib

import pytest

from tests.live.logs import tracebacks
from tests.mail.corpus import Setting, What, corpus
from tests.mailservers.servers import PEOPLE, SITE, wait_until
from tests.mailservers.site import MailSite

MTA = f"mx.{SITE}"


@pytest.fixture(scope="module")
def site(tmp_path_factory, postfix):
    """A site that trusts one mail server."""
    folder = tmp_path_factory.mktemp("corpus")
    found = MailSite(folder / "data", folder / "log")
    found.set_environment(
        EMAIL_URL=postfix.url(), MAIL_LMTP=f"127.0.0.1:{found.lmtp}", MAIL_AUTHSERV_ID=MTA
    )
    found.start()
    found.wait_for_lmtp()
    yield found
    found.stop()
    assert not tracebacks(found.log_text())


_BOARDS = """
from allauth.account.models import EmailAddress
from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.match import Terms
from antipodes.web.email_play.reply_addresses import reply_address
from antipodes.web.matches.services import begin_match
from antipodes.web.accounts.models import User
for name in ("rival", *NAMES):
    user = User.objects.create(username=name, email=f"{name}@people.test")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
found = []
for name in NAMES:
    users = [User.objects.get(username=one) for one in (name, "rival")]
    game = make_game("hex", {"size": 6, "swap": "off"})
    players = tuple(str(user.pk) for user in users)
    row = begin_match(Terms(game=game, players=players, control=read_control("7d/move")), users)
    found.append([row.pk, reply_address(users[0], row)])
report(found)
"""

_STATES = """
from antipodes.web.email_play.models import InboundMailRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import look_up
waiting = InboundMailRow.objects.filter(processed_at=None).count()
plies = {pk: look_up(slug).match.ply for pk, slug in MatchRow.objects.values_list("pk", "slug")}
outcomes = list(InboundMailRow.objects.order_by("pk").values_list("outcome", flat=True))
report({"waiting": waiting, "plies": plies, "outcomes": outcomes})
"""


def test_each_mail_of_the_corpus_has_the_expected_outcome(site):
    few = len(corpus(large=False))  # the others have many megabytes; each is built only once
    names = [f"writer{number}" for number in range(len(corpus()))]
    boards = site.ask(_BOARDS, NAMES=names)
    sent, wrong = [], []
    for number, (name, (board, address)) in enumerate(zip(names, boards, strict=True)):
        setting = Setting(
            to=address, sender=f"Ann Möller <{name}@{PEOPLE}>", board=board, user=name,
            game="Hex", site="localhost", mta=MTA,
        )  # fmt: skip
        case = corpus(setting, large=number >= few)[number]
        sender = setting.address if case.expected.envelope is None else case.expected.envelope
        reply = deliver(site, case.raw, sender, address)
        sent.append((case, board, reply))
    wait_until(lambda: site.ask(_STATES)["waiting"] == 0, "all to be processed", 300)
    states = site.ask(_STATES)
    outcomes = iter(states["outcomes"])
    for case, board, reply in sent:
        outcome = next(outcomes) if reply == 250 else f"refused with {reply}"
        is_played = states["plies"][str(board)] == 1
        if not is_right(case.expected.what, outcome, is_played=is_played):
            wrong.append((case.name, case.expected.what, outcome, is_played))
    assert not wrong, "\n".join(map(str, wrong))


def is_right(what, outcome, *, is_played):
    """Return whether a mail has the expected outcome; LMTP refuses mails that are too large."""
    if outcome == "refused with 552":
        return not is_played
    if what is What.MOVE:
        return is_played and outcome == "answered"
    if what is What.REFUSED:
        return not is_played and outcome == "answered"
    return not is_played and outcome == "ignored"


def deliver(site, raw, sender, recipient):
    """Deliver a mail by LMTP; return the code of the response."""
    with smtplib.LMTP("127.0.0.1", site.lmtp, timeout=120) as client:
        client.ehlo()
        client.docmd("MAIL", f"FROM:<{sender}>")
        code, response = client.docmd("RCPT", f"TO:<{recipient}>")
        assert code == 250, response
        code, _ = client.data(raw)
        return code
