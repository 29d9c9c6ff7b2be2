"""Pages of clubs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.errors import InputError
from antipodes.games.registry import game_ids
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user, find_players
from antipodes.web.challenges.eligibility import Viewer
from antipodes.web.challenges.selectors import club_challenges
from antipodes.web.challenges.services import Opponent
from antipodes.web.club_pages import selectors
from antipodes.web.club_pages.forms import ClubForm, LinkForm, PoolForm, game_choices
from antipodes.web.clubs import membership, permissions, services
from antipodes.web.clubs import selectors as clubs
from antipodes.web.clubs.models import ClubRow, Entry, InviteLinkRow, Role
from antipodes.web.platform.qr_codes import qr_svg
from antipodes.web.platform.translations import error_words, fault_words
from antipodes.web.ratings import selectors as ratings

_ON_A_PAGE = 50
_LONGEST_SEARCH = 60  # characters


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """Show all public clubs, or those whose names have some words, and one's own."""
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
def found(request: HttpRequest) -> HttpResponse:
    """Show the form for a new club; with a filled one, found it."""
    form = ClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            club = services.found(_member(request), form.plan)
        except InputError as error:
            _tell(form, error)
        else:
            return redirect("club", slug=club.slug)
    return render(request, "clubs/form.html", {"form": form}, status=400 if form.errors else 200)


