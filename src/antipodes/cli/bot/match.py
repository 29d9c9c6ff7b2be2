"""One match of a bot: it reads the match's stream, thinks, moves, and answers offers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from antipodes.cli.site_client import Data, Site, SiteError
from antipodes.errors import AntipodesError
from antipodes.games.position import Position
from antipodes.games.registry import make_game
from antipodes.records.json_format import read_setup
from antipodes.search.players import make_player

NAME = "bot at a match"  # of its thread

REMATCH = 15.0  # seconds after the end in which a rematch may be offered
_AGAIN = 2.0  # seconds before a request without an answer is sent again
_GONE_ON = {
    "match/stale",
    "match/over",
    "match/no-offer",
    "match/offered",
    "match/paused",
    "match/no-time",
}
# The bot agrees to all that its opponents ask for, except draws.
_ANSWERS = {"draw": "decline", "takeback": "accept", "pause": "accept", "rematch": "accept"}


class BotMatch(threading.Thread):
    """Plays one match to its end, in a thread of its own."""

    def __init__(
        self,
        site: Site,
        slug: str,
        level: str,
        *,
        turns: threading.Semaphore,
        patience: float,
        say: Callable[[str], object],
        left: Callable[[str], object],
    ) -> None:
        """Prepare; nothing runs yet.

        Args:
            site: where the match is.
            slug: the match.
            level: of the computer, at which it plays.
            turns: taken while it thinks, so that not all matches think at once.
            patience: seconds to wait for the offer of a rematch.
            say: called with messages for the host of the bot.
            left: called with the match when it is over, or cannot be played.
        """
        super().__init__(name=NAME, daemon=True)
        self.slug = slug
        self._site, self._turns, self._patience = site, turns, patience
        self._say, self._left = say, left
        self._player = make_player(f"computer:{level}")
        self._ended: float | None = None
        self._title = slug

    def run(self) -> None:
        """Play until the match is over; report errors."""
        try:
            self._play()
        except AntipodesError as error:
            self._say(f"{self._title}: {error}")
        finally:
            self._left(self.slug)

    def _play(self) -> None:
        path = f"matches/{self.slug}/stream"
        for told in self._site.stream(path, self._say, follow="true"):
            if told["type"] == "match" and self._look(told["match"]):
                return
            if told["type"] == "gone":
                return
            if self._ended is not None and time.monotonic() - self._ended > self._patience:
                return

    def _look(self, match: Data) -> bool:
        """React to the state of the match; return whether the bot is done with it."""
        others = ", ".join(
            seat["name"] for seat in match["seats"] if seat["seat"] not in match["own"]
        )
        self._title = f"{match['title']} with {others}"
        if match["result"] is not None and self._ended is None:
            self._ended = time.monotonic()
            self._say(f"{self._title}: {match['result']}")
        if match["next"] is not None or (self._ended is not None and not self._patience):
            return True
        if self._answer_offers(match):
            return False  # the stream reports the effect of the answer
        if match["result"] is None and match["toMove"] in match["own"]:
            self._move(match)
        return False

    def _answer_offers(self, match: Data) -> bool:
        """Answer an opponent's offer; return whether there was one."""
        for kind, agreed in match["offers"].items():
            waiting = [seat for seat in match["own"] if seat not in agreed]
            if waiting and kind in _ANSWERS and not (kind == "pause" and match["clock"]["paused"]):
                answer = {"answer": _ANSWERS[kind], "seat": waiting[0], "ply": match["ply"]}
                return self._try("POST", f"matches/{self.slug}/offers/{kind}", answer)
        return False

    def _move(self, match: Data) -> None:
        position = position_of(match)
        if match["clock"]["paused"] or position.outcome is not None:
            return
        with self._turns:
            chosen = self._player.choose(position)
        # With ply and key the move is made once, however often it is sent.
        key = f"{self.slug}-{match['version']}"
        move = {"move": int(chosen), "seat": match["toMove"], "ply": match["ply"], "key": key}
        self._try("POST", f"matches/{self.slug}/moves", move)

    def _try(self, method: str, path: str, data: Data) -> bool:
        """Send a command; return whether the site has accepted it.

        A command that comes too late is dropped. One without an answer is sent again: the site
        carries out no command twice, because it has a ply.
        """
        while True:
            try:
                self._site.send(method, path, data)
            except SiteError as error:
                if error.code in _GONE_ON or self._site.is_closed:
                    return False
                if not error.may_pass:
                    raise
                time.sleep(_AGAIN)
            else:
                return True


def position_of(match: Data) -> Position:
    """Return the position of a match, as the site describes it."""
    game, setup = make_game(match["game"], match["options"]), match.get("setup")
    position: Position = game.initial() if setup is None else game.position(read_setup(setup))
    for made in match["moves"]:
        position = position.play(made["move"])
    return position
