"""A site behind Postfix, and queries of its database."""

import os
import signal
from pathlib import Path

from tests.live.ports import free_port
from tests.live.processes import WORKER, running
from tests.live.site import Site
from tests.mailservers.servers import SITE, wait_until

_TIMEOUT = 120  # seconds, on a busy machine

_PEOPLE = """
from allauth.account.models import EmailAddress
from antipodes.web.email_play.match_emails import play_by_mail
from antipodes.web.accounts.models import User
from antipodes.web.email_play import mail_tokens
found = {}
for name in NAMES:
    user, _ = User.objects.get_or_create(username=name)
    user.set_password("the password of " + name)
    user.email = f"{name}@people.test"
    user.save()
    EmailAddress.objects.get_or_create(
        user=user, email=user.email, defaults={"verified": True, "primary": True}
    )
    if BY_MAIL:
        play_by_mail(user, on=True)
    found[name] = mail_tokens.make_token(user, "a test")
report(found)
"""

_BEGIN = """
from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.match import Terms
from antipodes.web.matches.services import begin_match
from antipodes.web.accounts.models import User
users = [User.objects.get(username=name) for name in NAMES]
terms = Terms(
    game=make_game(GAME, OPTIONS),
    players=tuple(str(user.pk) for user in users),
    control=read_control(CONTROL),
)
row = begin_match(terms, users)
report({"number": row.pk, "slug": row.slug})
"""


class MailSite(Site):
    """A process ``antipodes serve`` that receives mail by LMTP."""

    def __init__(self, folder: Path, log: Path) -> None:
        """Choose ports; nothing runs before ``start``."""
        super().__init__(folder, log)
        self.lmtp = free_port()
        self.set_environment(SITE_URL=self.url("").rstrip("/"), MAIL_HOST=SITE, MAIL_USER="play")

    def people(self, *names, by_mail=True):
        """Create accounts with confirmed addresses; return their mail tokens."""
        return self.ask(_PEOPLE, NAMES=names, BY_MAIL=by_mail)

    def begin(self, game_id, options, names, control="7d/move"):
        """Begin a correspondence match; return its number and slug."""
        return self.ask(_BEGIN, GAME=game_id, OPTIONS=options, NAMES=names, CONTROL=control)

    def moves(self, number):
        """Return the moves of a match as text, and whether it is over."""
        return self.ask(
            "from antipodes.web.matches.models import MatchRow\n"
            "from antipodes.web.matches.snapshots import look_up\n"
            "snapshot = look_up(MatchRow.objects.get(pk=NUMBER).slug)\n"
            "moves = [json.loads(move)['text'] for move in snapshot.moves]\n"
            "report({'moves': moves, 'over': snapshot.match.result is not None})",
            NUMBER=number,
        )

    def outcomes(self):
        """Return the outcomes of all received mails."""
        return self.ask(
            "from antipodes.web.email_play.models import InboundMailRow\n"
            "report(list(InboundMailRow.objects.order_by('pk').values_list('outcome', flat=True)))"
        )

    def wait_for_lmtp(self):
        """Wait until the worker process receives mail."""
        import socket

        def is_open():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.lmtp)) == 0

        wait_until(is_open, f"the LMTP of the site, which logged {self.log_text()}", _TIMEOUT)

    def kill_worker(self):
        """Kill the process that receives and processes mail."""
        for worker in running(self.pid, WORKER):
            os.kill(worker, signal.SIGKILL)
