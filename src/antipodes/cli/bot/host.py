"""A bot: it reads its events, plays its matches, and looks for new ones."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from antipodes.cli.bot.match import REMATCH, BotMatch
from antipodes.cli.site_client import Data, Site, SiteError

_LOOK = 3.0  # seconds between two searches for opponents
_PATIENCE = 5.0  # seconds that matches have to end when enough games are played
_SCOPES = ("read", "play", "challenge")


@dataclass(frozen=True, kw_only=True)
class BotSettings:
    """Which games a bot plays, and how.

    Attributes:
        level: of the computer, at which it plays.
        games: how many matches at once.
        plays: ids of games; all of them if there are none.
        accepts: challenges that it joins: ``invited``, ``open`` or ``none``.
        seek: its own open challenge, made while it has room; ``None`` for none.
        stop_after: how many matches it plays in all; ``None`` for no limit.
    """

    level: str
    games: int = 4
    plays: frozenset[str] = frozenset()
    accepts: str = "invited"
    seek: Data | None = None
    stop_after: int | None = None


@dataclass
class Bot:
    """A bot on a site; it plays until it is stopped."""

    site: Site
    settings: BotSettings
    say: Callable[[str], object]
    _matches: dict[str, BotMatch] = field(default_factory=dict)
    _played: set[str] = field(default_factory=set)
    _refused: set[str] = field(default_factory=set)
    _challenges: dict[str, Data] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _done: threading.Event = field(default_factory=threading.Event)
    _seek: str | None = None
    _account: Data = field(default_factory=dict)
    _trouble: SiteError | None = None

    def greet(self, *, declares: bool = False) -> None:
        """Check the token, and read the account that it belongs to.

        Args:
            declares: mark the account as a bot.

        Raises:
            SiteError: there is no such site, or the token is not good, or not for playing.
        """
        self._account = self.site.get("account")
        missing = [scope for scope in _SCOPES if scope not in self._account["scopes"]]
        if missing:
            message = f"the token needs the scopes {', '.join(_SCOPES)}; it lacks "
            raise SiteError("bot/scopes", message + ", ".join(missing))
        if declares and self._account["kind"] != "bot":
            self._account = self.site.send("PUT", "/account/bot")
        self.say(f"{self._account['shown']} is at {self.site.url}, level {self.settings.level}")
        if self._account["kind"] != "bot":
            self.say("this account is not marked as a bot; begin with --declare to mark it")

    def play(self) -> None:
        """Play until enough games are played, or the host interrupts.

        Raises:
            SiteError: the site refuses the token from now on.
        """
        # All are daemons, so that Ctrl-C need not wait for an answer of the site.
        for work in (self._listen, self._seek_opponents):
            threading.Thread(target=self._guarded, args=(work,), daemon=True).start()
        while not self._done.wait(0.2):
            pass
        if self._trouble is not None:
            raise self._trouble
        for match in list(self._matches.values()):
            match.join(_PATIENCE)

    def leave(self) -> None:
        """Withdraw the own challenge and disconnect; matches go on when the bot runs again."""
        self._done.set()
        if self._seek is not None:
            self._ignoring(lambda: self.site.send("DELETE", f"challenges/{self._seek}"))
        self.site.close()

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except SiteError as error:
            self._trouble = error
        finally:
            self._done.set()

    @staticmethod
    def _ignoring(act: Callable[[], Any]) -> Any:
        """Make a request, and ignore that the site refuses it."""
        try:
            return act()
        except SiteError:
            return None

    # Events.

    def _listen(self) -> None:
        for told in self.site.stream("/stream/events", self.say):
            kind = told["type"]
            if kind in {"match", "your-turn"}:
                self._play_match(told["match"]["slug"])
            elif kind == "challenge":
                self._challenges[told["challenge"]["slug"]] = told["challenge"]
                self._consider(told["challenge"])
            elif kind == "challenge-gone":
                self._challenges.pop(told["slug"], None)
                if told["slug"] == self._seek:
                    self._seek = None
            if self._done.is_set():
                return

    def _play_match(self, slug: str) -> None:
        """Play a match, unless it is played already; it has begun, so room does not matter."""
        with self._lock:
            if slug in self._matches or slug in self._played or self._is_enough():
                return
            is_last = self.settings.stop_after == len(self._played) + len(self._matches) + 1
            match = BotMatch(
                self.site,
                slug,
                self.settings.level,
                turns=_thinking,
                patience=0 if is_last else REMATCH,
                say=self.say,
                left=self._left,
            )
            self._matches[slug] = match
        match.start()

    def _left(self, slug: str) -> None:
        with self._lock:
            self._matches.pop(slug, None)
            self._played.add(slug)
            if self._is_enough() and not self._matches:
                self._done.set()

    def _is_enough(self) -> bool:
        most = self.settings.stop_after
        return most is not None and len(self._played) + len(self._matches) >= most

    @property
    def _has_room(self) -> bool:
        with self._lock:
            return len(self._matches) < self.settings.games and not self._is_enough()

    # Challenges.

    def _seek_opponents(self) -> None:
        """Look for opponents every few seconds, while there is room."""
        while not self._done.is_set():
            try:
                self._look_once()
            except SiteError as error:
                if not error.may_pass:
                    raise
            self._done.wait(_LOOK)

    def _look_once(self) -> None:
        for challenge in list(self._challenges.values()):
            self._consider(challenge)
        if self.settings.accepts == "open" and self._has_room:
            for challenge in self.site.get("challenges", which="open"):
                self._consider(challenge)
        if self.settings.seek is not None and self._seek is None and self._has_room:
            made = self.site.send("POST", "challenges", self.settings.seek)
            self._seek = made["challenge"] and made["challenge"]["slug"]

    def _consider(self, challenge: Data) -> None:
        """Join another player's challenge if the bot plays such games."""
        slug, own = challenge["slug"], self._account["name"]
        invited = any(person["name"] == own for person in challenge["invited"])
        wanted = invited if self.settings.accepts == "invited" else self.settings.accepts == "open"
        plays = not self.settings.plays or challenge["game"] in self.settings.plays
        if challenge["isMine"] or not wanted or not plays or not self._has_room:
            return
        if slug in self._refused:
            return
        try:
            self.site.send("POST", f"challenges/{slug}/join", {})
        except SiteError as error:
            if error.status in {401, 0}:
                raise
            # The challenge is for others, or gone.
            self._refused.add(slug)
            return
        self._refused.add(slug)
        self.say(f"joined {challenge['title']} of {challenge['by']['shown']}")


# Searches let go of the global lock, so as many at once make sense as there are processors.
_thinking = threading.Semaphore(os.cpu_count() or 1)
