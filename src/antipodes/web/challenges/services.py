"""Create, join and cancel challenges."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from prometheus_client.core import GaugeMetricFamily, Metric

from antipodes.clocks import HOUR, UNLIMITED, TimeControl, read_control
from antipodes.errors import Fault, InputError, InvalidOptionsError, MatchError
from antipodes.games import pairing_strategy
from antipodes.games.options import in_words
from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.match import Challenge, Joined, Start
from antipodes.web.accounts.models import User
from antipodes.web.accounts.restrictions import check_may_play
from antipodes.web.accounts.services import computer
from antipodes.web.challenges.eligibility import Viewer, check_bot_may_join, why_not
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.clubs.models import ClubRow
from antipodes.web.clubs.permissions import role_in
from antipodes.web.jobs.clients import neighbours
from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.matches.services import announce, store_match
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import NEW_GAMES, count_limit, take
from antipodes.web.ratings.classes import BoardClass, Speed, board_class_of, speed_of
from antipodes.web.ratings.selectors import rating_of
from antipodes.web.relations.services import check_may_meet

_RECENT = HOUR  # milliseconds; idle games cost no engine time

COMPUTER_GAMES = count_limit(
    "computer-games", 60, per="user", what="games against the computer with a move in the last hour"
)
COMPUTER_GAMES_OF_ADDRESS = count_limit(
    "computer-games-of-address",
    200,
    per="address",
    what="games against the computer with a move in the last hour",
)


def check_computer_games(user: User) -> None:
    """Refuse another game against the computer if too many are in progress.

    Only unfinished games with a move in the last hour count.

    Raises:
        InputError: the user or the network has reached the limit.
    """
    own = _games(Q(pk=user.pk))
    if own >= COMPUTER_GAMES.value:
        message = _(
            "You are playing %(count)d games against the computer. Finish or resign one first."
        )
        raise InputError([Fault("work/too-many-games", message % {"count": own})])
    for users, multiple in neighbours(user):
        count = _games(users)
        if count >= multiple * COMPUTER_GAMES_OF_ADDRESS.value:
            message = _(
                "Your network is playing %(count)d games against the computer. "
                "Try again when some of them have ended."
            )
            raise InputError([Fault("work/too-many-games", message % {"count": count})])


def _games(users: Q) -> int:
    """Return the number of games against the computer that some users are playing."""
    seats = SeatRow.objects.filter(user__in=User.objects.filter(users)).values("match")
    recent = MatchRow.objects.filter(ended_at=None, changed_at__gt=now() - _RECENT, pk__in=seats)
    return recent.filter(seats__user__computer__gt="").distinct().count()


MOST_USES = 100  # matches that one link may start
MOST_WAITING = 50  # open challenges of one user
_LOTS = 1_000_000


class Opponent(StrEnum):
    """Kinds of opponents."""

    COMPUTER = "computer"
    ANYBODY = "anybody"
    PEOPLE = "people"
    LINK = "link"
    CLUB = "club"


@dataclass(frozen=True, kw_only=True)
class GameRequest:
    """A user's request for a new game.

    Attributes:
        game: the game with its options.
        opponent: the kind of opponent.
        level: level of a computer opponent, or ``pairing`` for the pairing strategy.
        people: the invited players, if they are named.
        promised: pairs of an invited player's id and their seat.
        seat: the user's own seat, or ``None`` for a random one.
        computers: the computer's seats with their levels.
        control: the time control.
        rated: whether the game is rated.
        analysis: whether players may try variations beside the game.
        points: target of Antipalos match play; ``None`` for a single game.
        is_private: whether only the players, and members of the club, may watch.
        club: the club whose members are challenged.
        lowest: minimum rating of the opponent.
        highest: maximum rating of the opponent.
        within: maximum distance from the user's own rating; narrows the range above.
        accounts_only: whether guests may not join.
        established_only: whether players with a provisional rating may not join.
        uses: how many matches a link may start, each with another player.
        hours: time until the challenge expires; ``None`` for never.
        start: where the match begins, if not at the start of the game.
    """

    game: Game
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
    start: Start | None = None

    def challenge(self, user: User) -> Challenge:
        """Return the challenge that this request describes.

        Raises:
            InputError: parts of the request contradict each other.
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
            start=self.start,
        )
        return _filled(challenge, self.level) if self.opponent is Opponent.COMPUTER else challenge


def _filled(challenge: Challenge, level: str) -> Challenge:
    """Return a challenge with computers on its free seats; the pairing strategy moves second."""
    if level == pairing_strategy.PLAYER and challenge.seat is None:
        challenge = replace(challenge, seat=0)
    return challenge.fill(str(computer(level).pk))


