"""Private messages that reveal no addresses, and broadcasts by moderators."""

from __future__ import annotations

from django.urls import reverse

from antipodes.clocks import DAY
from antipodes.errors import InputError
from antipodes.mail.layout import comment_lines, write_news
from antipodes.notation.text import shorten
from antipodes.records.texts import trimmed
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import find_players
from antipodes.web.email_play.commands.emails import (
    create_confirmation,
    paragraphs,
    reachable_address,
    send,
    subject,
)
from antipodes.web.email_play.context import CommandContext, EmailContent
from antipodes.web.email_play.models import ConfirmationRow, MailPlayRow
from antipodes.web.moderation.audit import record
from antipodes.web.moderation.services import PERMISSION
from antipodes.web.notifications.emails import absolute_url
from antipodes.web.platform.limits import rate_limit, take
from antipodes.web.relations.services import is_blocked

MAX_RECIPIENTS = 5
MAX_LENGTH = 4_000  # characters

_MESSAGES = rate_limit(
    "mail-messages", "10/hour;30/day", per="user", what="messages to other players by mail"
)
_BROADCASTS = rate_limit(
    "mail-broadcasts", "3/day", per="moderator", what="messages to all players by mail"
)
_ANSWERABLE = 60 * DAY


def message(context: CommandContext) -> None:
    """Forward a message to other players."""
    user = context.require_user()
    names = list(dict.fromkeys(word.lower().strip(",") for word in context.request.words))
    if not names:
        raise InputError.single("mail/no-player", "to whom? write: message YOU TOKEN TO ...")
    if len(names) > MAX_RECIPIENTS:
        error = f"a message can have at most {MAX_RECIPIENTS} recipients, not {len(names)}"
        raise InputError.single("mail/too-many-people", error)
    recipients, unknown = find_players(names)
    if unknown:
        error = f"there is no user {shorten(unknown[0])}"
        raise InputError.single("mail/unknown-user", error)
    text = _text_of(context)
    for recipient in recipients:
        forward(context, user, recipient, text)
    _acknowledge(context, recipients)


def answer(context: CommandContext, confirmation: ConfirmationRow) -> None:
    """Forward a reply to a message to its writer; a message can be answered several times."""
    user, writer = confirmation.user, confirmation.reply_to
    if user is None or writer is None or not writer.is_active:
        raise InputError.single("mail/answered", "the account that wrote this no longer exists")
    forward(context, user, writer, _text_of(context))
    _acknowledge(context, [writer])


def _acknowledge(context: CommandContext, recipients: list[User]) -> None:
    names = ", ".join(recipient.name for recipient in recipients)
    news = [f"Your message was sent to {names}.", *context.masking_news()]
    context.reply(subject("your message"), write_news(news))


def _text_of(context: CommandContext) -> str:
    text = trimmed(context.passed_on(context.comment or context.mail.own_text))
    if not 0 < len(text) <= MAX_LENGTH:
        error = (
            f"a message has 1 to {MAX_LENGTH} characters in the body of the mail, not {len(text)}"
        )
        raise InputError.single("mail/text", error)
    return text


def forward(context: CommandContext, user: User, recipient: User, text: str) -> None:
    """E-mail a user's message to a recipient, who can reply to it.

    Raises:
        InputError: the recipient gets nothing from this user. The error does not say why: a block
            and a missing address are private.
        TooManyError: the user has sent too many messages.
    """
    take(_MESSAGES, str(user.pk))
    to = reachable_address(recipient)
    if to is None or user == recipient or is_blocked(user, recipient):
        error = f"messages from you cannot be delivered to {recipient.name}"
        raise InputError.single("mail/not-passed-on", error)
    confirmation = create_confirmation(
        ConfirmationRow.Kind.MESSAGE, lifetime=_ANSWERABLE, user=recipient, reply_to=user
    )
    profile = absolute_url(reverse("profile", args=[user.username]))
    content = EmailContent(
        subject=subject(f"a message from {user.name}"),
        text=paragraphs(
            write_news([f"{user.name} has sent you a message without seeing your address."]),
            [
                f"Reply to this mail, and your answer is sent to {user.name}.",
                f"To get no more messages from this player, block them: {profile}",
            ],
            comment_lines(user.name, text),
        ),
    )
    key = f"message {context.key} {recipient.pk}"
    send(to, recipient, content, key=key, confirmation=confirmation)


def broadcast(context: CommandContext) -> None:
    """E-mail everyone who plays by e-mail; for moderators only, and audited."""
    user = context.require_user()
    if not user.has_perm(PERMISSION):
        raise InputError.single("mail/moderators-only", "only moderators can broadcast")
    text = _text_of(context)
    take(_BROADCASTS, str(user.pk))
    recipients = User.objects.filter(
        by_mail__in=MailPlayRow.objects.filter(is_on=True), is_active=True
    )
    content = EmailContent(
        subject=subject("news from the moderators"),
        text=paragraphs(
            write_news(["A moderator writes to everyone who plays by mail here."]),
            comment_lines(user.name, text),
        ),
    )
    count = 0
    for recipient in recipients.exclude(pk=user.pk).iterator():
        to = reachable_address(recipient)
        if to is not None:
            count += send(to, recipient, content, key=f"broadcast {context.key} {recipient.pk}")
    record(user, "broadcast", what=f"{count} mails", reason=text)
    context.reply(
        subject("your broadcast"),
        write_news([f"Sent to {count} players.", *context.masking_news()]),
    )
