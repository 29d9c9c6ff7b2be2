"""What changes challenges in the database."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db import transaction

from antipodes.clocks import UNLIMITED, TimeControl, read_control
from antipodes.errors import Fault, MatchError
from antipodes.games.base import BoardGame
from antipodes.games.registry import make_game
from antipodes.match import Challenge, Joined
from antipodes.web.community.services import check_may_meet, check_may_play
from antipodes.web.matches.models import ChallengeRow, MatchRow
from antipodes.web.matches.services import begin_match, now
from antipodes.web.ops.limits import NEW_GAMES, take
from antipodes.web.people.models import User
from antipodes.web.people.services import computer

_LOTS = 1_000_000


class Opponent(StrEnum):
    """Who is wanted."""

    COMPUTER = "computer"
    ANYBODY = "anybody"
    PEOPLE = "people"
    LINK = "link"


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What somebody wants to play.

    Attributes:
        game: the rules with their options.
        opponent: who is wanted.
        level: of the computer, where it is the opponent.
        people: those who are invited, where they are named.
        seat: the seat that is wanted, or ``None`` to draw lots.
        computers: seats that the computer takes, with its level there.
        control: how much time there is.
        rated: whether it will count.
        analysis: whether players may try variations beside the game.
        points: of Antipalos' match play; ``None`` for one game.
    """

    game: BoardGame[Any, Any]
    opponent: Opponent = Opponent.COMPUTER
    level: str = "1"
    people: tuple[User, ...] = ()
    seat: int | None = None
    computers: tuple[tuple[int, str], ...] = ()
    control: TimeControl = UNLIMITED
    rated: bool = False
    analysis: bool = True
    points: int | None = None

    def challenge(self, user: User) -> Challenge:
        """Return the wish as the rules of challenges know it.

        Raises:
            InputError: what is wished for does not go together.
        """
        challenge = Challenge(
            game=self.game,
            by=str(user.pk),
            control=self.control,
            rated=self.rated,
            analysis=self.analysis,
            points=self.points,
            seat=self.seat,
            computers=tuple((seat, str(computer(level).pk)) for seat, level in self.computers),
            invited=frozenset(str(one.pk) for one in self.people),
        )
        if self.opponent is Opponent.COMPUTER:
            return challenge.fill(str(computer(self.level).pk))
        return challenge


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


def take_up(user: User, wish: Wish) -> MatchRow | ChallengeRow:
    """Begin a match if nobody need be asked; else post a challenge.

    Raises:
        InputError: what is wished for does not go together, or the user is suspended, or invites
            somebody who is blocked either way.
        TooManyError: this user has begun too many games.
    """
    check_may_play(user)
    check_may_meet(user, wish.people)
    take(NEW_GAMES, str(user.pk))
    challenge = wish.challenge(user)
    if challenge.is_full:
        return _begin(challenge)
    with transaction.atomic():
        row = ChallengeRow.objects.create(
            game_id=wish.game.id,
            options=dict(wish.game.options.changed()),
            control=str(wish.control),
            rated=wish.rated,
            analysis=wish.analysis,
            points=wish.points,
            by=user,
            seat=wish.seat,
            computers=[list(pair) for pair in wish.computers],
            is_listed=wish.opponent is Opponent.ANYBODY,
            made_at=now(),
        )
        row.invited.set(wish.people)
    return row


def join(slug: str, user: User, seat: int | None = None) -> MatchRow | None:
    """Join a challenge; return the match if it begins with that.

    Raises:
        ChallengeRow.DoesNotExist: there is no such challenge.
        MatchError: this person cannot join, or not there.
    """
    with transaction.atomic():
        row = _open_row(slug)
        if row.rated and user.is_guest:
            message = "this game is rated; sign up to play it"
            raise MatchError([Fault("match/rated", message)])
        check_may_play(user)
        check_may_meet(user, [row.by_id, *row.joins.values_list("user", flat=True)])
        challenge = challenge_of(row).join(str(user.pk), seat)
        row.joins.create(user=user, seat=seat)
        return _begin_row(row, challenge) if challenge.is_full else None


def leave(slug: str, user: User) -> None:
    """Leave a challenge that has not begun.

    Raises:
        ChallengeRow.DoesNotExist: there is no such challenge.
        MatchError: the user had not joined, or the match has begun.
    """
    with transaction.atomic():
        row = _open_row(slug)
        challenge_of(row).leave(str(user.pk))
        row.joins.filter(user=user).delete()


def fill(slug: str, user: User, level: str) -> MatchRow:
    """Let the computer take all seats that are free, and begin.

    Raises:
        ChallengeRow.DoesNotExist: there is no such challenge of this user.
        MatchError: the match has begun.
    """
    with transaction.atomic():
        row = _open_row(slug, by=user)
        check_may_play(user)
        return _begin_row(row, challenge_of(row).fill(str(computer(level).pk)))


def cancel(slug: str, user: User) -> None:
    """Take one's own challenge back.

    Raises:
        ChallengeRow.DoesNotExist: there is no such challenge of this user.
        MatchError: the match has begun.
    """
    with transaction.atomic():
        _open_row(slug, by=user).delete()


def decline(slug: str, user: User) -> None:
    """Decline an invitation; a challenge that nobody may take up any more is gone.

    Raises:
        ChallengeRow.DoesNotExist: there is no such invitation of this user.
        MatchError: the match has begun.
    """
    with transaction.atomic():
        row = _open_row(slug, invited=user)
        row.joins.filter(user=user).delete()
        row.invited.remove(user)
        # Without anybody invited it would be open to all.
        if not row.invited.exists():
            row.delete()


def _open_row(slug: str, **wanted: User) -> ChallengeRow:
    """Return the row of a challenge whose match has not begun, locked."""
    row = ChallengeRow.objects.select_for_update().get(slug=slug, **wanted)
    if row.match_id is not None:
        raise MatchError([Fault("match/full", "the match has begun already")])
    return row


def _begin_row(row: ChallengeRow, challenge: Challenge) -> MatchRow:
    row.match = _begin(challenge)
    row.save()
    return row.match


def _begin(challenge: Challenge) -> MatchRow:
    terms = challenge.terms(secrets.randbelow(_LOTS))
    by_key = {str(user.pk): user for user in User.objects.filter(pk__in=set(terms.players))}
    users = [by_key[key] for key in terms.players]
    return begin_match(terms, users, points=challenge.points)
