"""What changes challenges in the database."""

from __future__ import annotations

import secrets
from typing import Any

from django.db import transaction

from antipodes.clocks import TimeControl, read_control
from antipodes.games.base import BoardGame
from antipodes.games.registry import make_game
from antipodes.match import Challenge, Joined, Terms
from antipodes.web.matches.models import ChallengeRow, MatchRow
from antipodes.web.matches.services import begin_match, now
from antipodes.web.people.models import User
from antipodes.web.people.services import computer


def challenge_of(row: ChallengeRow) -> Challenge:
    """Return a challenge as the rules of challenges know it."""
    return Challenge(
        game=make_game(row.game_id, row.options),
        by=str(row.by_id),
        control=read_control(row.control),
        rated=row.rated,
        analysis=row.analysis,
        points=row.points,
        seat=row.seat,
        computers=tuple((seat, str(computer(level).pk)) for seat, level in row.computers),
        invited=frozenset(str(user.pk) for user in row.invited.all()),
        joined=tuple(Joined(player=str(one.user_id), seat=one.seat) for one in row.joins.all()),
    )


def post_challenge(
    user: User,
    game: BoardGame[Any, Any],
    *,
    control: TimeControl,
    seat: int | None,
    is_listed: bool,
) -> ChallengeRow:
    """Post a challenge for anybody, or for whoever gets its link."""
    return ChallengeRow.objects.create(
        game_id=game.id,
        options=dict(game.options.changed()),
        control=str(control),
        by=user,
        seat=seat,
        is_listed=is_listed,
        made_at=now(),
    )


def join(slug: str, user: User) -> MatchRow | None:
    """Join a challenge; return the match if it begins with that.

    Raises:
        ChallengeRow.DoesNotExist: there is no such challenge.
        MatchError: this user cannot join.
    """
    with transaction.atomic():
        row = ChallengeRow.objects.select_for_update().get(slug=slug)
        challenge = challenge_of(row).join(str(user.pk))
        row.joins.create(user=user)
        if not challenge.is_full:
            return None
        return _begin(row, challenge)


def play_at_once(
    game: BoardGame[Any, Any],
    user: User,
    opponents: list[User],
    *,
    control: TimeControl,
    seat: int | None,
) -> MatchRow:
    """Begin a match with opponents who need not be asked, such as the computer."""
    own = secrets.randbelow(game.seats) if seat is None else seat
    users = list(opponents[: game.seats - 1])
    users.insert(own, user)
    terms = Terms(game=game, players=tuple(str(one.pk) for one in users), control=control)
    return begin_match(terms, users)


def _begin(row: ChallengeRow, challenge: Challenge) -> MatchRow:
    terms = challenge.terms(secrets.randbelow(1_000_000))
    by_key = {str(user.pk): user for user in User.objects.filter(pk__in=terms.players)}
    row.match = begin_match(terms, [by_key[key] for key in terms.players])
    row.save()
    return row.match
