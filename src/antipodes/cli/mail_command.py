"""``antipodes mail``: mail for a site, from a mail server, and by hand on this machine."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Sequence
from typing import Any

import click

from antipodes.cli import exits
from antipodes.cli.site_commands import (
    env_file_option,
    named_env_file,
    need_site,
    read_settings,
)
from antipodes.errors import AntipodesError, Fault, InvalidOptionsError

# The exit code that tells a mail server why mail is refused, by the code of SMTP.
_CODES = {"550": exits.NO_SUCH_ADDRESS, "552": exits.BAD_MAIL}


@click.group("mail")
def mail_command() -> None:
    """Receive mail for the site, or read and send mail on this machine."""


@mail_command.command("deliver")
@click.option(
    "--recipient",
    "recipients",
    multiple=True,
    metavar="ADDRESS",
    help="Recipient; may be given several times. By default those of the headers.",
)
@click.option("--sender", metavar="ADDRESS", help="Sender of the envelope; empty for bounces.")
@named_env_file
@click.pass_context
def deliver_command(
    context: click.Context, recipients: Sequence[str], sender: str | None, env_file: str | None
) -> None:
    """Receive one mail from standard input, for mail servers that deliver to programs.

    The exit code is one of sysexits.h: 0 where the mail is stored; 75 where the server must keep it
    and try again; any other where it is refused for good.
    """
    try:
        read_settings(env_file)
        refusal = _delivered(recipients, sender)
    except Exception as error:  # noqa: BLE001 - whatever is wrong here, no mail may be lost by it
        reason = str(error) if isinstance(error, AntipodesError) else type(error).__name__
        click.echo(f"antipodes: error: the mail cannot be received now: {reason}", err=True)
        context.exit(exits.TRY_LATER)
    if refusal:
        click.echo(f"antipodes: error: the mail is refused: {refusal}", err=True)
        context.exit(_CODES.get(refusal[:3], exits.REFUSED))


def _delivered(recipients: Sequence[str], sender: str | None) -> str:
    need_site()
    from antipodes.web.server import serve

    serve.load()
    from antipodes.web.email_play.inbound.envelopes import envelope_of
    from antipodes.web.email_play.inbound.intake import MAX_BYTES, accept

    raw = sys.stdin.buffer.read(MAX_BYTES + 1)
    while sys.stdin.buffer.read(MAX_BYTES):
        pass  # the mail server must not find the pipe closed
    noted, written = envelope_of(raw)
    return accept(
        raw,
        sender=noted if sender is None else sender.strip("<>"),
        recipients=recipients or written,
        via="pipe",
    )


@mail_command.command("listen")
@env_file_option
def listen_command() -> None:
    """Receive mail in a process of its own.

    `antipodes serve` and `antipodes work` receive mail by themselves; this is for a machine that
    does nothing else. MAIL_LMTP, MAIL_SMTP and MAIL_IMAP say how it comes in.
    """
    need_site(begins=True)
    from antipodes.web.server import serve

    serve.prepare()
    from antipodes.web.email_play.inbound.runner import TransportRunner, configured_transports

    transports = configured_transports()
    if not transports:
        message = (
            "there is no way to receive mail: set MAIL_LMTP, MAIL_SMTP or MAIL_IMAP, and MAIL_HOST"
        )
        raise InvalidOptionsError([Fault("serve/settings", message)])
    for transport in transports:
        transport.check()
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    runner = TransportRunner(transports)
    runner.start()
    for transport in transports:
        click.echo(f"Mail is received by {transport}.  (Ctrl-C ends it)")
    ended.wait()
    runner.stop()


@mail_command.command("send")
@env_file_option
@click.option("--from", "sender", metavar="ADDRESS", help="Whose mail it is.")
@click.option("--to", default="", metavar="ADDRESS", help="Recipient; the site if you do not say.")
@click.option("--subject", default="", help="Subject, which may be a command.")
@click.option(
    "--reply",
    type=click.IntRange(min=1),
    metavar="N",
    help="Answer letter N of that address, with its subject, quoting it.",
)
@click.argument("body", required=False)
def send_command(
    sender: str | None, to: str, subject: str, reply: int | None, body: str | None
) -> None:
    """Send a mail to the site on this machine, as a mail program would.

    BODY is its text; - reads that from standard input.
    """
    mail_folder = _mail_folder()
    whose = sender or _only_address()
    to = mail_folder.send(
        sender=whose,
        to=to,
        subject=subject,
        body=sys.stdin.read() if body == "-" else (body or ""),
        reply=None if reply is None else mail_folder.message_of(whose, reply),
    )
    click.echo(f"Sent to {to}. Answers come to: antipodes mail read {whose}")


@mail_command.command("read")
@env_file_option
@click.argument("address", required=False)
@click.argument("number", required=False, type=click.IntRange(min=1), metavar="[N]")
@click.option("--raw", is_flag=True, help="Show the letter as it was sent, headers and all.")
def read_command(address: str | None, number: int | None, *, raw: bool) -> None:
    """Read mail that stays on this machine.

    Without ADDRESS all addresses are listed, with it their letters; N shows one. Mail for
    postmaster is kept for any site, and read by that name.
    """
    mail_folder = _mail_folder(needs_folder=address != "postmaster")
    if address is None:
        _list_addresses(mail_folder.mailboxes())
    elif number is None:
        _list_letters(address, mail_folder.messages_of(address))
    else:
        letter = mail_folder.message_of(address, number)
        mail_folder.mark_read(letter)
        _show(letter, raw=raw)


def _mail_folder(*, needs_folder: bool = True) -> Any:
    """Return the module of the mail program.

    Raises:
        InvalidOptionsError: mail does not stay on this machine.
    """
    need_site(begins=True)
    from antipodes.web.server import serve

    serve.load()
    from antipodes.web.email_play.inbound import mail_folder

    if needs_folder and not mail_folder.is_available():
        message = (
            "mail of this site does not stay on this machine, because EMAIL_URL or ALLOWED_HOSTS"
            " is set; read it in your mail program"
        )
        raise InvalidOptionsError([Fault("serve/settings", message)])
    return mail_folder


def _only_address() -> str:
    """Return the only address that has mail.

    Raises:
        UsageError: there are several or none.
    """
    from antipodes.web.email_play.inbound.maildir import addresses

    found = addresses()
    if len(found) == 1:
        return found[0]
    known = f"; there are {', '.join(found)}" if found else ""
    raise click.UsageError(f"Say whose mail it is, with --from{known}.")


def _list_addresses(boxes: Sequence[tuple[str, int, int]]) -> None:
    if not boxes:
        click.echo("There is no mail yet. Make an account on the site, or send some mail.")
    for address, count, unread in boxes:
        click.echo(f"{address}: {count} mails, {unread} unread")


def _list_letters(address: str, letters: Sequence[Any]) -> None:
    if not letters:
        click.echo(f"{address} has no mail yet.")
    for letter in letters:
        mark = "*" if letter.is_new else " "
        click.echo(f"{letter.number:4} {mark} {letter.subject}")


def _show(letter: Any, *, raw: bool) -> None:
    if raw:
        click.echo(letter.path.read_bytes().decode("utf-8", "replace"))
        return
    for name in ("From", "To", "Reply-To", "Date", "Subject"):
        if value := " ".join(str(letter.message.get(name, "")).split()):
            click.echo(f"{name}: {value}")
    click.echo()
    click.echo(letter.text)
