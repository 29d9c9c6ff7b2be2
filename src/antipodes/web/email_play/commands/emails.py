"""Letters of the desk that are no answers: to people who were not the ones to write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from antipodes.mail.incoming import Mail
from antipodes.web.accounts.models import User
from antipodes.web.email_play.commands.confirmations import slip_address
from antipodes.web.email_play.context import EmailContent, build_email
from antipodes.web.email_play.models import ConfirmationRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.notifications.emails import address_of
from antipodes.web.notifications.kinds import Frequency
from antipodes.web.notifications.outbox import enqueue
from antipodes.web.notifications.preferences import preference_of


def write(
    to: str,
    user: User | None,
    letter: EmailContent,
    *,
    key: str,
    slip: ConfirmationRow | None = None,
    about: MatchRow | None = None,
    mail: Mail | None = None,
) -> bool:
    """Put a letter into the outbox; return whether it is new.

    Args:
        to: the address.
        user: whose it is, if it is somebody's.
        letter: what it says.
        key: names it among all letters: what is written twice is sent once.
        slip: what a reply to it answers; without one replies go to where commands go.
        about: the match that it is about.
        mail: what it answers.
    """
    draft = build_email(letter, key=key, to=to, user=user, about=about, mail=mail)
    address = "" if slip is None else slip_address(slip)
    if address:
        headers: Mapping[str, str] = {**draft.headers, "Reply-To": address}
        draft = replace(draft, headers=headers)
    return enqueue(draft) is not None


def reachable(user: User) -> str | None:
    """Return the address to which others may have letters sent; ``None`` if there is none.

    Whoever wants no mail at all gets none from others either.
    """
    if user.is_guest or user.is_computer:
        return None
    if preference_of(user).frequency == Frequency.NEVER:
        return None
    return address_of(user)


def paragraphs(*blocks: str | Iterable[str]) -> str:
    """Join blocks of lines with a blank line between them, as one text."""
    lines = (block if isinstance(block, str) else "\n".join(block) for block in blocks)
    return "\n\n".join(line.rstrip("\n") for line in lines if line) + "\n"
