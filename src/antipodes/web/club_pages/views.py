"""Pages of clubs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.core.numbers import read_number
from antipodes.errors import InputError
from antipodes.games.registry import game_ids
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user, find_players
from antipodes.web.archive.facts import ABORTED
from antipodes.web.archive.models import PlayerRow
from antipodes.web.challenges.eligibility import Viewer
from antipodes.web.challenges.selectors import club_challenges
from antipodes.web.challenges.services import Opponent
from antipodes.web.club_pages.forms import ClubForm, LinkForm, PoolForm, game_choices
from antipodes.web.clubs import membership, permissions, services
from antipodes.web.clubs import selectors as clubs
from antipodes.web.clubs.models import ClubRow, Entry, InviteLinkRow, Role
from antipodes.web.matches.access import visible_to
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.selectors import MatchLine, match_line
from antipodes.web.platform.form_errors import add_faults
from antipodes.web.platform.translations import error_message
from antipodes.web.ratings import selectors as ratings

SHOWN = 24
_MOST_IN_TABLE = 100


def running(club: ClubRow, user: User | None) -> list[MatchLine]:
    """Return a club's matches in progress that a user may watch."""
    rows = _matches(club, user).filter(ended_at=None).order_by("-changed_at")
    return [match_line(row, None) for row in rows[:SHOWN]]


def finished(club: ClubRow, user: User | None) -> list[MatchLine]:
    """Return a club's last finished matches that a user may watch."""
    rows = _matches(club, user).exclude(ended_at=None).order_by("-ended_at")
    return [match_line(row, None) for row in rows[:SHOWN]]


def _matches(club: ClubRow, user: User | None) -> QuerySet[MatchRow]:
    rows = MatchRow.objects.filter(visible_to(user), club=club)
    return rows.prefetch_related(seated())


@dataclass(frozen=True, slots=True)
class MemberResults:
    """A member's results in games of the club.

    Attributes:
        user: the member.
        games: number of finished games, without aborted ones.
        wins: games won.
        losses: games lost.
    """

    user: User
    games: int
    wins: int
    losses: int

    @property
    def others(self) -> int:
        """Number of games without a winner."""
        return self.games - self.wins - self.losses


def member_results(club: ClubRow, viewer: User | None) -> list[MemberResults]:
    """Return the results of members in games of the club, most wins first.

    Private games are counted only if the viewer may watch them.
    """
    matches = MatchRow.objects.filter(visible_to(viewer), club=club)
    seats = PlayerRow.objects.filter(game__match__in=matches, user__memberships__club=club)
    seats = seats.exclude(game__bucket__reason__in=ABORTED)
    counts = seats.values("user").annotate(
        games=Count("game", distinct=True),
        wins=Count("game", filter=Q(won=True), distinct=True),
        losses=Count("game", filter=Q(won=False), distinct=True),
    )
    best = list(counts.order_by("-wins", "losses", "user")[:_MOST_IN_TABLE])
    users = User.objects.in_bulk([one["user"] for one in best])
    return [
        MemberResults(users[result["user"]], result["games"], result["wins"], result["losses"])
        for result in best
    ]


_ON_A_PAGE = 50
_LONGEST_SEARCH = 60  # characters


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """Show public clubs, optionally filtered by name, and the user's own clubs."""
    user = current_user(request)
    query = request.GET.get("q", "").strip()[:_LONGEST_SEARCH]
    pages = Paginator(clubs.public_clubs(query), _ON_A_PAGE)
    context = {
        "query": query,
        "page": pages.get_page(request.GET.get("page")),
        "own": clubs.counted(clubs.clubs_of(user)) if user else [],
        "inviting": clubs.inviting_clubs(user) if user else [],
    }
    return render(request, "clubs/index.html", context)


