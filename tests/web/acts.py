"""All that a person can make the site do: URLs, commands of WebSockets, commands of mails."""

from __future__ import annotations

from typing import get_args

from antipodes.mail.requests import Verb
from antipodes.web.matches.messages import ClientMessage
from antipodes.web.project.asgi import SOCKETS
from antipodes.web.studies.schemas import EditKind
from tests.web.permission_row import addresses

# What clients send over each socket; the others only listen.
COMMANDS = {
    "MatchSocket": [
        command
        for message in get_args(ClientMessage)
        for command in get_args(message.model_fields["command"].annotation)
    ],
    "StudySocket": [*get_args(EditKind)],
    "ChatSocket": ["chat"],
    "NotificationConsumer": ["looking"],
    "TournamentSocket": [],
}


def sockets() -> set[str]:
    """Return the class of each WebSocket of the site."""
    return {route.callback.consumer_class.__name__ for route in SOCKETS}


def acts() -> set[str]:
    """Return the names of all acts; the pages of Django's admin count as one."""
    urls = {"admin:*" if name.startswith("admin:") else name for name in addresses()}
    commands = {f"{socket} {one}" for socket, known in COMMANDS.items() for one in known}
    return urls | sockets() | commands | {f"mail {verb}" for verb in Verb}
