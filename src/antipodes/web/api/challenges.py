"""Challenges: access, conversion to responses, and reading of requests."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from antipodes.clocks import read_control
from antipodes.errors import Fault, InputError, MatchError
from antipodes.notation.text import shorten
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import find_players
from antipodes.web.api.matches import match_summary
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.challenges import (
    ChallengeIn,
    ChallengeOut,
    ComputerSeatOut,
    JoinOut,
    MatchOrChallengeOut,
)
from antipodes.web.api.schemas.people import person_out
from antipodes.web.challenges.eligibility import Viewer, why_not
from antipodes.web.challenges.models import ChallengeRow, joined
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.clubs.models import ClubRow
from antipodes.web.clubs.permissions import role_in
from antipodes.web.matches.fair_options import agreed_game
from antipodes.web.matches.labels import game_label
from antipodes.web.matches.models import MatchRow
from antipodes.web.ratings.classes import speed_name
from antipodes.web.relations.services import blocked_by_or_blocking


def challenges() -> QuerySet[ChallengeRow]:
    """Return all challenges that have not begun, with the rows that `challenge_out` needs."""
    rows = ChallengeRow.objects.filter(match=None).select_related("by", "club")
    return rows.prefetch_related(joined(), "invited")


def listed_for(user: User | None) -> Q:
    """Return the condition on challenges in the lobby that a user may see."""
    listed = Q(is_listed=True, club=None)
    if user is None:
        return listed
    is_blocked = Q(by__in=blocked_by_or_blocking(user))
    return (listed | Q(is_listed=True, club__members__user=user)) & ~is_blocked


def own(user: User) -> Q:
    """Return the condition on challenges that a user has made or joined, or is invited to."""
    return Q(by=user) | Q(joins__user=user) | Q(invited=user)


def find_challenge(slug: str, user: User | None) -> ChallengeRow:
    """Return a challenge; as on the site, its address is enough unless it is a club's.

    Raises:
        ApiError: there is none, or the user may not see it.
    """
    rows = ChallengeRow.objects.select_related("by", "match", "club")
    row = rows.prefetch_related(joined(), "invited").filter(slug=slug).first()
    if row is None or not _may_see(row, user):
        raise not_found(_("There is no challenge %(slug)s.") % {"slug": shorten(slug)})
    return row


def _may_see(row: ChallengeRow, user: User | None) -> bool:
    return row.club is None or role_in(row.club, user) is not None


def challenge_out(row: ChallengeRow, user: User | None) -> ChallengeOut:
    """Return a challenge, with its related rows prefetched, as response data for a user."""
    joins = list(row.joins.all())
    players = {row.by_id, *(join.user_id for join in joins)}
    taken = {row.seat, *(seat for seat, _level in row.computers), *(join.seat for join in joins)}
    seats = row.game.seats
    return ChallengeOut(
        slug=row.slug,
        game=row.game_id,
        title=game_label(row.game_id, row.options),
        options=row.options,
        control=row.control,
        speed=speed_name(row.control),
        rated=row.rated,
        analysis=row.analysis,
        points=row.points,
        by=person_out(row.by),
        seat=row.seat,
        computers=[ComputerSeatOut(seat=seat, level=str(level)) for seat, level in row.computers],
        joined=[JoinOut(person=person_out(join.user), seat=join.seat) for join in joins],
        invited=[person_out(invited) for invited in row.invited.all()],
        listed=row.is_listed,
        private=row.is_private,
        club=row.club.slug if row.club else None,
        lowest=row.lowest,
        highest=row.highest,
        accounts_only=row.accounts_only,
        established_only=row.established_only,
        expires=row.expires_at,
        may_join=_may_join(row, user, players),
        seats=seats,
        free=[seat for seat in range(seats) if seat not in taken],
        made=row.made_at,
        match=row.match.slug if row.match else None,
        is_mine=user is not None and user.pk in players,
    )


def _may_join(row: ChallengeRow, user: User | None, players: set[int]) -> bool:
    if user is None or user.pk in players or row.match is not None:
        return False
    invited = {one.pk for one in row.invited.all()}
    return not (invited and user.pk not in invited) and why_not(row, Viewer(user)) is None


def match_or_challenge_out(row: MatchRow | ChallengeRow, user: User) -> MatchOrChallengeOut:
    """Return the match that began, or the challenge, as response data."""
    if isinstance(row, MatchRow):
        return MatchOrChallengeOut(match=match_summary(row, user), challenge=None)
    return MatchOrChallengeOut(match=None, challenge=challenge_out(row, user))


def game_request(user: User, data: ChallengeIn) -> GameRequest:
    """Return the game request for `request_game`.

    Raises:
        InputError: a value is invalid, or values contradict each other.
    """
    if user.is_bot and data.rated and data.opponent is Opponent.COMPUTER:
        raise MatchError([Fault("match/rated", _("Games with the computer are not rated."))])
    return GameRequest(
        game=agreed_game(data.game, data.options),
        opponent=data.opponent,
        level=str(data.level),
        people=_players(user, data.people) if data.opponent is Opponent.PEOPLE else (),
        seat=data.seat,
        computers=tuple((one.seat, str(one.level)) for one in data.computers),
        control=read_control(data.control),
        rated=data.rated,
        analysis=data.analysis,
        points=data.points,
        is_private=data.private,
        club=_club(user, data.club) if data.opponent is Opponent.CLUB else None,
        lowest=data.lowest,
        highest=data.highest,
        within=data.within,
        accounts_only=data.accounts_only,
        established_only=data.established_only,
        uses=data.uses,
        hours=data.hours,
    )


def _club(user: User, slug: str | None) -> ClubRow | None:
    """Return a club of which the user is a member."""
    return ClubRow.objects.filter(slug=slug or "", members__user=user).first()


def _players(user: User, names: list[str]) -> tuple[User, ...]:
    players, unknown = find_players(names)
    if unknown:
        message = _("No such player: %(names)s.")
        names_text = ", ".join(shorten(name) for name in unknown)
        raise InputError.single("people/unknown", message % {"names": names_text}, "people")
    if not players:
        message = _("Name your opponents in “people”.")
        raise InputError.single("people/nobody", message, "people")
    if user in players:
        message = _("You cannot challenge yourself.")
        raise InputError.single("people/yourself", message, "people")
    return tuple(players)