@require_http_methods(["GET", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    """Show the form for a new club, or create it."""
    form = ClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            club = services.create_club(_require_user(request), form.details)
        except InputError as error:
            add_faults(form, error)
        else:
            return redirect("club", slug=club.slug)
    return render(request, "clubs/form.html", {"form": form}, status=400 if form.errors else 200)


@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form of a club to its owner, or change the club."""
    club, role = _club(request, slug)
    if role is not Role.OWNER:
        raise Http404("only the owner can edit a club")
    form = ClubForm(request.POST or None, club)
    if request.method == "POST" and form.is_valid():
        try:
            club = services.update_club(club, _require_user(request), form.details)
        except InputError as error:
            add_faults(form, error)
        else:
            return redirect("club", slug=club.slug)
    context = {"form": form, "club": club}
    return render(request, "clubs/form.html", context, status=400 if form.errors else 200)


@require_GET
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club: description, challenges, matches, results and members."""
    club, role = _club(request, slug)
    user = current_user(request)
    context = {
        **_head(club, role, user),
        "games": game_choices(),
        "challenges": club_challenges(club.pk, Viewer(user)),
        "running": running(club, user),
        "finished": finished(club, user),
        "results": member_results(club, user),
        "members": clubs.members(club)[:SHOWN],
    }
    return render(request, "clubs/club.html", context)


@require_GET
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all members; to the owner and officers also requests, invitations and links."""
    club, role = _club(request, slug)
    pages = Paginator(clubs.members(club), _ON_A_PAGE)
    context = {
        **_head(club, role, current_user(request)),
        "page": pages.get_page(request.GET.get("page")),
    }
    if role is not None and role.leads:
        pending = club.pending_members
        context |= {
            "asking": pending.filter(by=None).select_related("user"),
            "invited": pending.exclude(by=None).select_related("user", "by"),
            "links": [(link, *_address(request, link)) for link in clubs.valid_links(club)],
            "link_form": LinkForm(),
        }
    return render(request, "clubs/people.html", context)


def _address(request: HttpRequest, link: InviteLinkRow) -> tuple[str, str]:
    """Return the whole address of a link, and its path."""
    path = reverse("club-link", args=[link.token])
    return request.build_absolute_uri(path), path


def _head(club: ClubRow, role: Role | None, user: User | None) -> dict[str, object]:
    """Return the context for the header of each page of a club."""
    pending = None if user is None or role else club.pending_members.filter(user=user).first()
    return {
        "club": club,
        "role": role,
        "leads": role is not None and role.leads,
        "owns": role is Role.OWNER,
        "size": club.members.count(),
        "asking_count": club.pending_members.filter(by=None).count() if role and role.leads else 0,
        "is_invited": pending is not None and pending.by_id is not None,
        "has_asked": pending is not None and pending.by_id is None,
        "is_open": club.entry == Entry.OPEN,
        "can_ask": club.entry == Entry.REQUEST,
        "has_account": user is not None and not user.is_guest,
    }


@require_GET
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """Show members by rating, over all their games on the site."""
    club, role = _club(request, slug)
    user = current_user(request)
    form = PoolForm(request.GET.dict())
    ranking = ratings.leaderboard(
        form.game_id,
        form.pool_speed,
        form.board_class,
        club.members.values("user"),
        viewer=user,
        include=set(ratings.Include),
        page=_number(request.GET.get("page", "")),
    )
    chosen = {"game": form.game_id, "speed": form.pool_speed, "board": form.board_class}
    context = {
        **_head(club, role, user),
        "form": form,
        "found": ranking,
        "chosen": urlencode(chosen),
    }
    return render(request, "clubs/leaderboard.html", context)


def _number(text: str) -> int:
    return read_number(text) or 1


@require_GET
def challenge_members(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the form of a game with this club's members as opponents."""
    club, role = _club(request, slug)
    game = request.GET.get("game", "")
    if role is None or game not in game_ids():
        raise Http404("not a member, or an unknown game")
    query = urlencode({"opponent": Opponent.CLUB, "club": club.slug})
    return redirect(f"{reverse('new-game', args=[game])}?{query}")


@require_http_methods(["GET", "POST"])
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show the club of an invite link, or join it."""
    user = current_user(request)
    # Members may follow the link again after it is used up, perhaps by themselves.
    used = InviteLinkRow.objects.filter(token=token).select_related("club").first()
    if used is not None and permissions.role_in(used.club, user) is not None:
        return redirect("club", slug=used.club.slug)
    try:
        link = membership.valid_link(token)
    except InviteLinkRow.DoesNotExist:
        return render(request, "clubs/link_gone.html", {}, status=404)
    if request.method == "POST":
        return _run(request, lambda: _use(request, token))
    has_account = user is not None and not user.is_guest
    context = {"club": link.club, "has_account": has_account, "size": link.club.members.count()}
    return render(request, "clubs/link.html", context)


def _use(request: HttpRequest, token: str) -> HttpResponse:
    club = membership.use_link(token, _require_user(request))
    messages.success(request, _("You have joined %(club)s.") % {"club": club.name})
    return redirect("club", slug=club.slug)


@require_POST
def act(request: HttpRequest, slug: str, action: str) -> HttpResponse:
    """Run an action on a club: join, leave, invite, and so on."""
    if action not in _ACTIONS:
        raise Http404("unknown action")
    club, _role = _club(request, slug)

    def run() -> HttpResponse:
        text = _ACTIONS[action](club, _require_user(request), request.POST)
        if text:
            messages.info(request, text)
        visible = clubs.visible_clubs(current_user(request))
        if not ClubRow.objects.filter(visible, pk=club.pk).exists():
            return redirect("clubs")
        return redirect("club-people" if action in _ON_PEOPLE_PAGE else "club", slug=club.slug)

    return _run(request, run)


def _run(request: HttpRequest, run: Callable[[], HttpResponse]) -> HttpResponse:
    """Run an action; show a page with the reason if it is refused."""
    try:
        return run()
    except InputError as error:
        return render(request, "refused.html", {"reason": error_message(error)}, status=409)
    except InviteLinkRow.DoesNotExist:
        return render(request, "clubs/link_gone.html", {}, status=404)


def _club(request: HttpRequest, slug: str) -> tuple[ClubRow, Role | None]:
    """Return a club that the user may see, and their role in it.

    Raises:
        Http404: there is no such club, or the user may not see it.
    """
    user = current_user(request)
    rows = ClubRow.objects.filter(clubs.visible_clubs(user))
    club = get_object_or_404(rows, slug=slug)
    return club, permissions.role_in(club, user)


def _require_user(request: HttpRequest) -> User:
    """Return the user of a request.

    Raises:
        InputError: the visitor is not signed in.
    """
    user = current_user(request)
    if user is None:
        message = _("You need an account to join clubs; sign up first.")
        raise InputError.single("clubs/account", message)
    return user


# Actions. Each returns the message to show, if any.

_Action = Callable[[ClubRow, User, Mapping[str, Any]], str]


def _named_user(data: Mapping[str, Any]) -> User:
    """Return the user whom a form names.

    Raises:
        InputError: there is no such user.
    """
    name = str(data.get("name", "")).strip()
    named, _unknown = find_players([name])
    if not named:
        message = _("No such player: %(names)s.") % {"names": name[:40]}
        raise InputError.single("clubs/no-such-person", message)
    return named[0]


def _join(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:  # noqa: ARG001
    membership.join(club, user)
    return _("You have joined %(club)s.") % {"club": club.name}


def _ask(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    membership.ask(club, user, str(data.get("message", "")))
    return _("You have asked to join. An officer will answer.")


def _decline(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:  # noqa: ARG001
    pending = club.pending_members.filter(user=user).first()
    membership.remove_pending(club, user, user)
    if pending is not None and pending.by_id is not None:
        return _("You declined the invitation to %(club)s.") % {"club": club.name}
    return _("You withdrew your request to join %(club)s.") % {"club": club.name}


def _leave(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:  # noqa: ARG001
    services.leave(club, user)
    return _("You have left %(club)s.") % {"club": club.name}


def _invite(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    guest = _named_user(data)
    membership.invite(club, user, guest)
    return _("You have invited %(name)s.") % {"name": guest.name}


def _accept_request(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    guest = _named_user(data)
    membership.accept_request(club, user, guest)
    return _("%(name)s is now a member.") % {"name": guest.name}


def _decline_request(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    guest = _named_user(data)
    membership.remove_pending(club, user, guest)
    return _("You declined the request of %(name)s.") % {"name": guest.name}


def _cancel_invitation(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    guest = _named_user(data)
    membership.remove_pending(club, user, guest)
    return _("You cancelled the invitation of %(name)s.") % {"name": guest.name}


def _remove(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    member = _named_user(data)
    services.remove(club, user, member)
    return _("You have removed %(name)s.") % {"name": member.name}


def _make_officer(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    member = _named_user(data)
    services.set_officer(club, user, member, is_officer=True)
    return _("%(name)s is now an officer.") % {"name": member.name}


def _make_member(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    member = _named_user(data)
    services.set_officer(club, user, member, is_officer=False)
    return _("%(name)s is no longer an officer.") % {"name": member.name}


def _transfer(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    member = _named_user(data)
    services.transfer_ownership(club, user, member)
    return _("%(name)s now owns the club.") % {"name": member.name}


def _make_link(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    form = LinkForm(data)
    if not form.is_valid():
        raise InputError.single("clubs/link", _("Choose one of the offered values."))
    membership.make_link(club, user, **form.cleaned_data)
    return ""


def _revoke_link(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    membership.revoke_link(club, user, str(data.get("token", "")))
    return _("The link has been revoked.")


def _close(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    permissions.check_name(club, str(data.get("name", "")))
    services.close(club, user)
    return _("%(club)s has been closed.") % {"club": club.name}


_ACTIONS: Mapping[str, _Action] = {
    "join": _join,
    "ask": _ask,
    "decline": _decline,
    "leave": _leave,
    "invite": _invite,
    "accept-request": _accept_request,
    "decline-request": _decline_request,
    "cancel-invitation": _cancel_invitation,
    "remove": _remove,
    "make-officer": _make_officer,
    "make-member": _make_member,
    "transfer": _transfer,
    "make-link": _make_link,
    "revoke-link": _revoke_link,
    "close": _close,
}
_ON_PEOPLE_PAGE = frozenset(_ACTIONS) - {"join", "ask", "decline", "leave", "close"}
