"""Rate limits on mail of unknown senders, by sender, by domain and for all together.

Mails whose sender the host's mail server has verified are counted separately, so that forged mails
cannot use up the limits of a sender or a domain.
"""

from __future__ import annotations

from antipodes.mail.incoming import Mail, MailVerdict
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

_SHORT = 3  # letters of a label such as "co" in example.co.uk


def is_verified(mail: Mail) -> bool:
    """Return whether the host's mail server has verified the sender of a mail."""
    return mail.verdict is MailVerdict.PASS


def take_for_sender(limit: RateLimit, mail: Mail) -> None:
    """Count one use of a rate limit for the sender of a mail.

    Raises:
        TooManyError: the limit is reached.
    """
    take(limit, f"{mail.verdict} {mail.sender.lower()}")


def take_for_domain(limit: RateLimit, mail: Mail) -> None:
    """Count one use of a rate limit for the domain of a mail's sender.

    Raises:
        TooManyError: the limit is reached.
    """
    take(limit, f"{mail.verdict} {registered_domain(mail.sender)}")


def take_for_all(limit: RateLimit, mail: Mail) -> None:
    """Count one use of a rate limit shared by all mails with the same verification result.

    Raises:
        TooManyError: the limit is reached.
    """
    take(limit, str(mail.verdict))


def registered_domain(address: str) -> str:
    """Return the registered domain of an address, without subdomains that its owner can invent.

    That is the last two labels, or three if the second last is short, such as in ``example.co.uk``.
    """
    labels = address.rpartition("@")[2].lower().rstrip(".").split(".")
    count = 3 if len(labels) > 2 and len(labels[-2]) <= _SHORT else 2
    return ".".join(labels[-count:])
