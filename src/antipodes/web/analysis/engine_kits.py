"""The engine in pages: addresses of its module and of the kits of games.

A kit depends on the game, its options and the position in which it begins. Its address has a hash
of its content, so browsers may keep it for ever.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.templatetags.static import static

from antipodes.core.array_cache import ArrayCache
from antipodes.errors import Fault, InputError
from antipodes.games.position import Game
from antipodes.search.device import device_levels, make_kit
from antipodes.web.analysis.position_queries import Line, game_fields
from antipodes.web.analysis.schemas import PageEngineOut
from antipodes.web.matches.page_moves import module_file, module_name

_KEPT = 8 * 1024 * 1024  # bytes of kits


@dataclass(frozen=True, slots=True)
class Kit:
    """A kit, with a hash."""

    content: bytes
    version: str

    @property
    def nbytes(self) -> int:
        """The size in memory."""
        return len(self.content)


# Visitors choose options and positions. A game in the keys would keep its tables too.
_kits: ArrayCache[tuple[type[Game], Any, str], Kit] = ArrayCache(_KEPT)


def kit_of(line: Line) -> Kit:
    """Return the kit of games that begin with a line's setup.

    Raises:
        InputError: the engine does not play this game.
    """
    game = line.game
    if not device_levels(game):
        fault = Fault.of("study/no-page-engine", "{game} has no engine for pages", game=game.id)
        raise InputError([fault])
    return _kits.get((type(game), game.options, line.setup_text), lambda: _make(line))


def _make(line: Line) -> Kit:
    content = make_kit(Line.of(line.game, line.setup).position)
    return Kit(content, hashlib.sha256(content).hexdigest()[:12])


def engine_of(line: Line) -> PageEngineOut:
    """Return the addresses of the engine for games that begin with a line's setup."""
    fields = game_fields(line.game)
    if line.setup_text:
        fields["setup"] = line.setup_text
    kit = "/engine.kit?" + urlencode({**fields, "v": kit_of(line).version})
    family = line.game.family
    file = module_file(family)
    version = "" if file is None else _hash_of(file)
    return {"kit": kit, "module": f"{static(module_name(family))}?v={version}"}


@cache
def _hash_of(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12]
