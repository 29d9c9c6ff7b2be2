"""Users with mail programs: they read a mailbox by IMAP, and write with swaks."""

import email
import email.policy
import re
import subprocess
import time
import uuid
from contextlib import suppress

from tests.mailservers.servers import PEOPLE

_INTERVAL = 0.5  # seconds between looks into the mailbox
_TIMEOUT = 180  # seconds, on a busy machine


def text_of(mail):
    part = mail.get_body(("plain",))
    assert part is not None, mail.as_string()[:2_000]
    return part.get_content()


class Correspondent:
    """A user with a mailbox."""

    def __init__(self, name, postfix, dovecot):
        self.name = name
        self.address = f"{name}@{PEOPLE}"
        self.postfix = postfix
        self.dovecot = dovecot

    def emails(self):
        """Return all e-mails in the mailbox, the oldest first."""
        client = self.dovecot.client(self.address)
        try:
            status, _ = client.select(readonly=True)
            if status != "OK":
                return []  # the first e-mail creates the mailbox
            _, (numbers,) = client.search(None, "ALL")
            if not numbers:
                return []
            _, parts = client.fetch(numbers.decode().replace(" ", ","), "(BODY.PEEK[])")
            raws = [part[1] for part in parts if isinstance(part, tuple)]
        finally:
            with suppress(OSError):
                client.logout()
        return [email.message_from_bytes(raw, policy=email.policy.default) for raw in raws]

    def wait_for(self, is_wanted, description):
        """Wait for an e-mail and return it."""
        end = time.monotonic() + _TIMEOUT
        while time.monotonic() < end:
            for mail in self.emails():
                if is_wanted(mail):
                    return mail
            time.sleep(_INTERVAL)
        found = [f"{one['Subject']}: {text_of(one)[:600]}" for one in self.emails()]
        log = self.postfix.said()[-2_000:]
        raise AssertionError(f"{self.name} did not get {description}, but {found}\n{log}")

    def wait_for_answer(self, message_id):
        """Return the reply to a mail."""
        return self.wait_for(lambda one: message_id in str(one["In-Reply-To"]), "a reply")

    def wait_for_turn(self, number, ply):
        """Return the e-mail that says that it is the user's turn."""

        def is_turn(mail):
            turn = re.search(rf"^Turn: move {ply + 1}[;,]", text_of(mail), re.MULTILINE)
            is_board = re.search(rf" Board {number} {self.name}$", mail["Subject"])
            return bool(turn and is_board)

        return self.wait_for(is_turn, f"the board before move {ply + 1} of board {number}")

    def write(self, to, subject="", body="", headers=(), sender=None):
        """Send a mail with swaks; return its Message-ID."""
        message_id = f"<{uuid.uuid4().hex}@{PEOPLE}>"
        command = ["swaks", "--server", f"127.0.0.1:{self.postfix.port}", "--hide-all"]
        command += ["--from", self.address if sender is None else sender, "--to", to]
        command += ["--h-From", self.address, "--h-Subject", subject, "--h-Message-Id", message_id]
        for name, value in headers:
            command += ["--add-header", f"{name}: {value}"]
        command += ["--body", body or "\\n"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return message_id

    def reply(self, mail, body):
        """Reply to an e-mail as mail programs do: to Reply-To, with its subject, quoting it."""
        quoted = "\\n".join(f"> {line}" for line in text_of(mail).splitlines())
        before = str(mail["Message-ID"])
        return self.write(
            str(mail["Reply-To"]).rpartition("<")[2].rstrip(">"),
            f"Re: {mail['Subject']}",
            f"{body}\\n\\nOn {mail['Date']}, the site wrote:\\n{quoted}\\n",
            [("In-Reply-To", before), ("References", f"{mail.get('References', '')} {before}")],
        )
