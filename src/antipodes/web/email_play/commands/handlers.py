"""Which function carries out which command of an e-mail."""

from __future__ import annotations

from antipodes.mail.requests import Verb
from antipodes.web.email_play import match_commands, previews
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
    viewpoints,
)
from antipodes.web.email_play.context import Handler

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
    Verb.SUBMIT: previews.submit,
    Verb.CONFIRM: previews.confirm,
    Verb.VIEW: viewpoints.view,
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
    Verb.PREVIEW: previews.preview_board,
}
_WITHOUT_BOARD: dict[Verb, Handler] = {
    Verb.ACCEPT: challenges.accept,
    Verb.REJECT: challenges.reject,
    Verb.PREVIEW: previews.preview_new,
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