def challenge_of(row: ChallengeRow) -> Challenge:
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
        start=row.match_start,
    )


def request_game(user: User, request: GameRequest) -> MatchRow | ChallengeRow:
    """Start a match if no other player must agree, else post a challenge.

    Raises:
        InputError: the request contradicts itself or is for study only; or the user is suspended,
            invites a player with whom one blocks the other, or plays too many games against the
            computer.
        TooManyError: the user has started too many games.
    """
    check_may_play(user)
    check_may_meet(user, request.people)
    if request.start is None:
        check_offered(request.game)
    take(NEW_GAMES, str(user.pk))
    challenge = request.challenge(user)
    _check_requirements(user, request)
    if request.opponent is Opponent.COMPUTER or request.computers:
        check_computer_games(user)
    if challenge.is_full:
        room = {"is_private": request.is_private, "club": request.club}
        with transaction.atomic():
            match = _store(challenge, **room)
        announce(match)
        return match
    at = now()
    speed, board_class = speed_of(request.control), board_class_of(request.game)
    lowest, highest = _range(user, request, speed, board_class)
    with transaction.atomic():
        row = ChallengeRow.objects.create(
            game_id=request.game.id,
            options=dict(request.game.options.changed()),
            control=str(request.control),
            rated=request.rated,
            analysis=request.analysis,
            points=request.points,
            by=user,
            seat=request.seat,
            computers=[list(pair) for pair in request.computers],
            promised=[list(pair) for pair in request.promised],
            is_listed=request.opponent in {Opponent.ANYBODY, Opponent.CLUB},
            is_private=request.is_private,
            club=request.club,
            speed=speed,
            board_class=board_class,
            lowest=lowest,
            highest=highest,
            accounts_only=request.accounts_only,
            established_only=request.established_only,
            uses=request.uses,
            made_at=at,
            expires_at=None if request.hours is None else at + request.hours * HOUR,
            start=None if request.start is None else request.start.as_json(),
        )
        row.invited.set(request.people)
    return row


def check_offered(game: Game) -> None:
    """Refuse options that are for study only, such as solved boards.

    Raises:
        InvalidOptionsError: the game has such options; the error lists all of them.
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


def _check_requirements(user: User, request: GameRequest) -> None:
    """Refuse contradicting requirements on opponents.

    Raises:
        InputError: the user is not a member of the club, the range of ratings is empty, or the link
            would start too many matches.
    """
    if (request.club is None) == (request.opponent is Opponent.CLUB):
        raise InputError.single("lobby/no-club", _("choose one of your clubs"))
    if request.club is not None and role_in(request.club, user) is None:
        message = _("you are no member of %(club)s") % {"club": request.club.name}
        raise InputError.single("lobby/members-only", message)
    if (
        request.lowest is not None
        and request.highest is not None
        and request.lowest > request.highest
    ):
        message = _("no rating is from %(lowest)d to %(highest)d")
        told = {"lowest": request.lowest, "highest": request.highest}
        raise InputError.single("lobby/range", message % told)
    if request.uses > 1 and (request.opponent is not Opponent.LINK or request.game.seats > 2):
        message = _("only a link to a game for two begins several matches")
        raise InputError.single("lobby/uses", message)
    if not 1 <= request.uses <= MOST_USES:
        message = _("a link begins 1 to %(most)d matches, not %(count)d")
        raise InputError.single("lobby/uses", message % {"most": MOST_USES, "count": request.uses})
    count = ChallengeRow.objects.filter(by=user, match=None).count()
    if count >= MOST_WAITING:
        message = _("you have %(count)d open challenges; cancel one first")
        raise InputError.single("lobby/too-many", message % {"count": count})


def _range(
    user: User, request: GameRequest, speed: Speed, board_class: BoardClass
) -> tuple[int | None, int | None]:
    """Return the minimum and maximum rating of the opponent."""
    if request.within is None:
        return request.lowest, request.highest
    own = rating_of(user, request.game.id, speed, board_class).rounded
    lowest = max(own - request.within, request.lowest or 0)
    highest = own + request.within
    return lowest, highest if request.highest is None else min(highest, request.highest)


def join(slug: str, user: User, seat: int | None = None) -> MatchRow | None:
    """Join a challenge; return the match if it starts.

    A player who joins a multi-use link again while playing a match of it gets that match.

    Raises:
        ChallengeRow.DoesNotExist: there is no such challenge.
        InputError: the user may not join, or not on this seat; the error says why.
        TooManyError: the user has begun too many games.
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
        match = _start_match(row, challenge, user) if challenge.is_full else None
    if match is not None:
        announce(match)
    return match


