"""Access to events: who may see, join and direct them.

Pages, files, WebSockets, mail and the API check access here. An event that a user may not see looks
as if it did not exist.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from antipodes.errors import InputError
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user
from antipodes.web.clubs.models import MemberRow
from antipodes.web.tournaments.models import EntryRow, InvitationRow, TournamentRow

MODERATE = "moderation.moderate"


def visible_to(user: User | None) -> Q:
    """Return the condition on events that a user may see; ``None`` stands for anonymous users."""
    is_public = Q(is_private=False)
    if user is None:
        return is_public
    clubs = Q(club=OuterRef("club")) | Q(club=OuterRef("guest_club"))
    is_member = Exists(MemberRow.objects.filter(clubs, user=user))
    plays = Exists(EntryRow.objects.filter(tournament=OuterRef("pk"), user=user))
    is_invited = Exists(InvitationRow.objects.filter(tournament=OuterRef("pk"), user=user))
    return is_public | Q(host=user) | Q(is_member) | Q(plays) | Q(is_invited)


def may_see(row: TournamentRow, user: User | None) -> bool:
    """Return whether a user may see an event; a public one needs no query."""
    if not row.is_private:
        return True
    return TournamentRow.objects.filter(visible_to(user), pk=row.pk).exists()


def find(slug: str, user: User | None) -> TournamentRow | None:
    """Return an event that a user may see."""
    rows = TournamentRow.objects.select_related("host", "club", "guest_club")
    row = rows.filter(slug=slug).first()
    return row if row is not None and may_see(row, user) else None


def tournament_for(request: HttpRequest, slug: str) -> TournamentRow:
    """Return an event that the user of a request may see.

    Raises:
        Http404: there is none.
    """
    row = find(slug, current_user(request))
    if row is None:
        raise Http404("there is no such tournament")
    return row


def may_direct(row: TournamentRow, user: User | None) -> bool:
    """Return whether a user may start, pause and decide an event: its host and moderators."""
    return user is not None and (user.pk == row.host_id or user.has_perm(MODERATE))


def check_director(row: TournamentRow, user: User) -> None:
    """Check that a user may direct an event.

    Raises:
        InputError: they may not.
    """
    if not may_direct(row, user):
        message = _("Only the host and moderators may do that.")
        raise InputError.single("tournament/not-director", message)
