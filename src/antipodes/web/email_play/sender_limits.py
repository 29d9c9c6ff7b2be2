"""Senders of mails as rate limits know them: unknown ones, their domains, and what is proved.

A mail whose sender the host's own mail server has verified is counted apart from others. So nobody
can use up the limits of a sender or a domain by forging it.
"""

from __future__ import annotations

from antipodes.mail.incoming import Mail, Verdict
from antipodes.web.platform.limits import RateLimit, rate_limit, take

OF_A_SENDER = rate_limit(
    "mail-of-sender", "10/minute;30/day", per="sender", what="mails of an unknown sender"
)
OF_A_DOMAIN = rate_limit(
    "mail-of-domain",
    "60/hour;300/day",
    per="domain",
    what="mails of unknown senders of a domain",
)
OF_STRANGERS = rate_limit(
    "mail-of-strangers", "2000/hour", per="site", what="mails of all unknown senders"
)

_SHORT = 3  # letters of a part such as "co" in example.co.uk


def is_verified(mail: Mail) -> bool:
    """Return whether the host's own mail server says that a mail is from its sender."""
    return mail.verdict is Verdict.PASS


def take_for_sender(limit: RateLimit, mail: Mail) -> None:
    """Count one use of a rate limit for the sender of a mail.

    Raises:
        TooManyError: it was done too often.
    """
    take(limit, f"{mail.verdict} {mail.sender.lower()}")


def take_for_domain(limit: RateLimit, mail: Mail) -> None:
    """Count one use of a rate limit for the domain of a mail's sender.

    Raises:
        TooManyError: it was done too often.
    """
    take(limit, f"{mail.verdict} {registered_domain(mail.sender)}")


def take_for_all(limit: RateLimit, mail: Mail) -> None:
    """Count one use of a rate limit for all mails that are verified as this one is.

    Raises:
        TooManyError: it was done too often.
    """
    take(limit, str(mail.verdict))


def registered_domain(address: str) -> str:
    """Return the domain under which an address stands, without names that its owner can invent.

    These are the last two parts, or three where the one before the last is short, such as in
    ``example.co.uk``.
    """
    parts = address.rpartition("@")[2].lower().rstrip(".").split(".")
    count = 3 if len(parts) > 2 and len(parts[-2]) <= _SHORT else 2
    return ".".join(parts[-count:])