def match_by_link(row: ChallengeRow, user: User | None) -> MatchRow | None:
    """Return the unfinished match between a link's owner and a user who opens the link."""
    if user is None or user.pk == row.by_id:
        return None
    begun = MatchRow.objects.filter(begun_by__challenge=row, seats__user=user, ended_at=None)
    return begun.first()


def leave(slug: str, user: User) -> None:
    """Leave a challenge that has not started.

    Raises:
        ChallengeRow.DoesNotExist: there is no such challenge.
        MatchError: the user had not joined, or the match has started.
    """
    with transaction.atomic():
        row = _open_row(slug)
        challenge_of(row).leave(str(user.pk))
        row.joins.filter(user=user).delete()


def fill(slug: str, user: User, level: str) -> MatchRow:
    """Let the computer take all free seats, and start the match.

    Raises:
        ChallengeRow.DoesNotExist: there is no such challenge of this user.
        MatchError: the match has started.
        InputError: the user plays too many games against the computer.
        TooManyError: the user has begun too many games.
    """
    with transaction.atomic():
        row = _open_row(slug, by=user)
        check_may_play(user)
        check_computer_games(user)
        match = _start_match(row, _filled(challenge_of(row), level), user)
    announce(match)
    return match


def cancel(slug: str, user: User) -> None:
    """Cancel a challenge of the user.

    Raises:
        ChallengeRow.DoesNotExist: there is no such challenge of this user.
        MatchError: the match has started.
    """
    with transaction.atomic():
        _open_row(slug, by=user).delete()


def decline(slug: str, user: User) -> None:
    """Decline an invitation; delete the challenge if no other player is invited.

    Raises:
        ChallengeRow.DoesNotExist: there is no such invitation of this user.
        MatchError: the match has started.
    """
    with transaction.atomic():
        row = _open_row(slug, invited=user)
        row.joins.filter(user=user).delete()
        row.invited.remove(user)
        # Without invited players the challenge would be open to all.
        if not row.invited.exists():
            row.delete()


def _open_row(slug: str, **lookup: User) -> ChallengeRow:
    """Lock and return a challenge whose match has not started."""
    row = ChallengeRow.objects.select_for_update().get(slug=slug, **lookup)
    if row.match_id is not None:
        raise MatchError([Fault("match/full", "the match has already started")])
    return row


def _start_match(row: ChallengeRow, challenge: Challenge, by: User) -> MatchRow:
    """Store the match of a full challenge; a multi-use link stays open for more.

    The match counts as begun by the user who fills the challenge.

    Raises:
        TooManyError: the user has begun too many games.
    """
    take(NEW_GAMES, str(by.pk))
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
        if user.computer == pairing_strategy.PLAYER:
            pairing_strategy.check_seat(terms.game, seat)
    return store_match(terms, users, points=challenge.points, **room)


def withdraw_between(by: User, whom: User, **_: object) -> None:
    """Cancel invitations between two players, and their seats in challenges of each other."""
    for host, guest in ((by, whom), (whom, by)):
        waiting = ChallengeRow.objects.filter(match=None, by=host)
        for slug in list(waiting.filter(joins__user=guest).values_list("slug", flat=True)):
            leave(slug, guest)
        for slug in list(waiting.filter(invited=guest).values_list("slug", flat=True)):
            decline(slug, guest)
    # In challenges of others, the player who blocks leaves.
    both = ChallengeRow.objects.filter(match=None, joins__user=by).filter(joins__user=whom)
    for slug in list(both.values_list("slug", flat=True)):
        leave(slug, by)


def withdraw_all(user: User) -> None:
    """Withdraw all challenges of a user, and leave all challenges of others."""
    waiting = ChallengeRow.objects.filter(match=None)
    for slug in list(waiting.filter(by=user).values_list("slug", flat=True)):
        cancel(slug, user)
    for slug in list(waiting.filter(joins__user=user).values_list("slug", flat=True)):
        leave(slug, user)


def withdraw_club_challenges(club: ClubRow, user: User, **_: object) -> None:
    """Cancel a user's challenges to a club that they leave."""
    ChallengeRow.objects.filter(club=club, by=user, match=None).delete()


def open_challenges() -> Iterator[Metric]:
    """Yield the number of open challenges."""
    count = ChallengeRow.objects.filter(match=None).count()
    yield GaugeMetricFamily(
        "antipodes_challenges_open", "Challenges that wait for players", value=count
    )
