"""Challenges for programs: who may see which, and their shape."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from antipodes.clocks import read_control
from antipodes.errors import Fault, InputError, MatchError
from antipodes.games.registry import make_game
from antipodes.notation.text import shorten
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import find_players
from antipodes.web.api.matches import match_line
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.challenges import (
    ChallengeShape,
    ChallengeWanted,
    ComputerSeat,
    JoinedShape,
    MadeShape,
)
from antipodes.web.api.schemas.people import person_shape
from antipodes.web.challenges.eligibility import Viewer, why_not
from antipodes.web.challenges.models import ChallengeRow, joined
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.clubs.models import ClubRow
from antipodes.web.matches.labels import game_words
from antipodes.web.matches.models import MatchRow
from antipodes.web.ratings.classes import speed_of_text
from antipodes.web.relations.services import blocked_by_or_blocking


def challenges() -> QuerySet[ChallengeRow]:
    """Return all challenges that have not begun, with what their shape needs."""
    rows = ChallengeRow.objects.filter(match=None).select_related("by", "club")
    return rows.prefetch_related(joined(), "invited")


def of_others(user: User | None) -> Q:
    """Return the condition on challenges in the lobby that somebody may see."""
    listed = Q(is_listed=True, club=None)
    if user is None:
        return listed
    is_blocked = Q(by__in=blocked_by_or_blocking(user))
    return (listed | Q(is_listed=True, club__members__user=user)) & ~is_blocked


def own(user: User) -> Q:
    """Return the condition on challenges that somebody has made or joined, or is invited to."""
    return Q(by=user) | Q(joins__user=user) | Q(invited=user)


def find_challenge(slug: str, user: User | None) -> ChallengeRow:
    """Return a challenge that somebody may see: whoever knows its address may, as on the site.

    Raises:
        InterfaceError: there is none for them.
    """
    rows = ChallengeRow.objects.select_related("by", "match", "club")
    row = rows.prefetch_related(joined(), "invited").filter(slug=slug).first()
    if row is None or not _may_see(row, user):
        raise not_found(_("There is no challenge %(slug)s.") % {"slug": shorten(slug)})
    return row


def _may_see(row: ChallengeRow, user: User | None) -> bool:
    if row.club_id is None:
        return True
    return (
        user is not None
        and ChallengeRow.objects.filter(pk=row.pk, club__members__user=user).exists()
    )


def challenge_shape(row: ChallengeRow, user: User | None) -> ChallengeShape:
    """Return the shape of a challenge; what belongs to it should have been fetched with it."""
    joins = list(row.joins.all())
    people = {row.by_id, *(one.user_id for one in joins)}
    chosen = {row.seat, *(seat for seat, _level in row.computers), *(one.seat for one in joins)}
    seats = row.game.seats
    return ChallengeShape(
        slug=row.slug,
        game=row.game_id,
        title=game_words(row.game_id, row.options),
        options=row.options,
        control=row.control,
        speed=speed_of_text(row.control).value,
        rated=row.rated,
        analysis=row.analysis,
        points=row.points,
        by=person_shape(row.by),
        seat=row.seat,
        computers=[ComputerSeat(seat=seat, level=str(level)) for seat, level in row.computers],
        joined=[JoinedShape(person=person_shape(one.user), seat=one.seat) for one in joins],
        invited=[person_shape(one) for one in row.invited.all()],
        listed=row.is_listed,
        private=row.is_private,
        club=row.club.slug if row.club else None,
        lowest=row.lowest,
        highest=row.highest,
        accounts_only=row.accounts_only,
        established_only=row.established_only,
        expires=row.expires_at,
        may_join=_may_join(row, user, people),
        seats=seats,
        free=[seat for seat in range(seats) if seat not in chosen],
        made=row.made_at,
        match=row.match.slug if row.match else None,
        is_mine=user is not None and user.pk in people,
    )


def _may_join(row: ChallengeRow, user: User | None, people: set[int]) -> bool:
    if user is None or user.pk in people or row.match is not None:
        return False
    invited = {one.pk for one in row.invited.all()}
    return not (invited and user.pk not in invited) and why_not(row, Viewer(user)) is None


def made_shape(made: MatchRow | ChallengeRow, user: User) -> MadeShape:
    """Return what came of a challenge."""
    if isinstance(made, MatchRow):
        return MadeShape(match=match_line(made, user), challenge=None)
    return MadeShape(match=None, challenge=challenge_shape(made, user))


def wish_of(user: User, wanted: ChallengeWanted) -> GameRequest:
    """Return what a program wants to play, as the lobby knows it.

    Raises:
        InputError: it does not go together.
    """
    opponent = Opponent(wanted.opponent)
    if user.is_bot and wanted.rated and opponent is Opponent.COMPUTER:
        raise MatchError([Fault("match/rated", _("Games with the computer are not rated."))])
    return GameRequest(
        game=make_game(wanted.game, wanted.options),
        opponent=opponent,
        level=str(wanted.level),
        people=_people(user, wanted.people) if opponent is Opponent.PEOPLE else (),
        seat=wanted.seat,
        computers=tuple((one.seat, str(one.level)) for one in wanted.computers),
        control=read_control(wanted.control),
        rated=wanted.rated,
        analysis=wanted.analysis,
        points=wanted.points,
        is_private=wanted.private,
        club=_club(user, wanted.club) if opponent is Opponent.CLUB else None,
        lowest=wanted.lowest,
        highest=wanted.highest,
        within=wanted.within,
        accounts_only=wanted.accounts_only,
        established_only=wanted.established_only,
        uses=wanted.uses,
        hours=wanted.hours,
    )


def _club(user: User, slug: str | None) -> ClubRow | None:
    """Return one's club with an address; whose it is not, for them there is none."""
    return ClubRow.objects.filter(slug=slug or "", members__user=user).first()


def _people(user: User, names: list[str]) -> tuple[User, ...]:
    found, unknown = find_players(names)
    if unknown:
        told = ", ".join(shorten(name) for name in unknown)
        message = _("No such player: %(names)s.") % {"names": told}
        raise InputError.single("people/unknown", message, "people")
    if not found:
        message = _("Say in “people” whom you want to play with.")
        raise InputError.single("people/nobody", message, "people")
    if user in found:
        message = _("You cannot challenge yourself.")
        raise InputError.single("people/yourself", message, "people")
    return tuple(found)
