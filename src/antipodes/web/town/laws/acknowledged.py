"""Laws of what the site has acknowledged: words and votes are neither lost nor doubled."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from antipodes.web.town.town import Town

_CHATS = ("/m/", "/lobby/", "/tournament/", "/simul/")  # sockets
_WORD = re.compile(r"word-(\d+)-[0-9a-f]+")


def shown_words_are_stored_once(town: Town) -> Iterator[str]:
    """A line of chat that its author has seen in the chat is stored, and once."""
    from antipodes.web.matches.models import ChatLine

    checked: set[str] = town.memory.setdefault("checked words", set())
    for each in town.received:
        text = _chat(each.text) if each.where.startswith(_CHATS) else ""
        for word in _WORD.finditer(text):
            if int(word[1]) == each.person.character and word[0] not in checked:
                checked.add(word[0])
                count = ChatLine.objects.filter(text__contains=word[0]).count()
                if count != 1:
                    name = each.person.name
                    yield f"{name} has seen {word[0]} in a chat, where it is stored {count} times"


def _chat(messages: str) -> str:
    """Return the lines of chat among messages of a socket; a refusal may quote what it refuses."""
    return "\n".join(
        line["text"]
        for message in json.loads(messages)
        if isinstance(message, dict) and message.get("type") == "chat"
        for line in message["lines"]
    )


def votes_count_once(town: Town) -> Iterator[str]:
    """The last vote of each person on a puzzle is stored, and is one of those that it shows."""
    from antipodes.web.puzzles.models import PuzzleRow, VoteRow

    for row in PuzzleRow.objects.filter(votes__isnull=False).distinct():
        up = row.votes.filter(is_up=True).count()
        if (row.up, row.down) != (up, row.votes.count() - up):
            yield f"puzzle {row.pk} shows {row.up} and {row.down} votes of {row.votes.count()}"
    stored = {
        (name, puzzle): "up" if is_up else "down"
        for name, puzzle, is_up in VoteRow.objects.values_list(
            "user__username", "puzzle__puzzle_id", "is_up"
        )
    }
    for person in town.people:
        for (name, puzzle), vote in person.memory.get("votes", {}).items():
            known = stored.get((name, puzzle), "none")
            # The votes of an account go with it.
            if person.has_account and name == person.name and known != vote:
                yield f"{person.name} voted {vote} on {puzzle}, stored is {known}"
