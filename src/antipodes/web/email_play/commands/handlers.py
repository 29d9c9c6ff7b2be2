"""Which function carries out which command of an e-mail, and what a reply to a question does."""

from __future__ import annotations

from collections.abc import Callable

from antipodes.errors import InputError
from antipodes.mail.incoming import Mail
from antipodes.mail.requests import Verb, undecorated
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.email_play import match_commands
from antipodes.web.email_play.commands import (
    accounts,
    challenges,
    following,
    listings,
    messages,
    preferences,
    puzzles,
    simuls,
    tournaments,
)
from antipodes.web.email_play.commands.emails import mark_answered
from antipodes.web.email_play.context import CommandContext, Handler
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


_HANDLERS: dict[Verb, Handler] = {
    # Games
    Verb.MOVE: match_commands.move,
    Verb.SWAP: match_commands.move,
    Verb.PASS: match_commands.move,
    Verb.QUEUE: match_commands.queue,
    Verb.UNDO: match_commands.offer,
    Verb.PROPOSE: match_commands.offer,
    Verb.RESIGN: match_commands.resign,
    Verb.CHAT: match_commands.post_chat,
    Verb.SUBMIT: match_commands.submit,
    Verb.CONFIRM: match_commands.confirm,
    Verb.VIEW: preferences.view,
    # Accounts
    Verb.SIGNUP: accounts.signup,
    Verb.ADD: accounts.change_address,
    Verb.CHANGE_ADDRESS: accounts.change_address,
    Verb.CHANGE_PASSWORD: accounts.change_password,
    Verb.SIGNOFF: accounts.signoff,
    Verb.DELETE: accounts.delete,
    Verb.VACATION: preferences.vacation,
    Verb.REMINDERS: preferences.reminders,
    Verb.DIGEST: preferences.digest,
    # New games and other players
    Verb.CHALLENGE: challenges.challenge,
    Verb.SEEK: challenges.seek,
    Verb.LIMIT: challenges.limit,
    Verb.MESSAGE: messages.message,
    Verb.BROADCAST: messages.broadcast,
    Verb.SUBSCRIBE: following.subscribe,
    Verb.UNSUBSCRIBE: following.unsubscribe,
    Verb.NOTIFY: following.notify,
    # Lists
    Verb.HELP: listings.help_,
    Verb.LIST: listings.list_,
    Verb.GAMES: listings.games,
    Verb.SHOW: listings.show,
    Verb.SHOWAS: listings.showas,
    Verb.ALL_SHOW: listings.all_show,
    Verb.STANDINGS: listings.standings,
    Verb.HISTORY: listings.history,
}
# So ``accept`` can mean an offer on a board or a challenge.
_ON_BOARD: dict[Verb, Handler] = {
    Verb.ACCEPT: match_commands.accept,
    Verb.REJECT: match_commands.reject,
    Verb.PREVIEW: match_commands.preview_board,
}
_WITHOUT_BOARD: dict[Verb, Handler] = {
    Verb.ACCEPT: challenges.accept,
    Verb.REJECT: challenges.reject,
    Verb.PREVIEW: match_commands.preview_new,
    Verb.PUZZLE: puzzles.puzzle,
    Verb.SIMUL: simuls.simul,
    Verb.TOURNAMENT: tournaments.tournament,
}


def handler_for(verb: Verb, *, on_board: bool) -> Handler | None:
    """Return the handler of a command; ``None`` if there is none.

    Args:
        verb: the command.
        on_board: whether it names a board, so that ``context.row`` is set.
    """
    return _HANDLERS.get(verb) or (_ON_BOARD if on_board else _WITHOUT_BOARD).get(verb)
