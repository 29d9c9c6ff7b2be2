"""The command that chooses from which side a player reads boards, as the site does."""

from __future__ import annotations

from antipodes.mail.layout import write_news
from antipodes.web.email_play.commands.lines import subject
from antipodes.web.email_play.context import CommandContext
from antipodes.web.matches.viewpoints import choose_side, reads_own_side

_TEXTS = {
    True: "You read and write moves of Antipalos from your own side: A1 is at your lower left.",
    False: "You read and write moves of Antipalos from the side of seat 1, as in game records.",
}


def view(context: CommandContext) -> None:
    """Choose the side from which boards are read; without a word, show the choice."""
    user = context.require_user()
    if context.request.words:
        choose_side(user, own=context.request.words[0] == "own")
    context.reply(subject("view"), write_news([_TEXTS[reads_own_side(user)]]))
