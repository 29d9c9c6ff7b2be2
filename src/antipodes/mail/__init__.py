"""Play by e-mail: mails read and understood, answers laid out.

Bytes become a mail, a mail becomes requests, and what came of them becomes text. Nothing here reads
a clock, knows who somebody is, or sends anything; the site's mailroom does. How answers look is in
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
