"""From whose side boards are read, by mail: the same choice as on the site."""

from __future__ import annotations

from antipodes.mail.layout import write_news
from antipodes.mail.requests import Verb
from antipodes.web.email_play.commands.lines import subject
from antipodes.web.email_play.context import CommandContext, handles
from antipodes.web.matches.viewpoints import choose_side, reads_own_side

_TOLD = {
    True: "You read and write moves of Antipalos from your own side: A1 is at your lower left.",
    False: "You read and write moves of Antipalos from the side of seat 1, as records do.",
}


@handles(Verb.VIEW)
def view(context: CommandContext) -> None:
    """Choose from whose side boards are read; without a word, say what is chosen."""
    user = context.require_user()
    if context.request.words:
        choose_side(user, own=context.request.words[0] == "own")
    context.reply(subject("view"), write_news([_TOLD[reads_own_side(user)]]))
