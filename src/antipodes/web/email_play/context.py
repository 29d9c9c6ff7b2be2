"""The context of one command in a mail.

`commands.handlers` names the handler of each command, such as::

    def history(context: CommandContext) -> None:
        context.reply("Re: history", write_history(...))

A handler changes the database through the site's services and replies at least once. It refuses a
command by raising an `InputError`: its changes and e-mails are then rolled back, and the sender
gets the reason. Each handler runs in a savepoint of the one transaction that processes a mail.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from antipodes.errors import InputError
from antipodes.mail.incoming import Mail
from antipodes.mail.quoting import shown_ply
from antipodes.mail.requests import Request
from antipodes.web.accounts.masking import SecretKind, masked, told
from antipodes.web.accounts.models import User
from antipodes.web.email_play.reply_addresses import command_address, reply_address
from antipodes.web.matches.models import MatchRow
from antipodes.web.notifications.email_message import Attachment, EmailMessage
from antipodes.web.notifications.emails import address_of, headers_of
from antipodes.web.notifications.models import EmailRow
from antipodes.web.notifications.outbox import enqueue


@dataclass(kw_only=True)
class CommandContext:
    """A command that is being handled.

    Attributes:
        mail: the mail that contains the command.
        request: the command.
        key: identifies this command, the same in each attempt to process the mail.
        user: the authenticated user of this command; ``None`` if there is no authentication.
        reader: the account that gets the replies, if known. A reply address authenticates for its
            board only, but says for every command who reads the replies.
        row: the match of ``request.board``, which the user may watch; ``None`` without a board.
        original: text of the mail that a reply may quote.
        touched: slugs of the matches that this mail has changed, not committed yet.
        written: number of e-mails written so far.
    """

    mail: Mail
    request: Request
    key: str
    user: User | None = None
    reader: User | None = None
    row: MatchRow | None = None
    original: str = ""
    touched: set[str] = field(default_factory=set)
    written: int = 0
    _masked: frozenset[SecretKind] = frozenset()

    @property
    def comment(self) -> str:
        """The text for the other players that goes with the command."""
        return self.request.text

    def passed_on(self, text: str) -> str:
        """Return a text of the sender as others may read it; `masking_news` tells the sender."""
        [one] = masked(self.user, [text], {self.mail.sender, self.mail.envelope or ""})
        self._masked |= one.kinds
        return one.text

    def masking_news(self) -> list[str]:
        """Return what a reply has to say about secrets that were masked."""
        return [told(self._masked)] if self._masked else []

    def seen_ply(self) -> int | None:
        """Return after how many moves the sender saw the board; ``None`` if that is unknown.

        The e-mail that this mail answers says it, or else a quote in this mail.
        """
        if self.row is None or self.user is None:
            return None
        answered = self.mail.in_reply_to or "".join(self.mail.references[-1:])
        texts = [self.mail.text]
        if answered:
            rows = EmailRow.objects.filter(user=self.user, message_id=answered)
            texts = [*rows.values_list("text", flat=True)[:1], *texts]
        plies = (shown_ply(text, self.row.pk) for text in texts)
        return next((ply for ply in plies if ply is not None), None)

    def require_user(self) -> User:
        """Return the authenticated user.

        Raises:
            InputError: there is none.
        """
        if self.user is None:
            raise InputError.single(
                "mail/no-proof",
                "this needs proof of who you are: a mail token from the page of your account, or a"
                " reply to a mail about the board",
            )
        return self.user

    def require_match(self) -> MatchRow:
        """Return the match that the command names.

        Raises:
            InputError: it names none.
        """
        if self.row is None:
            raise InputError.single("mail/no-number", "say which board you mean, by its number")
        return self.row

    def reply(
        self,
        subject: str,
        text: str,
        html: str = "",
        attachments: Sequence[Attachment] = (),
        about: MatchRow | None = None,
        reply_to: str = "",
    ) -> None:
        """Reply to the sender of the mail.

        Replies to a known user go to a confirmed address of the account, so that only its owner
        sees what the account does. Nothing is sent if there is no address.

        Args:
            subject: subject.
            text: the plain text.
            html: the same as HTML, with pictures.
            attachments: those pictures.
            about: the match of the reply. The reply joins the thread of that match, and a player's
                replies to it go to the personal address.
            reply_to: the address for replies, if it is another one.
        """
        to = reply_recipient(self.reader, self.mail)
        if to:
            content = EmailContent(
                subject=subject, text=text, html=html, attachments=tuple(attachments)
            )
            self._enqueue(to, self.reader, content, about, reply_to)

    def send_to(
        self,
        user: User,
        subject: str,
        text: str,
        html: str = "",
        attachments: Sequence[Attachment] = (),
        about: MatchRow | None = None,
    ) -> None:
        """E-mail another user who has a confirmed address."""
        content = EmailContent(
            subject=subject, text=text, html=html, attachments=tuple(attachments)
        )
        to = address_of(user)
        if to is not None:
            self._enqueue(to, user, content, about)

    def _enqueue(
        self,
        to: str,
        user: User | None,
        content: EmailContent,
        about: MatchRow | None,
        reply_to: str = "",
    ) -> None:
        mail = self.mail if user == self.reader else None
        key = f"mail {self.key} {self.written}"
        self.written += 1
        email = build_email(content, key=key, to=to, user=user, about=about, mail=mail)
        if reply_to:
            email = replace(email, headers={**email.headers, "Reply-To": reply_to})
        enqueue(email)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailContent:
    """Subject and body of an e-mail."""

    subject: str
    text: str
    html: str = ""
    attachments: tuple[Attachment, ...] = ()


def build_email(
    content: EmailContent,
    *,
    key: str,
    to: str,
    user: User | None = None,
    about: MatchRow | None = None,
    mail: Mail | None = None,
) -> EmailMessage:
    """Return an e-mail for the outbox.

    Args:
        content: subject and body.
        key: identifies it among all e-mails.
        to: the address.
        user: the account with that address, if known.
        about: the match that it is about.
        mail: the mail that it answers.
    """
    thread = f"match {about.slug}" if about is not None and user is not None else ""
    message_id, headers = headers_of(
        user,
        key,
        thread=thread,
        answered=None if mail is None else mail.message_id,
        known=() if mail is None else mail.references,
    )
    headers["Reply-To"] = _reply_to(user, about)
    return EmailMessage(
        key=key,
        to=to,
        user=user,
        subject=content.subject,
        text=content.text,
        html=content.html,
        attachments=content.attachments,
        message_id=message_id,
        thread=thread,
        headers={name: value for name, value in headers.items() if value},
    )


def _reply_to(user: User | None, about: MatchRow | None) -> str:
    """Return the address for replies: a player's personal one, else the one for commands."""
    if user is not None and about is not None and about.seats.filter(user=user).exists():
        return reply_address(user, about)
    return command_address()


def reply_recipient(reader: User | None, mail: Mail) -> str:
    """Return the address for replies to a mail; empty if there is none."""
    if reader is None or is_confirmed(reader, mail.sender):
        return mail.sender
    return address_of(reader) or mail.sender


def is_confirmed(user: User, address: str) -> bool:
    from allauth.account.models import EmailAddress

    rows = EmailAddress.objects.filter(user=user, verified=True, email__iexact=address)
    return bool(address) and rows.exists()


def request_key(mail_key: str, index: int) -> str:
    """Return the key of one command of a mail, the same in each attempt to process it."""
    return hashlib.sha256(f"{mail_key} {index}".encode()).hexdigest()[:40]


Handler = Callable[[CommandContext], None]
