"""People at their mail programs: they read a mailbox by IMAP, and write with swaks."""

import email
import email.policy
import re
import subprocess
import time
import uuid
from contextlib import suppress

from tests.mailservers.servers import PEOPLE

_LOOK = 0.5  # seconds between two looks
_PATIENCE = 180  # seconds until a letter has to be there, on a busy machine


def text_of(letter):
    """Return the plain text of a letter."""
    part = letter.get_body(("plain",))
    assert part is not None, letter.as_string()[:2_000]
    return part.get_content()


class Correspondent:
    """Somebody with a mailbox."""

    def __init__(self, name, postfix, dovecot):
        self.name = name
        self.address = f"{name}@{PEOPLE}"
        self.postfix = postfix
        self.dovecot = dovecot

    def letters(self):
        """Return all letters of the mailbox, the oldest first."""
        client = self.dovecot.client(self.address)
        try:
            status, _ = client.select(readonly=True)
            if status != "OK":
                return []  # nothing has come yet, so the mailbox is not there
            _, (numbers,) = client.search(None, "ALL")
            if not numbers:
                return []
            _, parts = client.fetch(numbers.decode().replace(" ", ","), "(BODY.PEEK[])")
            raws = [part[1] for part in parts if isinstance(part, tuple)]
        finally:
            with suppress(OSError):
                client.logout()
        return [email.message_from_bytes(raw, policy=email.policy.default) for raw in raws]

    def wait_for(self, wanted, what):
        """Return the first letter that is wanted."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            for letter in self.letters():
                if wanted(letter):
                    return letter
            time.sleep(_LOOK)
        told = [f"{one['Subject']}: {text_of(one)[:600]}" for one in self.letters()]
        said = self.postfix.said()[-2_000:]
        raise AssertionError(f"{self.name} waits in vain for {what}; there are {told}\n{said}")

    def wait_for_answer(self, message_id):
        """Return the letter that answers a mail."""
        return self.wait_for(lambda one: message_id in str(one["In-Reply-To"]), "an answer")

    def wait_for_turn(self, number, ply):
        """Return the letter by which the site calls to a move."""

        def calls(letter):
            turn = re.search(rf"^Turn: move {ply + 1}[;,]", text_of(letter), re.MULTILINE)
            is_board = re.search(rf" Board {number} {self.name}$", letter["Subject"])
            return bool(turn and is_board)

        return self.wait_for(calls, f"a call to move {ply + 1} of board {number}")

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

    def reply(self, letter, body):
        """Answer a letter as mail programs do: to Reply-To, with its subject, quoting it."""
        quoted = "\\n".join(f"> {line}" for line in text_of(letter).splitlines())
        before = str(letter["Message-ID"])
        return self.write(
            str(letter["Reply-To"]).rpartition("<")[2].rstrip(">"),
            f"Re: {letter['Subject']}",
            f"{body}\\n\\nOn {letter['Date']}, the site wrote:\\n{quoted}\\n",
            [("In-Reply-To", before), ("References", f"{letter.get('References', '')} {before}")],
        )
