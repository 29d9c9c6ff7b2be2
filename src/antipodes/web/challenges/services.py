"""What changes challenges in the database."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from antipodes.clocks import UNLIMITED, TimeControl, read_control
from antipodes.errors import Fault, InputError, InvalidOptionsError, MatchError
from antipodes.games import pairing
from antipodes.games.base import BoardGame
from antipodes.games.options import in_words
from antipodes.games.registry import make_game
from antipodes.match import Challenge, Joined
from antipodes.web.accounts.models import User
from antipodes.web.accounts.restrictions import check_may_play
from antipodes.web.accounts.services import computer
from antipodes.web.challenges.eligibility import Viewer, check_bot_may_join, why_not
from antipodes.web.challenges.engine_limits import check_computer_games
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.clubs.models import ClubRow
from antipodes.web.clubs.permissions import role_in
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import announce, store_match
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import NEW_GAMES, take
from antipodes.web.ratings.classes import BoardClass, Speed, board_class_of, speed_of
from antipodes.web.ratings.selectors import rating_of
from antipodes.web.relations.services import check_may_meet

MOST_USES = 100  # matches that one link begins
MOST_WAITING = 50  # challenges of one user
_LOTS = 1_000_000
_HOUR = 3_600_000  # milliseconds


class Opponent(StrEnum):
    """Who is wanted."""

    COMPUTER = "computer"
    ANYBODY = "anybody"
    PEOPLE = "people"
    LINK = "link"
    CLUB = "club"


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What somebody wants to play.

    Attributes:
        game: the rules with their options.
        opponent: who is wanted.
        level: of the computer, where it is the opponent, or ``pairing`` for its pairing strategy.
        people: those who are invited, where they are named.
        promised: pairs of the key of one of them and the seat that they will have.
        seat: the seat that is wanted, or ``None`` to draw lots.
        computers: seats that the computer takes, with its level there.
        control: how much time there is.
        rated: whether it will count.
        analysis: whether players may try variations beside the game.
        points: of Antipalos' match play; ``None`` for one game.
        is_private: whether only players, and members of the club, may watch.
        club: whose members are wanted, or nobody else's.
        lowest: rating of whoever joins, at least.
        highest: rating of whoever joins, at most.
        within: so far from one's own rating at most; narrows the two above.
        accounts_only: whether guests may not join.
        established_only: whether nobody with a provisional rating may join.
        uses: how many matches a link may begin, one with each person who opens it.
        hours: after which the challenge runs out; ``None`` for never.
    """

    game: BoardGame[Any, Any]
    opponent: Opponent = Opponent.COMPUTER
    level: str = "1"
    people: tuple[User, ...] = ()
    promised: tuple[tuple[int, int], ...] = ()
    seat: int | None = None
    computers: tuple[tuple[int, str], ...] = ()
    control: TimeControl = UNLIMITED
    rated: bool = False
    analysis: bool = True
    points: int | None = None
    is_private: bool = False
    club: ClubRow | None = None
    lowest: int | None = None
    highest: int | None = None
    within: int | None = None
    accounts_only: bool = False
    established_only: bool = False
    uses: int = 1
    hours: int | None = None

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
            promised=tuple((str(user), seat) for user, seat in self.promised),
        )
        return _filled(challenge, self.level) if self.opponent is Opponent.COMPUTER else challenge


def _filled(challenge: Challenge, level: str) -> Challenge:
    """Return a challenge whose free seats the computer takes; its pairing strategy moves second."""
    if level == pairing.PLAYER and challenge.seat is None:
        challenge = replace(challenge, seat=0)
    return challenge.fill(str(computer(level).pk))


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
        promised=tuple((str(user), seat) for user, seat in row.promised),
        joined=tuple(Joined(player=str(one.user_id), seat=one.seat) for one in row.joins.all()),
    )


def take_up(user: User, wish: Wish) -> MatchRow | ChallengeRow:
    """Begin a match if nobody need be asked; else post a challenge.

    Raises:
        InputError: what is wished for does not go together or is for study only, or the user is
            suspended, or invites somebody who is blocked either way, or plays too many games
            against the computer.
        TooManyError: this user has begun too many games.
    """
    check_may_play(user)
    check_may_meet(user, wish.people)
    _check_offered(wish.game)
    take(NEW_GAMES, str(user.pk))
    challenge = wish.challenge(user)
    _check_wanted(user, wish)
    if wish.opponent is Opponent.COMPUTER or wish.computers:
        check_computer_games(user)
    if challenge.is_full:
        room = {"is_private": wish.is_private, "club": wish.club}
        with transaction.atomic():
            match = _store(challenge, **room)
        announce(match)
        return match
    at = now()
    speed, board_class = speed_of(wish.control), board_class_of(wish.game)
    lowest, highest = _range(user, wish, speed, board_class)
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
            promised=[list(pair) for pair in wish.promised],
            is_listed=wish.opponent in {Opponent.ANYBODY, Opponent.CLUB},
            is_private=wish.is_private,
            club=wish.club,
            speed=speed,
            board_class=board_class,
            lowest=lowest,
            highest=highest,
            accounts_only=wish.accounts_only,
            established_only=wish.established_only,
            uses=wish.uses,
            made_at=at,
            expires_at=None if wish.hours is None else at + wish.hours * _HOUR,
        )
        row.invited.set(wish.people)
    return row


