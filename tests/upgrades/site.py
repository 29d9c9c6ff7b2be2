"""A small site in which each table has a row."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db import models
from django.utils import timezone

from antipodes.clocks import HOUR, read_control
from antipodes.games.registry import make_game
from antipodes.match import Play, Resign, Terms
from antipodes.web.archive import services as archive
from antipodes.web.challenges.services import GameRequest, Opponent, join, request_game
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.platform.clock import now
from antipodes.web.puzzles import services as puzzles
from antipodes.web.ratings import services as ratings
from antipodes.web.relations import services as relations
from antipodes.web.studies import services as studies
from antipodes.web.studies.schemas import Edit
from tests.web.permission_world import World

_GAMES: dict[str, dict[str, Any]] = {
    "hex": {"size": 11},
    "antipod": {"side": 4},
    "antipode": {},
    "antipalos": {"size": 12, "seats": "team"},
}


def fill() -> None:
    """Let people do what people do; tables that this leaves empty get a row each."""
    world = World()
    for number, (game_id, options) in enumerate(_GAMES.items()):
        _play(world, game_id, options, number)
    an_hour_ago = now() - HOUR  # recent ends are rated and archived later
    MatchRow.objects.filter(ended_at__isnull=False).update(ended_at=an_hour_ago)
    ratings.rate_all()
    archive.archive_missing()
    request = GameRequest(game=make_game("hex", {"size": 5}), opponent=Opponent.ANYBODY)
    join(request_game(world.ann, request).slug, world.bob)
    relations.follow(world.bob, world.ann)
    puzzles.vote(world.ann, world.tried, is_up=True)
    edits: list[Edit] = [
        {"kind": "add", "path": [], "move": 3},
        {"kind": "comment", "path": [3], "text": "in the middle"},
    ]
    for number, edit in enumerate(edits):
        studies.edit_chapter(world.study.slug, 1, world.ann, f"edit {number}", edit)
    _make_missing_rows(world)


def _play(world: World, game_id: str, options: dict[str, Any], number: int) -> None:
    """Play a rated match of three plies."""
    game = make_game(game_id, options)
    users = (world.ann, world.bob, world.cy, world.dee)[: game.seats]
    users = users if number % 2 else users[::-1]
    terms = Terms(
        game=game,
        players=tuple(str(user.pk) for user in users),
        control=read_control("5m+5s"),
        rated=True,
    )
    slug = begin_match(terms, users).slug
    for ply in range(3):
        match = MatchRow.objects.get(slug=slug).match()
        seat, move = match.position.seat_to_move, next(iter(match.position.legal_moves))
        carry_out(slug, Play(seat=seat, ply=ply, key=f"move {ply}", move=int(move)))
    carry_out(slug, Resign(seat=number % 2, ply=3, key="enough"))


def _make_missing_rows(world: World) -> None:
    """Make a row of each model of ours that has none, with values of the right types."""
    for _ in range(3):  # rows refer to others
        for model in apps.get_models(include_auto_created=True):
            if model.__module__.startswith("antipodes.") and not model._default_manager.exists():
                model._default_manager.create(**_values(model, world))


def _values(model: type[models.Model], world: World) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for field in model._meta.concrete_fields:
        if field.has_default() or field.null or isinstance(field, models.AutoField):
            continue
        if isinstance(field, models.ForeignKey):
            is_user = field.related_model is type(world.ann)
            values[field.name] = (
                world.ann if is_user else field.related_model._default_manager.first()
            )
        elif field.choices:
            values[field.name] = field.choices[0][0]
        else:
            values[field.name] = _value(field)
    return values


def _value(field: models.Field[Any, Any]) -> Any:
    if isinstance(field, models.DateField):
        moment = timezone.now()
        return moment if isinstance(field, models.DateTimeField) else moment.date()
    if isinstance(field, models.JSONField):
        return {}
    if isinstance(field, models.BinaryField):
        return b"x"
    is_text = isinstance(field, (models.CharField, models.TextField))
    return "x" if is_text else 1
