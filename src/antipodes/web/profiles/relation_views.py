"""Pages of followed players and matches and of blocked players, and the buttons to change them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from antipodes.errors import InputError
from antipodes.web.accounts.decorators import user_required
from antipodes.web.accounts.models import User
from antipodes.web.accounts.redirects import return_url
from antipodes.web.matches import following as matches_followed
from antipodes.web.matches.access import visible_to
from antipodes.web.matches.models import MatchRow
from antipodes.web.profiles.following import following as following_of
from antipodes.web.relations import services


def _person(name: str) -> User:
    return get_object_or_404(User, username=name)


def _match(user: User, slug: str) -> MatchRow:
    return get_object_or_404(MatchRow.objects.filter(visible_to(user)), slug=slug)


def _back(request: HttpRequest) -> str:
    """Return where the button was that somebody has pressed."""
    return return_url(request, reverse("following"))


def _done(request: HttpRequest, act: Callable[[], None], told: str) -> HttpResponse:
    """Do something and go back; what cannot be done is told there."""
    try:
        act()
    except InputError as error:
        messages.warning(request, str(error))
    else:
        messages.info(request, told)
    return redirect(_back(request))


@require_GET
@user_required
def following(request: HttpRequest, user: User) -> HttpResponse:
    """Show what those play whom one follows, and the matches that one follows."""
    return render(request, "relations/following.html", {"following": following_of(user)})


@require_GET
@user_required
def blocked(request: HttpRequest, user: User) -> HttpResponse:
    """Show whom one has blocked."""
    return render(request, "relations/blocked.html", {"blocks": services.blocks_of(user)})


@dataclass(frozen=True, slots=True)
class Act:
    """What a button on somebody's page does.

    Attributes:
        do: does it, for whoever presses the button, to the other one.
        told: what is said then.
    """

    do: Callable[[User, User], None]
    told: Promise


ACTS = {
    "follow": Act(services.follow, gettext_lazy("You follow %(name)s now.")),
    "unfollow": Act(services.unfollow, gettext_lazy("You do not follow %(name)s any more.")),
    "block": Act(services.block, gettext_lazy("You have blocked %(name)s.")),
    "unblock": Act(services.unblock, gettext_lazy("You block %(name)s no longer.")),
}


@require_POST
@user_required
def act_on(request: HttpRequest, user: User, name: str, act: str) -> HttpResponse:
    """Follow or block a player, or no longer."""
    other, chosen = _person(name), ACTS[act]
    told = str(chosen.told) % {"name": other.name}
    return _done(request, lambda: chosen.do(user, other), told)


@require_POST
@user_required
def follow_match(request: HttpRequest, user: User, slug: str) -> HttpResponse:
    """Follow a match: with ``tell`` each move or the end alone."""
    row = _match(user, slug)
    each_move = request.POST.get("tell") == "moves"
    if each_move:
        told = _("You will be told of each move of this match.")
    else:
        told = _("You will be told how this match ends.")
    return _done(
        request, lambda: matches_followed.follow_match(user, row, each_move=each_move), told
    )


@require_POST
@user_required
def unfollow_match(request: HttpRequest, user: User, slug: str) -> HttpResponse:
    """Follow a match no longer."""
    row = get_object_or_404(MatchRow, slug=slug, watchers__user=user)
    told = _("You do not follow this match any more.")
    return _done(request, lambda: matches_followed.unfollow_match(user, row), told)
