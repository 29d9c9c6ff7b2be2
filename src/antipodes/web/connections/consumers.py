"""The bases of the site's WebSocket consumers."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NoReturn

from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import translation

from antipodes.errors import Fault, InputError
from antipodes.web.accounts.languages import language_of_scope
from antipodes.web.accounts.models import User
from antipodes.web.connections import commands
from antipodes.web.connections.middleware import connection_of
from antipodes.web.connections.registry import EndedError
from antipodes.web.connections.schemas import AnswerMessage
from antipodes.web.platform import metrics, pubsub, write_probe
from antipodes.web.platform.client_json import read_object
from antipodes.web.platform.outages import OUTAGES, outage_of
from antipodes.web.platform.schemas import json_of
from antipodes.web.platform.translations import error_message

logger = logging.getLogger(__name__)

NOT_FOUND = 4404  # close code; browsers see it only of a WebSocket that was accepted
_RATE = 10  # messages that a client may send in each second, after a burst


class SiteSocket(AsyncWebsocketConsumer):
    """A consumer of WebSocket messages; however it ends, it leaves the groups that it joined."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the client until it disconnects."""
        self._joined: list[str] = []
        try:
            await super().__call__(scope, receive, send)
        finally:
            for group in self._joined:
                with suppress(*OUTAGES):
                    await self.channel_layer.group_discard(group, self.channel_name)

    async def join(self, group: str) -> None:
        """Receive what is sent to a group, until the end."""
        self._joined.append(group)
        await self.channel_layer.group_add(group, self.channel_name)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Call the handler of a message.

        Channels would first wait for a thread that closes unusable database connections. Here all
        queries run through ``database_sync_to_async``, which does that in its own thread.
        """
        handler = getattr(self, get_handler_name(message), None)
        if handler is None:
            raise ValueError(f"no handler for messages of type {message['type']}")
        await handler(message)

    def prepare(self) -> None:
        """Learn who the client is, and let it receive what other threads publish."""
        pubsub.attach_event_loop()
        user: object = self.scope.get("user")
        self.user = user if isinstance(user, User) else None

    async def send_object(self, data: Mapping[str, object]) -> None:
        await self.send(json_of(data))


class CommandSocket(SiteSocket):
    """A consumer that executes its client's commands, and answers each with its key.

    The answer has the type ``done``, ``refused`` (with code and message), or ``later`` if the
    command could not be stored; the client keeps such a command and sends it again.
    """

    code = "match/message"  # of the faults of messages
    burst = 40  # messages that a client may send at once
    queue = commands.quick

    def prepare(self) -> None:
        """Prepare for commands: the language of the answers, and the rate limit."""
        super().prepare()
        translation.activate(language_of_scope(self.scope))
        self.connection = connection_of(self.scope)
        self.connection.commands_are_checked = True
        self._allowance, self._heard_at = float(self.burst), time.monotonic()

    def reload_user(self) -> User | None:
        """Return the user as stored now; moderators may have changed name or permissions."""
        return self.user and User.objects.filter(pk=self.user.pk).first()

    async def receive(
        self,
        text_data: str | None = None,
        bytes_data: bytes | None = None,  # noqa: ARG002
    ) -> None:
        """Execute a command, and answer with its key and the outcome."""
        try:
            data = read_object(text_data, self.code)
        except InputError as error:
            await self.execute(None, partial(_refuse, error))
        else:
            key = data.get("key")
            await self.execute(key if isinstance(key, str) else None, partial(self.call_of, data))

    def call_of(self, data: dict[str, Any]) -> commands.Call:
        """Return the function that executes the command of a message.

        Raises:
            InputError: the message is invalid.
        """
        raise NotImplementedError

    async def execute(self, key: str | None, read: Callable[[], commands.Call]) -> None:
        """Execute a command of the client, and answer.

        Args:
            key: the key of the command, if its message has one.
            read: parses the message and returns the function that executes the command; either
                may raise :class:`InputError`.
        """
        try:
            self._check_rate()
            call = read()
            begun = time.perf_counter()
            await commands.execute(self.connection, call, self.queue)
            metrics.note_command(time.perf_counter() - begun)
            answer: AnswerMessage = {"type": "done", "key": str(key)}
        except InputError as error:
            message = error_message(error)
            answer = {"type": "refused", "key": key, "code": error.code, "message": message}
        except EndedError:
            return
        except OUTAGES as error:
            outage = outage_of(error)
            if outage is None or not outage.is_of_disk:
                raise  # the database is unavailable, so the WebSocket is of no use
            write_probe.note(error)
            logger.warning("command not stored key=%s error=%s", key, error)
            answer = {"type": "later", "key": key, "code": outage, "message": outage.message}
        await self.send_object(answer)

    def _check_rate(self) -> None:
        """Enforce the rate limit of this client (token bucket)."""
        at = time.monotonic()
        self._allowance = min(self.burst, self._allowance + _RATE * (at - self._heard_at))
        self._heard_at = at
        if self._allowance < 1:
            fault = Fault.of(
                "match/too-fast",
                "more than {rate} commands in a second are too many",
                rate=_RATE,
            )
            raise InputError([fault])
        self._allowance -= 1


def _refuse(error: InputError) -> NoReturn:
    raise error
