"""Letters from person to person, without anybody's address in them, and news from moderators."""

from __future__ import annotations

from django.urls import reverse

from antipodes.errors import InputError
from antipodes.mail.layout import said, write_news
from antipodes.mail.requests import Verb
from antipodes.notation.text import shorten
from antipodes.web.accounts.models import User
from antipodes.web.accounts.restrictions import check_may_chat
from antipodes.web.accounts.services import find_players
from antipodes.web.email_play.commands.confirmations import DAY, make_slip
from antipodes.web.email_play.commands.emails import paragraphs, reachable, write
from antipodes.web.email_play.commands.lines import subject
from antipodes.web.email_play.context import CommandContext, EmailContent, handles
from antipodes.web.email_play.models import ConfirmationRow, MailPlayRow
from antipodes.web.moderation.audit import write_down
from antipodes.web.moderation.services import MAY
from antipodes.web.notifications.emails import absolute_url
from antipodes.web.platform.limits import rate_limit, take
from antipodes.web.relations.services import is_blocked

MOST_RECIPIENTS = 5
LONGEST = 4_000  # characters

_MESSAGES = rate_limit(
    "mail-messages", "10/hour;30/day", per="user", what="messages to other players by mail"
)
_BROADCASTS = rate_limit(
    "mail-broadcasts", "3/day", per="moderator", what="messages to all players by mail"
)
_ANSWERED_FOR = 60 * DAY


@handles(Verb.MESSAGE)
def message(context: CommandContext) -> None:
    """Pass a letter on to some people."""
    user = context.require_user()
    names = list(dict.fromkeys(word.lower().strip(",") for word in context.request.words))
    if not names:
        raise InputError.single("mail/nobody", "to whom? write: message YOU TOKEN TO ...")
    if len(names) > MOST_RECIPIENTS:
        told = f"a message goes to {MOST_RECIPIENTS} people at most, not to {len(names)}"
        raise InputError.single("mail/too-many-people", told)
    people, unknown = find_players(names)
    if unknown:
        raise InputError.single("mail/unknown-user", f"nobody here is called {shorten(unknown[0])}")
    text = _text_of(context)
    check_may_chat(user)
    for one in people:
        pass_on(context, user, one, text)
    _answer(context, people)


def answer(context: CommandContext, slip: ConfirmationRow) -> None:
    """Pass a reply to a message on to whoever wrote it.

    A slip of this kind can be answered again and again, as letters are.
    """
    user, whom = slip.user, slip.reply_to
    if user is None or whom is None or not whom.is_active:
        raise InputError.single("mail/answered", "whoever wrote this is gone")
    check_may_chat(user)
    pass_on(context, user, whom, _text_of(context))
    _answer(context, [whom])


def _answer(context: CommandContext, people: list[User]) -> None:
    names = ", ".join(one.name for one in people)
    context.reply(subject("your message"), write_news([f"Your message is on its way to {names}."]))


def _text_of(context: CommandContext) -> str:
    text = (context.comment or context.mail.own_text).strip()
    if not 0 < len(text) <= LONGEST:
        told = f"a message has 1 to {LONGEST} characters in the body of the mail, not {len(text)}"
        raise InputError.single("mail/text", told)
    return text


def pass_on(context: CommandContext, user: User, whom: User, text: str) -> None:
    """Write to somebody what another person says, so that they can reply.

    Raises:
        InputError: nothing reaches them from this person. It is not told why: whether one has
            blocked the other, or has no address here, is nobody else's business.
        TooManyError: this person has written too much.
    """
    take(_MESSAGES, str(user.pk))
    to = reachable(whom)
    if to is None or user == whom or is_blocked(user, whom):
        told = f"nothing you write can be passed on to {whom.name} now"
        raise InputError.single("mail/not-passed-on", told)
    slip = make_slip(ConfirmationRow.Kind.MESSAGE, lasts=_ANSWERED_FOR, user=whom, reply_to=user)
    profile = absolute_url(reverse("profile", args=[user.username]))
    letter = EmailContent(
        subject=subject(f"a message from {user.name}"),
        text=paragraphs(
            write_news([f"{user.name} writes to you. Your address is not told to them."]),
            [
                f"Reply to this letter, and your answer is passed on to {user.name}.",
                f"If you want no letters from them, block them on their page: {profile}",
            ],
            said(user.name, text),
        ),
    )
    write(to, whom, letter, key=f"message {context.key} {whom.pk}", slip=slip)


@handles(Verb.BROADCAST)
def broadcast(context: CommandContext) -> None:
    """Write to all who play by mail; for moderators alone, and written down."""
    user = context.require_user()
    if not user.has_perm(MAY):
        raise InputError.single("mail/moderators-only", "broadcast is for moderators alone")
    text = _text_of(context)
    take(_BROADCASTS, str(user.pk))
    readers = User.objects.filter(
        by_mail__in=MailPlayRow.objects.filter(is_on=True), is_active=True
    )
    letter = EmailContent(
        subject=subject("news from the moderators"),
        text=paragraphs(
            write_news(["A moderator writes to all who play by mail here."]), said(user.name, text)
        ),
    )
    count = 0
    for one in readers.exclude(pk=user.pk).iterator():
        to = reachable(one)
        if to is not None:
            count += write(to, one, letter, key=f"broadcast {context.key} {one.pk}")
    write_down(user, "broadcast", what=f"{count} letters", reason=text)
    context.reply(subject("your broadcast"), write_news([f"{count} letters are on their way."]))
