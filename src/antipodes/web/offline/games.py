"""Games that browsers have begun without a network, which come to the account or guest.

The address of such a match comes from the key that the browser has given the game. So a game that
is sent twice comes once, and one that has gone on meanwhile gets the moves that are missing.
"""

from __future__ import annotations

import base64
import hashlib
from contextlib import suppress
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.http import HttpRequest

from antipodes.errors import Fault, InputError
from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.match import MoveSource, Play, Terms
from antipodes.search.device import plays_on_device
from antipodes.search.levels import Level, find_level
from antipodes.web.accounts.models import User
from antipodes.web.accounts.restrictions import check_may_play
from antipodes.web.accounts.services import (
    computer,
    current_user,
    ensure_user,
    resume_guest,
    transfer_guest,
)
from antipodes.web.challenges.services import check_computer_games
from antipodes.web.matches import services
from antipodes.web.matches.models import MatchRow
from antipodes.web.offline.schemas import OfflineGameIn
from antipodes.web.platform.limits import count_limit, rate_limit, take

OFFLINE_GAMES = rate_limit(
    "offline-games", "20/hour;60/day", per="user", what="games begun without a network"
)
OFFLINE_MOVES = count_limit(
    "offline-moves", 300, per="game", what="moves of a game begun without a network"
)


def slug_of(key: str) -> str:
    """Return the slug of the match of a game with a key."""
    digest = hashlib.sha256(f"offline {key}".encode()).digest()
    return "d" + base64.urlsafe_b64encode(digest).decode()[:11]


@dataclass(frozen=True, slots=True)
class OfflineGame:
    """A game that the rules have checked.

    Attributes:
        slug: of its match.
        game: the game with its options.
        level: of the computer.
        seat: the player's.
        moves: the moves of both sides as commands.
    """

    slug: str
    game: Game
    level: Level
    seat: int
    moves: tuple[Play, ...]


def checked(sent: OfflineGameIn) -> OfflineGame:
    """Check a game move by move, as any record.

    Raises:
        InputError: the rules refuse a move; or the game or the level does not play in pages, or
            there is no such seat, or the moves are none or too many.
    """
    game, level = make_game(sent.game), find_level(str(sent.level))
    if not plays_on_device(game, level):
        fault = Fault.of(
            "offline/level",
            "level {level} of {game} does not play in pages",
            level=level.number,
            game=game.id,
        )
        raise InputError([fault])
    if sent.seat >= game.seats:
        raise InputError([Fault.of("match/seats", "there is no seat {seat}", seat=sent.seat)])
    count, most = len(sent.moves), OFFLINE_MOVES.value
    if not 0 < count <= most:
        fault = Fault.of(
            "offline/moves",
            "a game of {count} moves cannot be taken; 1 to {most} are allowed",
            count=count,
            most=most,
        )
        raise InputError([fault])
    slug, position = slug_of(sent.key), game.initial()
    moves = []
    for ply, move in enumerate(sent.moves):
        seat = position.seat_to_move
        source = MoveSource.HAND if seat == sent.seat else MoveSource.DEVICE
        moves.append(Play(seat=seat, ply=ply, key=f"{slug} {ply}", move=move, source=source))
        position = position.play(move)
    return OfflineGame(slug, game, level, sent.seat, tuple(moves))


def bring(request: HttpRequest, begun: OfflineGame) -> None:
    """Store a game that was begun without a network, or the moves of it that are missing.

    A visitor becomes a guest.

    Raises:
        InputError: the match has gone on in another way, or belongs to another account; or the user
            is suspended or plays too many games against the computer. Nothing has changed.
        TooManyError: the user has brought too many games, or there were too many new guests.
    """
    user = current_user(request)
    row = MatchRow.objects.filter(slug=begun.slug).first()
    if row is None:
        user = ensure_user(request)
        check_may_play(user)
        check_computer_games(user)
        take(OFFLINE_GAMES, str(user.pk))
        with suppress(IntegrityError):  # another request has stored it meanwhile
            _store(user, begun)
        row = MatchRow.objects.get(slug=begun.slug)
    _check_owner(request, user, row)
    services.make_first_moves(begun.slug, begun.moves)


def _check_owner(request: HttpRequest, user: User | None, row: MatchRow) -> None:
    """Check that a match is the sender's, or a guest's whom an earlier request has made.

    If the answer to that request was lost, or has not come yet, the browser does not know the
    guest. Only the browser that has begun the game knows its key, so it may have that guest.

    Raises:
        InputError: the match is another user's.
    """
    owner = User.objects.get(computer="", seats__match=row)
    if user == owner:
        return
    if owner.is_guest and (user is None or (user.is_guest and not user.seats.exists())):
        resume_guest(request, owner)
    elif owner.is_guest and user is not None and not user.is_guest:
        transfer_guest(owner, user)
    else:
        fault = Fault("offline/not-yours", "this game has come to another account")
        raise InputError([fault])


def _store(user: User, begun: OfflineGame) -> None:
    users = [computer(str(begun.level.number))] * begun.game.seats
    users[begun.seat] = user
    terms = Terms(game=begun.game, players=tuple(str(player.pk) for player in users))
    with transaction.atomic():
        services.store_match(terms, users, slug=begun.slug)
        services.make_first_moves(begun.slug, begun.moves)
