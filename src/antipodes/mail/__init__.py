"""Play by e-mail: parser of mails and commands, layout of answers.

Bytes become a mail, a mail becomes requests, and their results become text. Nothing here reads a
clock, knows accounts, or sends anything; the site does. The layout of answers is in
``antipodes.mail.layout``.
"""

from antipodes.mail.incoming import Mail, Verdict, read_mail
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
    "CommandInfo",
    "Mail",
    "Proof",
    "Reading",
    "Request",
    "Verb",
    "Verdict",
    "read_board",
    "read_mail",
    "read_requests",
    "write_request",
]
