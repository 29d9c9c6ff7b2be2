"""Pages of followed and blocked players, and views to follow and block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.db.models import QuerySet
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
from antipodes.web.matches.models import MatchRow, WatchRow, seated
from antipodes.web.matches.selectors import MatchLine, followed_matches, match_line
from antipodes.web.relations import services
from antipodes.web.relations.models import FollowRow

_MOST = 24  # matches of each list


@dataclass(frozen=True)
class Following:
    """Players and matches that a user follows.

    Attributes:
        in_progress: current matches of followed players, latest first.
        finished: finished matches of followed players, latest first.
        watched: followed matches, with the settings of notifications.
        people: followed players.
    """

    in_progress: list[MatchLine]
    finished: list[MatchLine]
    watched: list[tuple[WatchRow, MatchLine]]
    people: QuerySet[FollowRow]


def followed_by(user: User) -> Following:
    """Return the players and the matches that a user follows and may watch."""
    rows = followed_matches(user)
    in_progress = rows.filter(ended_at=None).order_by("-begun_at")[:_MOST]
    finished = rows.exclude(ended_at=None).order_by("-ended_at")[:_MOST]
    return Following(
        in_progress=[match_line(row, None) for row in in_progress],
        finished=[match_line(row, None) for row in finished],
        watched=_watched(user),
        people=user.follows.select_related("whom").order_by("whom__username"),
    )


def _watched(user: User) -> list[tuple[WatchRow, MatchLine]]:
    visible = MatchRow.objects.filter(visible_to(user))
    rows = user.watched_matches.filter(match__in=visible).select_related("match")
    rows = rows.prefetch_related(seated("match__seats")).order_by("is_done", "-made_at")
    return [(row, match_line(row.match, None)) for row in rows[:_MOST]]


def _person(name: str) -> User:
    return get_object_or_404(User, username=name)


def _match(user: User, slug: str) -> MatchRow:
    return get_object_or_404(MatchRow.objects.filter(visible_to(user)), slug=slug)


def _run(request: HttpRequest, run: Callable[[], None], text: str) -> HttpResponse:
    """Run an action and return to the page of its button, with a message or the error."""
    try:
        run()
    except InputError as error:
        messages.warning(request, str(error))
    else:
        messages.info(request, text)
    return redirect(return_url(request, reverse("following")))


@require_GET
@user_required
def following(request: HttpRequest, user: User) -> HttpResponse:
    """Show followed players and matches."""
    return render(request, "relations/following.html", {"following": followed_by(user)})


@require_GET
@user_required
def blocked(request: HttpRequest, user: User) -> HttpResponse:
    return render(request, "relations/blocked.html", {"blocks": services.blocks_of(user)})


@dataclass(frozen=True, slots=True)
class Action:
    """A button on a player's page.

    Attributes:
        run: carries out the action; takes the user and the other player.
        message: message shown afterwards.
    """

    run: Callable[[User, User], None]
    message: Promise


ACTIONS = {
    "follow": Action(services.follow, gettext_lazy("You now follow %(name)s.")),
    "unfollow": Action(services.unfollow, gettext_lazy("You no longer follow %(name)s.")),
    "block": Action(services.block, gettext_lazy("You have blocked %(name)s.")),
    "unblock": Action(services.unblock, gettext_lazy("You have unblocked %(name)s.")),
}


@require_POST
@user_required
def run_action(request: HttpRequest, user: User, name: str, action: str) -> HttpResponse:
    """Follow, unfollow, block or unblock a player."""
    other, chosen = _person(name), ACTIONS[action]
    text = str(chosen.message) % {"name": other.name}
    return _run(request, lambda: chosen.run(user, other), text)


@require_POST
@user_required
def follow_match(request: HttpRequest, user: User, slug: str) -> HttpResponse:
    """Follow a match: with ``notify=moves`` each move, otherwise the result only."""
    row = _match(user, slug)
    each_move = request.POST.get("notify") == "moves"
    if each_move:
        text = _("You will be notified of each move of this match.")
    else:
        text = _("You will be notified of the result of this match.")
    return _run(
        request, lambda: matches_followed.follow_match(user, row, each_move=each_move), text
    )


@require_POST
@user_required
def unfollow_match(request: HttpRequest, user: User, slug: str) -> HttpResponse:
    row = get_object_or_404(MatchRow, slug=slug, watchers__user=user)
    text = _("You no longer follow this match.")
    return _run(request, lambda: matches_followed.unfollow_match(user, row), text)
