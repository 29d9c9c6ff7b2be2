"""Replies to slips: what a reply to a letter of the desk does.

Only the first word of a reply counts: ``accept`` or ``reject`` to an invitation, ``confirm`` to
what has to be confirmed. Whoever replies in other words is told how.
"""

from __future__ import annotations

from collections.abc import Callable

from antipodes.errors import InputError
from antipodes.mail.incoming import Mail
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.email_play.commands import accounts, challenges, messages
from antipodes.web.email_play.commands.confirmations import take
from antipodes.web.email_play.context import CommandContext
from antipodes.web.email_play.models import ConfirmationRow

_YES = frozenset({"accept", "confirm", "yes", "ok"})
_NO = frozenset({"reject", "decline", "cancel", "no"})
_MOST_WORDS = 4  # of a first line that is an answer, and not the beginning of a letter
_MARKS = ".,:;!?\"'*"

Kinds = ConfirmationRow.Kind


def first_word(mail: Mail) -> str:
    """Return the word with which a reply begins, or that was added to the Subject."""
    lines = [line.strip() for line in mail.own_text.splitlines() if line.strip()]
    for line in [*lines[:1], mail.subject]:
        words = [word.strip(_MARKS).lower() for word in line.split()]
        word = next(iter(words), "") if line is not mail.subject else (words or [""])[-1]
        short = len(words) <= _MOST_WORDS or line is mail.subject
        if short and word in _YES | _NO:
            return word
    return ""


def handle_reply(context: CommandContext, confirmation: ConfirmationRow) -> None:
    """Do what a reply to a confirmation asks for.

    Args:
        context: with the mail; its user is the one whose confirmation it is.
        confirmation: what is answered.

    Raises:
        InputError: it cannot be done any more, or the reply does not say what to do.
    """
    if confirmation.kind == Kinds.MESSAGE:
        messages.answer(context, confirmation)
        return
    word = first_word(context.mail)
    if not word:
        yes = "accept or reject" if confirmation.kind == Kinds.CHALLENGE else "confirm"
        message = f"the first line of the reply does not say what to do: write {yes} there"
        raise InputError.single("mail/no-answer", message)
    if not take(confirmation):
        message = "this was answered already, or is too old"
        raise InputError.single("mail/answered", message)
    if confirmation.kind == Kinds.CHALLENGE:
        _answer_challenge(context, confirmation, accepts=word in _YES)
    elif word in _YES:
        _CONFIRMED[Kinds(confirmation.kind)](context, confirmation)
    else:
        accounts.called_off(context, confirmation)


def _answer_challenge(
    context: CommandContext, confirmation: ConfirmationRow, *, accepts: bool
) -> None:
    row, user = _challenge(confirmation)
    if accepts:
        challenges.take_up(context, user, row)
    else:
        challenges.turn_down(context, user, row)


def _challenge(confirmation: ConfirmationRow) -> tuple[ChallengeRow, User]:
    if confirmation.challenge is None or confirmation.user is None:
        raise InputError.single("mail/answered", "this challenge is gone")
    return confirmation.challenge, confirmation.user


_CONFIRMED: dict[ConfirmationRow.Kind, Callable[[CommandContext, ConfirmationRow], None]] = {
    Kinds.SIGNUP: accounts.confirm_signup,
    Kinds.ADDRESS: accounts.confirm_address,
    Kinds.DELETE: accounts.confirm_deletion,
}