@require_http_methods(["GET", "POST"])
def change(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form of a club to its owner; with a filled one, change it."""
    club, role = _club(request, slug)
    if role is not Role.OWNER:
        raise Http404("only its owner changes a club")
    form = ClubForm(request.POST or None, club)
    if request.method == "POST" and form.is_valid():
        try:
            club = services.change(club, _member(request), form.plan)
        except InputError as error:
            _tell(form, error)
        else:
            return redirect("club", slug=club.slug)
    context = {"form": form, "club": club}
    return render(request, "clubs/form.html", context, status=400 if form.errors else 200)


def _tell(form: forms.Form, error: InputError) -> None:
    told = [fault_words(fault) for fault in error.faults]
    form.add_error(None, forms.ValidationError(told))


@require_GET
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club: what it is, what its members play, and who they are."""
    club, role = _club(request, slug)
    user = current_user(request)
    context = {
        **_head(club, role, user),
        "games": game_choices(),
        "challenges": club_challenges(club.pk, Viewer(user)),
        "running": selectors.running(club, user),
        "finished": selectors.finished(club, user),
        "table": selectors.table(club, user),
        "members": clubs.members(club)[: selectors.SHOWN],
    }
    return render(request, "clubs/club.html", context)


@require_GET
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all members, and to those who lead the club who waits at its door, and its links."""
    club, role = _club(request, slug)
    pages = Paginator(clubs.members(club), _ON_A_PAGE)
    context = {
        **_head(club, role, current_user(request)),
        "page": pages.get_page(request.GET.get("page")),
    }
    if role is not None and role.leads:
        links = [(link, _address(request, link)) for link in clubs.good_links(club)]
        context |= {
            "asking": club.at_door.filter(by=None).select_related("user"),
            "invited": club.at_door.exclude(by=None).select_related("user", "by"),
            "links": [(link, address, qr_svg(address)) for link, address in links],
            "link_form": LinkForm(),
        }
    return render(request, "clubs/people.html", context)


def _address(request: HttpRequest, link: InviteLinkRow) -> str:
    return request.build_absolute_uri(reverse("club-link", args=[link.token]))


def _head(club: ClubRow, role: Role | None, user: User | None) -> dict[str, object]:
    """Return what the head of each page of a club shows."""
    door = None if user is None or role else club.at_door.filter(user=user).first()
    return {
        "club": club,
        "role": role,
        "leads": role is not None and role.leads,
        "owns": role is Role.OWNER,
        "size": club.members.count(),
        "asking_count": club.at_door.filter(by=None).count() if role and role.leads else 0,
        "is_invited": door is not None and door.by_id is not None,
        "has_asked": door is not None and door.by_id is None,
        "is_open": club.entry == Entry.OPEN,
        "can_ask": club.entry == Entry.REQUEST,
        "has_account": user is not None and not user.is_guest,
    }


@require_GET
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who is strongest of the members, in games with anybody."""
    club, role = _club(request, slug)
    user = current_user(request)
    form = PoolForm(request.GET.dict())
    found = ratings.leaderboard(
        form.game_id,
        form.pool_speed,
        form.board_class,
        club.members.values("user"),
        viewer=user,
        also=set(ratings.Also),
        page=_number(request.GET.get("page", "")),
    )
    chosen = {"game": form.game_id, "speed": form.pool_speed, "board": form.board_class}
    context = {**_head(club, role, user), "form": form, "found": found, "chosen": urlencode(chosen)}
    return render(request, "clubs/leaderboard.html", context)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 1


@require_GET
def challenge_members(request: HttpRequest, slug: str) -> HttpResponse:
    """Lead to the form of a game that is for the members of a club."""
    club, role = _club(request, slug)
    game = request.GET.get("game", "")
    if role is None or game not in game_ids():
        raise Http404("members challenge each other to our games")
    wanted = urlencode({"opponent": Opponent.CLUB, "club": club.slug})
    return redirect(f"{reverse('new-game', args=[game])}?{wanted}")


@require_http_methods(["GET", "POST"])
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show to which club a link leads; whoever has an account becomes a member with it."""
    user = current_user(request)
    # Members are led to the club by a link that is used up, too: perhaps by themselves.
    used = InviteLinkRow.objects.filter(token=token).select_related("club").first()
    if used is not None and permissions.role_in(used.club, user) is not None:
        return redirect("club", slug=used.club.slug)
    try:
        link = membership.good_link(token)
    except InviteLinkRow.DoesNotExist:
        return render(request, "clubs/link_gone.html", {}, status=404)
    if request.method == "POST":
        return _answer(request, lambda: _use(request, token))
    has_account = user is not None and not user.is_guest
    context = {"club": link.club, "has_account": has_account, "size": link.club.members.count()}
    return render(request, "clubs/link.html", context)


def _use(request: HttpRequest, token: str) -> HttpResponse:
    club = membership.use_link(token, _member(request))
    messages.success(request, _("You are a member of %(club)s now.") % {"club": club.name})
    return redirect("club", slug=club.slug)


@require_POST
def do(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    """Do something with a club: join, leave, invite, and so on."""
    if act not in _ACTS:
        raise Http404("there is nothing of the kind to do with a club")
    club, _role = _club(request, slug)

    def run() -> HttpResponse:
        told = _ACTS[act](club, _member(request), request.POST)
        if told:
            messages.info(request, told)
        is_gone = not ClubRow.objects.filter(
            clubs.visible_clubs(current_user(request)), pk=club.pk
        ).exists()
        if is_gone:
            return redirect("clubs")
        return redirect("club-people" if act in _AT_PEOPLE else "club", slug=club.slug)

    return _answer(request, run)


def _answer(request: HttpRequest, act: Callable[[], HttpResponse]) -> HttpResponse:
    """Do something; what cannot be done is told on a page."""
    try:
        return act()
    except InputError as error:
        return render(request, "refused.html", {"reason": error_words(error)}, status=409)
    except InviteLinkRow.DoesNotExist:
        return render(request, "clubs/link_gone.html", {}, status=404)


def _club(request: HttpRequest, slug: str) -> tuple[ClubRow, Role | None]:
    """Return a club that whoever asks may see, and what they are in it.

    Raises:
        Http404: there is none, or not for them.
    """
    user = current_user(request)
    rows = ClubRow.objects.filter(clubs.visible_clubs(user))
    club = get_object_or_404(rows, slug=slug)
    return club, permissions.role_in(club, user)


def _member(request: HttpRequest) -> User:
    """Return who asks.

    Raises:
        InputError: nobody is signed in.
    """
    user = current_user(request)
    if user is None:
        message = _("Clubs are for people with an account; sign up first.")
        raise InputError.single("clubs/account", message)
    return user


# What can be done; each returns what is told afterwards.

_Act = Callable[[ClubRow, User, Mapping[str, Any]], str]


def _person(data: Mapping[str, Any]) -> User:
    """Return the person that a form names.

    Raises:
        InputError: nobody has this name.
    """
    name = str(data.get("name", "")).strip()
    named, _unknown = find_players([name])
    if not named:
        message = _("No such player: %(names)s.") % {"names": name[:40]}
        raise InputError.single("clubs/no-such-person", message)
    return named[0]


def _join(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:  # noqa: ARG001
    membership.join(club, user)
    return _("You are a member of %(club)s now.") % {"club": club.name}


def _ask(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    membership.ask(club, user, str(data.get("words", "")))
    return _("You have asked to be let in. An officer will answer.")


def _decline(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:  # noqa: ARG001
    membership.send_away(club, user, user)
    return _("You stand at the door of %(club)s no longer.") % {"club": club.name}


def _leave(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:  # noqa: ARG001
    services.leave(club, user)
    return _("You have left %(club)s.") % {"club": club.name}


def _invite(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    guest = _person(data)
    membership.invite(club, user, guest)
    return _("%(name)s is invited.") % {"name": guest.name}


def _let_in(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    guest = _person(data)
    membership.let_in(club, user, guest)
    return _("%(name)s is a member now.") % {"name": guest.name}


def _send_away(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    guest = _person(data)
    membership.send_away(club, user, guest)
    return _("%(name)s stands at the door no longer.") % {"name": guest.name}


def _remove(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    member = _person(data)
    services.remove(club, user, member)
    return _("%(name)s is no member any more.") % {"name": member.name}


def _make_officer(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    member = _person(data)
    services.set_officer(club, user, member, is_officer=True)
    return _("%(name)s is an officer now.") % {"name": member.name}


def _make_member(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    member = _person(data)
    services.set_officer(club, user, member, is_officer=False)
    return _("%(name)s is an officer no longer.") % {"name": member.name}


def _hand_over(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    member = _person(data)
    services.hand_over(club, user, member)
    return _("%(name)s owns the club now.") % {"name": member.name}


def _make_link(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    form = LinkForm(data)
    if not form.is_valid():
        raise InputError.single("clubs/link", _("There are no such links."))
    membership.make_link(club, user, **form.cleaned_data)
    return ""


def _revoke_link(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    membership.revoke_link(club, user, str(data.get("token", "")))
    return _("The link is good no more.")


def _close(club: ClubRow, user: User, data: Mapping[str, Any]) -> str:
    permissions.check_name(club, str(data.get("name", "")))
    services.close(club, user)
    return _("%(club)s is closed.") % {"club": club.name}


_ACTS: Mapping[str, _Act] = {
    "join": _join,
    "ask": _ask,
    "decline": _decline,
    "leave": _leave,
    "invite": _invite,
    "let-in": _let_in,
    "send-away": _send_away,
    "remove": _remove,
    "make-officer": _make_officer,
    "make-member": _make_member,
    "hand-over": _hand_over,
    "make-link": _make_link,
    "revoke-link": _revoke_link,
    "close": _close,
}
_AT_PEOPLE = frozenset(_ACTS) - {"join", "ask", "decline", "leave", "close"}