def _check_offered(game: BoardGame[Any, Any]) -> None:
    """Refuse options that are for study only, such as boards that are solved.

    Raises:
        InvalidOptionsError: the game has such options; all of them are told.
    """
    faults = [
        Fault.of(
            "option/out-of-range",
            "{name} is {value}, but must be {allowed}",
            where=name,
            name=name,
            value=value,
            allowed=in_words(offered),
        )
        for name, value in game.options.changed().items()
        if value not in (offered := game.options.offered(name))
    ]
    if faults:
        raise InvalidOptionsError(faults)


def _check_wanted(user: User, wish: Wish) -> None:
    """Refuse what does not go together in whom somebody wants.

    Raises:
        InputError: the user is no member of the club, or nobody can have such a rating, or the
            link could begin too many matches.
    """
    if (wish.club is None) == (wish.opponent is Opponent.CLUB):
        raise InputError.single("lobby/no-club", _("choose one of your clubs"))
    if wish.club is not None and role_in(wish.club, user) is None:
        message = _("you are no member of %(club)s") % {"club": wish.club.name}
        raise InputError.single("lobby/members-only", message)
    if wish.lowest is not None and wish.highest is not None and wish.lowest > wish.highest:
        message = _("no rating is from %(lowest)d to %(highest)d")
        told = {"lowest": wish.lowest, "highest": wish.highest}
        raise InputError.single("lobby/range", message % told)
    if wish.uses > 1 and (wish.opponent is not Opponent.LINK or wish.game.seats > 2):
        message = _("only a link to a game for two begins several matches")
        raise InputError.single("lobby/uses", message)
    if not 1 <= wish.uses <= MOST_USES:
        message = _("a link begins 1 to %(most)d matches, not %(count)d")
        raise InputError.single("lobby/uses", message % {"most": MOST_USES, "count": wish.uses})
    waiting = ChallengeRow.objects.filter(by=user, match=None).count()
    if waiting >= MOST_WAITING:
        message = _("%(count)d of your challenges wait already; take one of them back")
        raise InputError.single("lobby/too-many", message % {"count": waiting})


def _range(
    user: User, wish: Wish, speed: Speed, board_class: BoardClass
) -> tuple[int | None, int | None]:
    """Return the least and the greatest rating that are wanted."""
    if wish.within is None:
        return wish.lowest, wish.highest
    own = rating_of(user, wish.game.id, speed, board_class).rounded
    lowest = max(0, own - wish.within, wish.lowest or 0)
    highest = own + wish.within
    return lowest, highest if wish.highest is None else min(highest, wish.highest)


def join(slug: str, user: User, seat: int | None = None) -> MatchRow | None:
    """Join a challenge; return the match if it begins with that.

    Whoever joins by a link that begins several matches, and plays one of them, is led to that.

    Raises:
        ChallengeRow.DoesNotExist: there is no such challenge.
        InputError: this person cannot join, or not there; the reason is told.
    """
    with transaction.atomic():
        row = _open_row(slug)
        known = match_by_link(row, user)
        if known is not None:
            return known
        reason = why_not(row, Viewer(user))
        if reason is not None:
            raise MatchError([reason])
        check_may_play(user)
        check_bot_may_join(row, user)
        if row.computers:
            check_computer_games(user)
        check_may_meet(user, [row.by_id, *row.joins.values_list("user", flat=True)])
        challenge = challenge_of(row).join(str(user.pk), seat)
        row.joins.create(user=user, seat=challenge.joined[-1].seat)
        match = _store_of(row, challenge) if challenge.is_full else None
    if match is not None:
        announce(match)
    return match


def match_by_link(row: ChallengeRow, user: User | None) -> MatchRow | None:
    """Return the match that goes on between whoever sent a link and somebody who has opened it."""
    if user is None or user.pk == row.by_id:
        return None
    begun = MatchRow.objects.filter(begun_by__challenge=row, seats__user=user, ended_at=None)
    return begun.first()


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
        InputError: the user plays too many games against the computer.
    """
    with transaction.atomic():
        row = _open_row(slug, by=user)
        check_may_play(user)
        check_computer_games(user)
        match = _store_of(row, _filled(challenge_of(row), level))
    announce(match)
    return match


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


def _store_of(row: ChallengeRow, challenge: Challenge) -> MatchRow:
    """Store the match of a challenge that is full; a link for several begins more."""
    match = _store(challenge, is_private=row.is_private, club=row.club)
    if row.uses > 1 or row.begun.exists():
        row.begun.create(match=match)
        row.joins.all().delete()
    row.uses -= 1
    if row.uses == 0:
        row.match = match
    row.save(update_fields=["uses", "match"])
    return match


def _store(challenge: Challenge, **room: Any) -> MatchRow:
    terms = challenge.terms(secrets.randbelow(_LOTS))
    by_key = {str(user.pk): user for user in User.objects.filter(pk__in=set(terms.players))}
    users = [by_key[key] for key in terms.players]
    for seat, user in enumerate(users):
        if user.computer == pairing.PLAYER:
            pairing.check_seat(terms.game, seat)
    return store_match(terms, users, points=challenge.points, **room)
