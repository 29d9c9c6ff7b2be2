"""Players' pages: description, ratings and matches."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from antipodes.errors import MatchError
from antipodes.games.registry import game_ids
from antipodes.web.accounts.models import User
from antipodes.web.accounts.profile_forms import ProfileForm
from antipodes.web.accounts.profile_services import profile_of
from antipodes.web.accounts.services import current_user, users_named
from antipodes.web.archive.crosstable import crosstable as table_of
from antipodes.web.platform.clock import now
from antipodes.web.profiles import selectors
from antipodes.web.tournaments.selectors import trophies_of

_POOL = "of"  # query parameter: the pool whose history is shown, such as hex-blitz-standard


@require_GET
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Show a player's page."""
    person = _find(name)
    if person.username != name:
        return redirect("profile", name=person.username)
    viewer = current_user(request)
    page = selectors.profile_page(person, viewer, key=request.GET.get(_POOL, ""))
    context = {"page": page, "person": person, "is_own": viewer == person}
    context["trophies"] = trophies_of(person, viewer)
    context["first_game"] = page.ratings[0].game.id if page.ratings else game_ids()[0]
    return render(request, "profiles/profile.html", context)


@require_GET
def crosstable(request: HttpRequest, name: str, other: str) -> HttpResponse:
    """Show the score of all finished games of two players against each other."""
    first, second = _find(name), _find(other)
    if first == second:
        return redirect("profile", name=first.username)
    if (first.username, second.username) != (name, other):
        return redirect("crosstable", name=first.username, other=second.username)
    viewer = current_user(request)
    opponent = {first: second, second: first}.get(viewer) if viewer else None
    context = {
        "table": table_of(first, second, viewer),
        "opponent": None if opponent is None or opponent.is_computer else opponent,
        "first_game": game_ids()[0],
    }
    return render(request, "profiles/crosstable.html", context)


def _find(name: str) -> User:
    """Return the user with a name; an exact match precedes one in another letter case.

    Raises:
        Http404: there is no such user.
    """
    person = User.objects.filter(username=name).first()
    person = person or users_named(name).first()
    if person is None:
        raise Http404(_("There is no player named %(name)s.") % {"name": name})
    return person


@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest) -> HttpResponse:
    """Edit the user's own profile."""
    user = current_user(request)
    if user is None:
        return redirect("account_login")
    if user.is_guest:
        return redirect("account_signup")
    form = ProfileForm(request.POST or None, instance=profile_of(user))
    if request.method == "POST" and form.is_valid():
        form.instance.changed_at = now()
        try:
            form.save()
        except MatchError as error:  # the user is muted
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Your profile has been saved."))
            return redirect("profile", name=user.username)
    return render(request, "profiles/edit.html", {"form": form, "person": user})
