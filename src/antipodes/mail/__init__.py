"""Play by e-mail: parser of mails and commands, formatter of answers.

The package parses bytes to a mail and a mail to requests, and formats the results as text, in
``antipodes.mail.layout``. It reads no clock, knows no accounts, and sends nothing; that is the
part of the site.
"""

from antipodes.mail.commands import OFF_WORDS
from antipodes.mail.incoming import Mail, MailVerdict, read_mail
from antipodes.mail.requests import (
    COMMANDS,
    CommandInfo,
    Proof,
    Reading,
    Request,
    Verb,
    read_board,
    read_requests,
    write_request,
)

__all__ = [
    "COMMANDS",
    "OFF_WORDS",
    "CommandInfo",
    "Mail",
    "MailVerdict",
    "Proof",
    "Reading",
    "Request",
    "Verb",
    "read_board",
    "read_mail",
    "read_requests",
    "write_request",
]
