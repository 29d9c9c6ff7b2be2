"""The GTP engine: takes lines of text and returns answers; it reads and writes no stream."""

from __future__ import annotations

import logging

from antipodes.engine import columns, dialect, gtp_analysis, gtp_commands, gtp_time
from antipodes.engine.commands import COMMANDS
from antipodes.engine.gtp_session import GtpSession
from antipodes.engine.wire import (
    MAX_LINE,
    GtpError,
    read_request,
    write_failure,
    write_success,
)
from antipodes.errors import AntipodesError, InvalidOptionsError
from antipodes.notation.text import shorten
from antipodes.search.players import SearchPlayer

logger = logging.getLogger(__name__)

# The modules whose import registers commands.
COMMAND_MODULES = (gtp_analysis, gtp_commands, gtp_time)

# Commands that leave a pondering player alone; all others end its search in the opponent's time.
_PONDERED_THROUGH = ("play", "time_left", "showboard", "to_move", "winner", "known_command")


class GtpEngine(GtpSession):
    """A session that carries out the commands of GTP 2."""

    def handle_line(self, text: str) -> str | None:
        """Carry out one line and return the answer, without the empty line that ends it.

        The answer begins with ``=`` or, if nothing was changed, with ``?``, and with the number
        of the command if it had one. Of an answer that was sent in parts only the last part is
        returned. Empty lines and comments have no answer. Exceptions are answered and logged,
        except those that ask the whole program to stop.
        """
        if not self.skips_i:
            return self._answer(text)
        answer = self._answer(text if text.split()[:1] == ["loadsgf"] else columns.with_i(text))
        return None if answer is None else columns.without_i(answer)

    def _answer(self, text: str) -> str | None:
        request = read_request(text)
        if request is None:
            return None
        if len(text) > MAX_LINE:
            return write_failure(request.number, "the line is too long")
        self._answer_head = f"={request.number} \n"
        try:
            answer = self._run(request.name, request.arguments)
            return write_success(request.number, answer) if self._answer_head else answer
        except InvalidOptionsError as error:
            return write_failure(request.number, dialect.write_faults(error))
        except (GtpError, AntipodesError) as error:
            return write_failure(request.number, str(error))
        except Exception as error:
            logger.exception("command %r failed", text)
            return write_failure(request.number, f"internal error: {type(error).__name__}")

    def _run(self, name: str, arguments: tuple[str, ...]) -> str:
        if not name:
            raise GtpError("there is no command after the number")
        known = COMMANDS.get(name)
        if known is None:
            # Clients look for the words "unknown command".
            raise GtpError(f"unknown command {shorten(name)}; see list_commands")
        if not known.least <= len(arguments) <= known.most:
            raise GtpError(f"syntax error; write {known.usage}")
        if isinstance(self.active_player, SearchPlayer) and name not in _PONDERED_THROUGH:
            self.active_player.rest()
        return known.run(self, arguments)
