"""Pages of people: who they are, what they play, how strong they are."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from antipodes.web.people.models import User
from antipodes.web.people.services import known_user
from antipodes.web.ratings import selectors


@require_GET
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Show somebody's page."""
    person = _find(name)
    if person.username != name:
        return redirect("profile", name=person.username)
    context = {
        "person": person,
        "is_own": known_user(request) == person,
        "ratings": selectors.ratings_of(person),
    }
    return render(request, "people/profile.html", context)


def _find(name: str) -> User:
    """Return who has a name, however it is written; exactly that one if there is one.

    Raises:
        Http404: nobody has it.
    """
    found = User.objects.filter(username=name).first()
    found = found or User.objects.filter(username__iexact=name).first()
    if found is None:
        raise Http404(_("Nobody is called %(name)s.") % {"name": name})
    return found
