"""The engine in pages: addresses of its module and of the kits of games.

A kit depends on the game and its options, and is for levels or for analyses. Its address has a hash
of its content, so browsers may keep it for ever. A setup changes the first state alone, which is
told apart: else each puzzle would have a kit of its own.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlencode

import numpy as np
from django.templatetags.static import static

from antipodes.core.array_cache import ArrayCache
from antipodes.errors import Fault, InputError
from antipodes.games.position import Game
from antipodes.search.device import device_levels, device_search, needs_network
from antipodes.search.device_kit import make_analysis_kit, make_kit
from antipodes.search.levels import Level
from antipodes.web.analysis.position_queries import Line, game_fields
from antipodes.web.analysis.schemas import PageEngineOut
from antipodes.web.matches.page_moves import module_file, module_name

FIELD = "for"  # of queries, with the purpose
REFUTES = "refutes"  # of requests by pages that search for refutations themselves
_KEPT = 8 * 1024 * 1024  # bytes of kits


class Purpose(StrEnum):
    """The use of the engine in a page."""

    PLAY = "play"
    NETWORK = "network"  # play with the neural network, which is larger than all else of a kit
    ANALYSIS = "analysis"

    @classmethod
    def of_level(cls, game: Game, level: Level) -> Purpose:
        """Return the use by a level of the computer."""
        return cls.NETWORK if needs_network(game, level) else cls.PLAY

    def fits(self, game: Game) -> bool:
        """Return whether the engine in pages does this in a game."""
        if self is Purpose.ANALYSIS:
            return device_search(game.family) is not None
        return bool(device_levels(game, network=self is Purpose.NETWORK))


@dataclass(frozen=True, slots=True)
class Kit:
    """A kit, with a hash."""

    content: bytes
    version: str

    @property
    def nbytes(self) -> int:
        """The size in memory."""
        return len(self.content)


# Visitors choose options. A game in the keys would keep its tables too.
_kits: ArrayCache[tuple[Purpose, type[Game], Any], Kit] = ArrayCache(_KEPT)


def read_purpose(text: str) -> Purpose:
    """Read the purpose of a kit.

    Raises:
        InputError: there is no such purpose.
    """
    try:
        return Purpose(text)
    except ValueError:
        fault = Fault.of(
            "study/no-page-engine", "kits are not for {purpose}", purpose=repr(text[:20])
        )
        raise InputError([fault]) from None


def why_not(game: Game, purpose: Purpose) -> Fault | None:
    """Return why pages have no engine for a game, or ``None`` if they have."""
    if not purpose.fits(game):
        return _unfit(game)
    if module_file(game.family) is None:
        return Fault("study/no-page-engine", "this site has no engine for pages")
    return None


def _unfit(game: Game) -> Fault:
    return Fault.of("study/no-page-engine", "{game} has no engine for pages", game=game.id)


def kit_of(game: Game, purpose: Purpose) -> Kit:
    """Return the kit of a game.

    Raises:
        InputError: the engine in pages does not do this in the game.
    """
    if not purpose.fits(game):
        raise InputError([_unfit(game)])
    return _kits.get((purpose, type(game), game.options), lambda: _make(game, purpose))


def _make(game: Game, purpose: Purpose) -> Kit:
    start = game.initial()
    content = (
        make_analysis_kit(start)
        if purpose is Purpose.ANALYSIS
        else make_kit(start, network=purpose is Purpose.NETWORK)
    )
    return Kit(content, hashlib.sha256(content).hexdigest()[:12])


def engine_of(line: Line, purpose: Purpose) -> PageEngineOut:
    """Return the addresses of the engine for games that begin with a line's setup.

    Raises:
        InputError: the engine in pages does not do this in the game.
    """
    family = line.game.family
    kit_version = kit_of(line.game, purpose).version
    query = urlencode({**game_fields(line.game), FIELD: purpose.value, "v": kit_version})
    start = Line.of(line.game, line.setup).position.kernel_state if line.setup_text else ()
    return {
        "kit": f"/engine.kit?{query}",
        "module": static(module_name(family)),
        "start": base64.b64encode(np.asarray(start, "<i8").tobytes()).decode(),
    }
