"""``antipodes mail``: deliver mail to a site, and read and send mail on this machine."""

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

# Exit codes that tell a mail server the reason of a refusal, by SMTP code.
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
        refusal = _deliver(recipients, sender)
    except Exception as error:  # noqa: BLE001 - the server keeps the mail, whatever the error
        reason = str(error) if isinstance(error, AntipodesError) else type(error).__name__
        click.echo(f"antipodes: error: the mail cannot be received now: {reason}", err=True)
        context.exit(exits.TRY_LATER)
    if refusal:
        click.echo(f"antipodes: error: the mail is refused: {refusal}", err=True)
        context.exit(_CODES.get(refusal[:3], exits.REFUSED))


def _deliver(recipients: Sequence[str], sender: str | None) -> str:
    need_site()
    from antipodes.web.server import serve

    serve.load()
    from antipodes.web.email_play.inbound.intake import MAX_BYTES, accept, envelope_of

    raw = sys.stdin.buffer.read(MAX_BYTES + 1)
    while sys.stdin.buffer.read(MAX_BYTES):
        pass  # the mail server would report a closed pipe as an error
    return_path, listed = envelope_of(raw)
    return accept(
        raw,
        sender=return_path if sender is None else sender.strip("<>"),
        recipients=recipients or listed,
        via="pipe",
    )


@mail_command.command("listen")
@env_file_option
def listen_command() -> None:
    """Receive mail in a process of its own.

    `antipodes serve` and `antipodes work` receive mail by themselves; this is for a machine that
    does nothing else. MAIL_LMTP, MAIL_SMTP and MAIL_IMAP select the transports.
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
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    runner = TransportRunner(transports)
    runner.start()
    for transport in transports:
        click.echo(f"Mail is received by {transport}.  (Ctrl-C ends it)")
    stopping.wait()
    runner.stop()


@mail_command.command("send")
@env_file_option
@click.option(
    "--from", "sender", metavar="ADDRESS", help="Sender; by default the only address that has mail."
)
@click.option("--to", default="", metavar="ADDRESS", help="Recipient; by default the site.")
@click.option("--subject", default="", help="Subject, which may be a command.")
@click.option(
    "--reply",
    type=click.IntRange(min=1),
    metavar="N",
    help="Reply to mail N of that address, with its subject, quoting it.",
)
@click.argument("body", required=False)
def send_command(
    sender: str | None, to: str, subject: str, reply: int | None, body: str | None
) -> None:
    """Send a mail to the site on this machine, as a mail program would.

    BODY is its text; - reads that from standard input.
    """
    mail_folder = _mail_folder()
    address = sender or _only_address()
    to = mail_folder.send(
        sender=address,
        to=to,
        subject=subject,
        body=sys.stdin.read() if body == "-" else (body or ""),
        reply=None if reply is None else mail_folder.message_of(address, reply),
    )
    click.echo(f"Sent to {to}. To read the reply: antipodes mail read {address}")


@mail_command.command("read")
@env_file_option
@click.argument("address", required=False)
@click.argument("number", required=False, type=click.IntRange(min=1), metavar="[N]")
@click.option("--raw", is_flag=True, help="Show the mail as it was sent, with all headers.")
def read_command(address: str | None, number: int | None, *, raw: bool) -> None:
    """Read mail that stays on this machine.

    Without ADDRESS, list all addresses that have mail; with ADDRESS, list its mails; with N, show
    one. ADDRESS may be postmaster, whose mail every site keeps.
    """
    mail_folder = _mail_folder(needs_folder=address != "postmaster")
    if address is None:
        _list_addresses(mail_folder.mailboxes())
    elif number is None:
        _list_mails(address, mail_folder.messages_of(address))
    else:
        mail = mail_folder.message_of(address, number)
        mail_folder.mark_read(mail)
        _show(mail, raw=raw)


def _mail_folder(*, needs_folder: bool = True) -> Any:
    """Return the module that reads and sends mail on this machine.

    Raises:
        InvalidOptionsError: the site sends its mail to a mail server.
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
        UsageError: there are several, or none.
    """
    from antipodes.web.email_play.inbound.maildir import addresses

    known_addresses = addresses()
    if len(known_addresses) == 1:
        return known_addresses[0]
    known = f": {', '.join(known_addresses)}" if known_addresses else ""
    raise click.UsageError(f"Choose the sender with --from{known}.")


def _list_addresses(boxes: Sequence[tuple[str, int, int]]) -> None:
    if not boxes:
        click.echo("There is no mail yet. Create an account on the site, or send a mail.")
    for address, count, unread in boxes:
        click.echo(f"{address}: {count} mails, {unread} unread")


def _list_mails(address: str, mails: Sequence[Any]) -> None:
    if not mails:
        click.echo(f"{address} has no mail yet.")
    for mail in mails:
        mark = "*" if mail.is_new else " "
        click.echo(f"{mail.number:4} {mark} {mail.subject}")


def _show(mail: Any, *, raw: bool) -> None:
    if raw:
        click.echo(mail.path.read_bytes().decode("utf-8", "replace"))
        return
    for name in ("From", "To", "Reply-To", "Date", "Subject"):
        if value := " ".join(str(mail.message.get(name, "")).split()):
            click.echo(f"{name}: {value}")
    click.echo()
    click.echo(mail.text)
