"""List of all that browsers keep to play without a network: pages, scripts, engines and puzzles.

Rules, pictures and scripts are those of the site, so the list of files comes from its pages. It
changes with the release, as does the service worker, which then keeps everything again.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles import finders
from django.http import HttpRequest, QueryDict
from django.templatetags.static import static
from django.urls import resolve, reverse
from django.utils import translation

from antipodes.core import Outcome
from antipodes.games.kernels import header
from antipodes.games.position import TERMINATIONS, Game
from antipodes.games.registry import game_ids, make_game
from antipodes.puzzles.model import Puzzle
from antipodes.search.device import plays_on_device
from antipodes.search.levels import levels
from antipodes.web.accounts.levels import level_name
from antipodes.web.analysis.engine_kits import Purpose, engine_of
from antipodes.web.analysis.position_queries import Line
from antipodes.web.analysis.presenters import board_address
from antipodes.web.matches.page_moves import module_file
from antipodes.web.offline.schemas import KeptGameOut, KeptOut, KeptPuzzleOut
from antipodes.web.platform.static_files import compressed, path_of, release
from antipodes.web.platform.templatetags.modules import imports_of
from antipodes.web.platform.translations import result_text, translate
from antipodes.web.puzzles import catalogue, labels, presenters
from antipodes.web.puzzles.judgements import known_at_once
from antipodes.web.puzzles.services import Answer, AnswerVerdict

_ON_DEMAND = (  # scripts no page names
    "antipodes/engine/worker.js",
    "antipodes/board/graph_picture.js",
    "antipodes/board/settings_menu.js",
    "antipodes/board/zoom.js",
)
_ASSET = re.compile(r'(?:src|href)="(/[^"]+\.(?:css|js|svg|png)(?:\?[^"]*)?)"')
_PUZZLES = 6  # of each category


def kept() -> KeptOut:
    """Return what a browser keeps, in the reader's language."""
    return _kept(translation.get_language(), frozenset(catalogue.retired_ids()))


@lru_cache(maxsize=4)
def _kept(_language: str, _retired: frozenset[str]) -> KeptOut:
    games = [_game(game) for game in map(make_game, game_ids()) if module_file(game.family)]
    puzzles = [_puzzle(puzzle) for puzzle in _chosen_puzzles()]
    boards = {game["board"] for game in games} | {kept["start"]["board"] for kept in puzzles}
    pages = [reverse("offline"), reverse("rules")]
    pages += [reverse("game-rules", args=[game_id]) for game_id in game_ids()]
    files = dict.fromkeys(pages)
    for page in pages:
        files |= dict.fromkeys(_ASSET.findall(_content(page).decode()))
    for script in _ON_DEMAND:
        files |= dict.fromkeys(map(static, (script, *imports_of(script))))
    files |= dict.fromkeys(sorted(boards))
    for game in games:
        for level in game["levels"].values():
            files |= dict.fromkeys((level["engine"]["kit"], level["engine"]["module"]))
    return {
        "version": release(),
        "size": sum(map(_size, files)),
        "files": list(files),
        "games": games,
        "puzzles": puzzles,
    }


def _content(url: str) -> bytes:
    """Return what the site answers to a visitor without an account who asks for a URL."""
    request = HttpRequest()
    parts = urlsplit(url)
    request.method, request.path, request.GET = "GET", parts.path, QueryDict(parts.query)
    request.user = AnonymousUser()
    view = resolve(parts.path)
    content: bytes = view.func(request, *view.args, **view.kwargs).content
    return content


def _size(url: str) -> int:
    """Return the bytes that a browser downloads for a URL."""
    path = urlsplit(url).path
    if path.startswith(settings.STATIC_URL):
        return compressed(Path(str(finders.find(path_of(path))))).stat().st_size
    return len(gzip.compress(_content(url)))


def _game(game: Game) -> KeptGameOut:
    exchanged = game.swap_exchanges == "seats"
    return {
        "game": game.id,
        "title": translate(game.title),
        "board": board_address(game),
        "levels": {
            level.number: {
                "name": level_name(level),
                "engine": engine_of(Line.of(game), Purpose.of_level(game, level)),
            }
            for level in levels()
            if plays_on_device(game, level)
        },
        "pieces": list(game.pieces),
        "forms": [{"base": base, "strides": list(strides)} for base, strides in game.move_forms],
        "swap": game.swap_move,
        "colors": [color.value for color in game.kernel_colors],
        "seats": [
            [game.color_of(seat, exchanged=swapped).value for seat in range(game.seats)]
            for swapped in (False, exchanged)
        ],
        "results": dict(_results(game)),
    }


def _results(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the ends of a game by the numbers of winner and reason."""
    winners = [(header.DRAW, None), *enumerate(game.kernel_colors, start=1)]
    for number, winner in winners:
        for reason, termination in TERMINATIONS.items():
            yield f"{number},{reason}", result_text(Outcome(winner, termination))


def _chosen_puzzles() -> Iterator[Puzzle]:
    """Yield some puzzles of each category, of all difficulties."""
    for name in catalogue.categories():
        offered = sorted(catalogue.offered(name), key=lambda puzzle: (puzzle.difficulty, puzzle.id))
        yield from offered[:: max(1, len(offered) // _PUZZLES)][:_PUZZLES]


def _puzzle(puzzle: Puzzle) -> KeptPuzzleOut:
    answers = {}
    for count in range(1, len(puzzle.line) + 1, 2):
        moves = puzzle.line[:count]
        judged = known_at_once(puzzle, moves)
        assert judged is not None  # the line decides about its own moves
        verdict = AnswerVerdict.SOLVED if judged.solved else AnswerVerdict.RIGHT
        made = (*moves, judged.reply) if judged.reply else moves
        answer = presenters.answer_view(puzzle, Answer(verdict, made, judged.reply))
        answers[f"{count - 1},{answer['shown'][0]['move']}"] = answer
    return {
        "title": catalogue.category_of(puzzle).title,
        "task": labels.task_of(puzzle),
        "start": presenters.start_view(puzzle),
        "answers": answers,
        "solution": presenters.line_view(puzzle, puzzle.line),
    }
