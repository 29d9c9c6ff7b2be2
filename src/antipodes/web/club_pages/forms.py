"""Forms for clubs, invite links, and the choice of a leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from antipodes.games.registry import game_class, game_ids
from antipodes.web.clubs import services
from antipodes.web.clubs.models import ClubRow, Entry
from antipodes.web.platform.translations import translate
from antipodes.web.ratings.classes import BoardClass, Speed, board_classes


class ClubForm(forms.Form):
    """Details of a club."""

    name = forms.CharField(
        label=_("Name"), min_length=3, max_length=services.LONGEST_NAME, strip=True
    )
    slug = forms.CharField(
        label=_("Address"),
        required=False,
        max_length=40,
        help_text=_("The last part of the page's address. Leave empty to use the name."),
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=services.LONGEST_DESCRIPTION,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("Plain text: who you are, and what and when you play."),
    )
    entry = forms.ChoiceField(
        label=_("Who can join"),
        choices=Entry.choices,
        widget=forms.RadioSelect,
        initial=Entry.OPEN,
    )
    is_public = forms.BooleanField(
        label=_("Public: anyone can see the club's page and its members"),
        required=False,
        initial=True,
        help_text=_("Otherwise only members and invited players can see it."),
    )

    def __init__(self, data: Any = None, club: ClubRow | None = None) -> None:
        """Fill in the details of a club, or leave the form empty for a new one."""
        names = ("name", "slug", "description", "entry", "is_public")
        initial = {} if club is None else {name: getattr(club, name) for name in names}
        super().__init__(data, initial=initial)

    @property
    def details(self) -> services.ClubDetails:
        return services.ClubDetails(
            name=self.cleaned_data["name"],
            slug=self.cleaned_data["slug"],
            description=self.cleaned_data["description"],
            entry=Entry(self.cleaned_data["entry"]),
            is_public=self.cleaned_data["is_public"],
        )


def _uses_label(count: int) -> str:
    return ngettext_lazy("%(count)s person", "%(count)s people", count) % {"count": count}


class PoolForm(forms.Form):
    """Choice of the rating pool of a leaderboard."""

    game = forms.ChoiceField(label=_("Game"), required=False)
    speed = forms.ChoiceField(
        label=_("Speed"), required=False, choices=[(one, one.label) for one in Speed]
    )
    board = forms.ChoiceField(
        label=_("Board"), required=False, choices=[(one, one.label) for one in BoardClass]
    )

    def __init__(self, query: Mapping[str, str]) -> None:
        """Take the choice from the query string; invalid values fall back to the defaults."""
        games = game_ids()
        speed, board = query.get("speed", ""), query.get("board", "")
        self.game_id = query["game"] if query.get("game") in games else games[0]
        self.pool_speed = Speed(speed) if speed in set(Speed) else Speed.CORRESPONDENCE
        has_board = board in board_classes(self.game_id)
        self.board_class = BoardClass(board) if has_board else BoardClass.STANDARD
        chosen = {"game": self.game_id, "speed": self.pool_speed, "board": self.board_class}
        super().__init__(initial=chosen, auto_id="pool-%s")
        self.fields["game"].choices = game_choices()  # type: ignore[attr-defined]


def game_choices() -> list[tuple[str, str]]:
    """Return the ids and titles of all games."""
    return [(one, translate(game_class(one).title)) for one in game_ids()]


class LinkForm(forms.Form):
    """Validity of an invite link, and how many players can use it."""

    hours = forms.TypedChoiceField(
        label=_("Expires"),
        required=False,
        coerce=int,
        empty_value=None,
        initial="168",
        choices=(
            ("24", _("after a day")),
            ("168", _("after a week")),
            ("720", _("after a month")),
            ("", _("never")),
        ),
    )
    uses = forms.TypedChoiceField(
        label=_("Can be used by"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=(("", _("anyone with the link")), *((n, _uses_label(n)) for n in (1, 5, 20))),
    )
