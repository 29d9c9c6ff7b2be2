"""Replies to e-mails that ask for a confirmation, an answer to an invitation, or a message.

Only the first word of a reply counts: ``accept`` or ``reject`` for an invitation, ``confirm`` for
a change of an account. A reply without such a word is refused with an explanation.
"""

from __future__ import annotations

from collections.abc import Callable

from antipodes.errors import InputError
from antipodes.mail.incoming import Mail
from antipodes.mail.reply_lines import undecorated
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.email_play.commands import accounts, challenges, messages
from antipodes.web.email_play.commands.confirmations import mark_answered
from antipodes.web.email_play.context import CommandContext
from antipodes.web.email_play.models import ConfirmationRow

_YES = frozenset({"accept", "confirm", "yes", "ok"})
_NO = frozenset({"reject", "decline", "cancel", "no"})
_MAX_WORDS = 4  # a longer first line is a letter that happens to begin with such a word
_PUNCTUATION = ".,:;!?\"'*_`-"

Kinds = ConfirmationRow.Kind


def answer_word(mail: Mail) -> str:
    """Return the word of consent or refusal that begins a reply or ends its subject."""
    lines = [undecorated(line) for line in mail.own_text.splitlines() if line.strip()]
    for line in [*lines[:1], mail.subject]:
        words = [word.strip(_PUNCTUATION).lower() for word in line.split()]
        word = next(iter(words), "") if line is not mail.subject else (words or [""])[-1]
        short = len(words) <= _MAX_WORDS or line is mail.subject
        if short and word in _YES | _NO:
            return word
    return ""


def handle_reply(context: CommandContext, confirmation: ConfirmationRow) -> None:
    """Carry out a reply to a confirmation address.

    Args:
        context: with the mail; its user is the one who was asked.
        confirmation: the question.

    Raises:
        InputError: the reply is too late, or does not say what to do.
    """
    if confirmation.kind == Kinds.MESSAGE:
        messages.answer(context, confirmation)
        return
    word = answer_word(context.mail)
    if not word:
        expected = "accept or reject" if confirmation.kind == Kinds.CHALLENGE else "confirm"
        message = f"the first line of the reply does not say what to do: write {expected} there"
        raise InputError.single("mail/no-answer", message)
    if not mark_answered(confirmation):
        message = "this was answered already, or has expired"
        raise InputError.single("mail/answered", message)
    if confirmation.kind == Kinds.CHALLENGE:
        _answer_challenge(context, confirmation, accepts=word in _YES)
    elif word in _YES:
        _CONFIRMED[Kinds(confirmation.kind)](context, confirmation)
    else:
        accounts.cancel(context, confirmation)


def _answer_challenge(
    context: CommandContext, confirmation: ConfirmationRow, *, accepts: bool
) -> None:
    row, user = _challenge_and_user(confirmation)
    if accepts:
        challenges.accept_challenge(context, user, row)
    else:
        challenges.reject_challenge(context, user, row)


def _challenge_and_user(confirmation: ConfirmationRow) -> tuple[ChallengeRow, User]:
    if confirmation.challenge is None or confirmation.user is None:
        raise InputError.single("mail/answered", "this challenge no longer exists")
    return confirmation.challenge, confirmation.user


_CONFIRMED: dict[ConfirmationRow.Kind, Callable[[CommandContext, ConfirmationRow], None]] = {
    Kinds.SIGNUP: accounts.confirm_signup,
    Kinds.ADDRESS: accounts.confirm_address,
    Kinds.DELETE: accounts.confirm_deletion,
}
