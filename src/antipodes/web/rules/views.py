"""Pages of the rules, and pictures of the games."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from antipodes.errors import UnknownGameError
from antipodes.games.figures import FIGURES
from antipodes.games.position import Game
from antipodes.games.registry import game_class, game_ids
from antipodes.games.samples import RuleExample
from antipodes.games.texts import game_notes, short_rules
from antipodes.lab.knowledge import best_size
from antipodes.web.platform.pictures import board_picture
from antipodes.web.rules.examples import figure_picture, picture

_CACHE_CONTROL = "public, max-age=86400"


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    games = [game_class(one) for one in game_ids()]
    return render(request, "rules/index.html", {"games": games})


@require_GET
def game_rules(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the rules of a game, each paragraph with its example boards."""
    game = _game(game_id)
    rules = short_rules(game.id)
    examples = list(enumerate(game.rule_examples))

    def beside(place: int | str) -> list[tuple[int, RuleExample]]:
        return [(number, example) for number, example in examples if example.after == place]

    context = {
        "game": game,
        "byline": rules.byline,
        "parts": [(text, beside(number)) for number, text in enumerate(rules.paragraphs)],
        "notes": [(section, beside(section.title)) for section in game_notes(game.id)],
        "best_size": best_size(game.id),
        "figures": FIGURES.get(game.id, ()),
        "others": [game_class(one) for one in game_ids() if one != game.id],
    }
    return render(request, "rules/game.html", context)


@require_GET
def game_picture(request: HttpRequest, game_id: str, number: int | None = None) -> HttpResponse:
    """Return the picture that represents a game, or an example of its rules."""
    try:
        drawn = picture(_game(game_id).id, number)
    except IndexError:
        raise Http404(f"there is no such picture of {game_id}") from None
    return board_picture(request, drawn, _CACHE_CONTROL)


@require_GET
def figure(request: HttpRequest, game_id: str, letter: str, number: int) -> HttpResponse:
    """Return a picture of a figure in an inventor's rules."""
    try:
        drawn = figure_picture(_game(game_id).id, letter, number)
    except (KeyError, IndexError):
        raise Http404(f"there is no figure {letter} of {game_id}") from None
    return board_picture(request, drawn, _CACHE_CONTROL)


def _game(game_id: str) -> type[Game]:
    try:
        return game_class(game_id)
    except UnknownGameError as error:
        raise Http404(str(error)) from None
