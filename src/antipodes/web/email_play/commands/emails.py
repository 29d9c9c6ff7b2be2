"""E-mails that commands send to users other than the sender of the command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from antipodes.mail.incoming import Mail
from antipodes.mail.layout.text import broken
from antipodes.web.accounts.models import User
from antipodes.web.email_play.commands.confirmations import confirmation_address
from antipodes.web.email_play.context import EmailContent, build_email
from antipodes.web.email_play.models import ConfirmationRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.notifications.emails import address_of
from antipodes.web.notifications.kinds import Frequency
from antipodes.web.notifications.outbox import enqueue
from antipodes.web.notifications.preferences import preference_of


def send(
    to: str,
    user: User | None,
    content: EmailContent,
    *,
    key: str,
    confirmation: ConfirmationRow | None = None,
    about: MatchRow | None = None,
    mail: Mail | None = None,
) -> bool:
    """Put an e-mail into the outbox; return whether it is new.

    Args:
        to: the recipient's address.
        user: the recipient's account, if there is one.
        content: subject and text.
        key: unique among all e-mails: of two with the same key one is sent.
        confirmation: the question that replies answer; without one, replies are commands.
        about: the match that it is about.
        mail: the mail that it answers.
    """
    draft = build_email(content, key=key, to=to, user=user, about=about, mail=mail)
    address = "" if confirmation is None else confirmation_address(confirmation)
    if address:
        headers: Mapping[str, str] = {**draft.headers, "Reply-To": address}
        draft = replace(draft, headers=headers)
    return enqueue(draft) is not None


def reachable_address(user: User) -> str | None:
    """Return the address to which other users may have e-mail sent; ``None`` if there is none.

    A user who has stopped all e-mail gets none from other users either.
    """
    if user.is_guest or user.is_computer:
        return None
    if preference_of(user).frequency == Frequency.NEVER:
        return None
    return address_of(user)


def paragraphs(*blocks: str | Iterable[str]) -> str:
    """Join blocks of lines into one text, with a blank line between them; break long lines."""
    texts = (block if isinstance(block, str) else broken("\n".join(block)) for block in blocks)
    return "\n\n".join(text.rstrip("\n") for text in texts if text) + "\n"
