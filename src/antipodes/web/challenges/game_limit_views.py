"""Page of the automatic game limits."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from antipodes.games.registry import game_class, game_ids
from antipodes.web.accounts.models import User
from antipodes.web.accounts.token_views import current_account, redirect_to_sign_in
from antipodes.web.challenges.game_limits import HIGHEST, counts_of, set_limit


class LimitsForm(forms.Form):
    """A limit for each game; empty for none."""

    def __init__(self, user: User, data: object = None) -> None:
        """Show the user's limits.

        Args:
            user: the account owner.
            data: the posted data; ``None`` for an unbound form.
        """
        known = dict(user.game_limits.values_list("game_id", "most"))
        super().__init__(data, initial=known)  # type: ignore[arg-type]
        for game_id, playing in counts_of(user).items():
            self.fields[game_id] = forms.IntegerField(
                label=game_class(game_id).title,
                required=False,
                min_value=0,
                max_value=HIGHEST,
                help_text=_("Currently %(count)d.") % {"count": playing},
            )

    def save(self, user: User) -> None:
        """Store the posted limits; the form must be valid."""
        for game_id in game_ids():
            set_limit(user, game_id, self.cleaned_data[game_id])


@require_http_methods(["GET", "POST"])
@never_cache
def game_limits(request: HttpRequest) -> HttpResponse:
    """Show and change the user's automatic game limits."""
    user = current_account(request)
    if user is None:
        return redirect_to_sign_in(request)
    form = LimitsForm(user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        form.save(user)
        messages.success(request, _("Limits saved."))
        return redirect("game-limits")
    status = 400 if form.is_bound else 200
    return render(request, "challenges/limits.html", {"form": form}, status=status)
