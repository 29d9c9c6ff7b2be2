"""Read-only admin of matches, challenges and chat lines."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from antipodes.core.numbers import read_number
from antipodes.games.registry import game_class, game_ids
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import ChatLine, MatchRow, seated
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.moderation import services
from antipodes.web.moderation.action_views import Case, action_page
from antipodes.web.moderation.reason_views import Decision, reason_page
from antipodes.web.moderation.staff_admin import ReadOnlyAdmin, link_to, moment
from antipodes.web.platform.translations import result_text
from antipodes.web.ratings import voiding
from antipodes.web.ratings.models import Unrated


class GameFilter(admin.SimpleListFilter):
    """Filter by game; the games come from the registry, not from a query over all rows."""

    title = _("game")
    parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        """Return all games."""
        return [(one, game_class(one).title) for one in game_ids()]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:  # noqa: ARG002
        """Return the rows of the chosen game."""
        return queryset.filter(game_id=self.value()) if self.value() else queryset


@admin.register(MatchRow)
class MatchAdmin(ReadOnlyAdmin):
    """Matches with players, moves and results."""

    list_display = ("slug", "game_id", "players", "rated", "is_private", "begun", "result")
    list_filter = (GameFilter, "rated", "is_private")
    search_fields = ("=slug", "=seats__user__username")
    ordering = ("-pk",)
    change_form_template = "admin/matches/match.html"
    fields = (
        "page",
        "game_id",
        "options",
        "control",
        "rated",
        "why_unrated",
        "is_private",
        "players",
        "begun",
        "ended",
        "result",
        "moves",
        "chat",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[MatchRow]:
        """Return matches with their players."""
        return super().get_queryset(request).prefetch_related(seated())

    def get_urls(self) -> list[URLPattern]:
        """Add the URL to void a match's ratings."""
        void = self.admin_site.admin_view(self.void_view)
        return [path("<int:key>/void/", void, name="matches_matchrow_void"), *super().get_urls()]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a match, with a link to void its ratings where they count."""
        row = MatchRow.objects.filter(pk=read_number(object_id) or 0).first()
        can_be_voided = row is not None and voiding.counts(row)
        more = {**(extra_context or {}), "can_be_voided": can_be_voided}
        return super().change_view(request, object_id, form_url, more)

    def void_view(self, request: HttpRequest, key: int) -> HttpResponse:
        """Ask for a reason and void a match's ratings."""
        row = MatchRow.objects.filter(pk=key).first()
        if row is None:
            raise Http404(_("This match does not exist."))
        decision = Decision(
            title=_("Void the ratings of %(match)s") % {"match": row},
            text=_("All players read the reason. Later games are rated again without this one."),
            button=_("Void ratings"),
            carry_out=lambda by, reason: services.void_ratings(by, row, reason),
            parent=(reverse("admin:matches_matchrow_changelist"), _("Matches")),
            return_url=reverse("admin:matches_matchrow_change", args=[row.pk]),
        )
        return reason_page(request, self.admin_site, decision)

    @admin.display(description=_("not rated because"))
    def why_unrated(self, row: MatchRow) -> str:
        """Return why a match that was meant to be rated does not count."""
        found = Unrated.objects.filter(match=row).first()
        return found.get_reason_display() if found else ""

    @admin.display(description=_("players"))
    def players(self, row: MatchRow) -> str:
        """Return links to the players, by seat."""
        return format_html_join(", ", "{}", ((link_to(seat.user),) for seat in row.seats.all()))

    @admin.display(description=_("begun"), ordering="begun_at")
    def begun(self, row: MatchRow) -> str:
        """Return the start time."""
        return moment(row.begun_at)

    @admin.display(description=_("ended"))
    def ended(self, row: MatchRow) -> str:
        """Return the end time."""
        return moment(row.ended_at)

    @admin.display(description=_("result"))
    def result(self, row: MatchRow) -> str:
        """Return how it ended, in the reader's language."""
        return "" if row.result is None else result_text(row.result)

    @admin.display(description=_("page"))
    def page(self, row: MatchRow) -> str:
        """Return a link to the match."""
        return format_html('<a href="{}">{}</a>', reverse("match", args=[row.slug]), row.slug)

    @admin.display(description=_("moves"))
    def moves(self, row: MatchRow) -> str:
        """Return the moves in notation."""
        return " ".join(json.loads(move)["text"] for move in snapshot_of(row).moves)

    @admin.display(description=_("chat"))
    def chat(self, row: MatchRow) -> str:
        """Return a link to the chat lines."""
        address = reverse("admin:matches_chatline_changelist")
        return format_html('<a href="{}?q={}">{}</a>', address, row.slug, _("chat lines"))


@admin.register(ChallengeRow)
class ChallengeAdmin(ReadOnlyAdmin):
    """Open challenges, and those that became matches."""

    list_display = ("slug", "game_id", "by", "is_listed", "is_private", "made", "match")
    list_filter = (GameFilter, "is_listed", "is_private")
    list_select_related = ("by", "match")
    search_fields = ("=slug", "=by__username")
    ordering = ("-pk",)
    fields = ("game_id", "options", "control", "rated", "by", "is_private", "made", "match")

    @admin.display(description=_("made"))
    def made(self, row: ChallengeRow) -> str:
        """Return the time of creation."""
        return moment(row.made_at)


@admin.register(ChatLine)
class ChatAdmin(ReadOnlyAdmin):
    """Chat lines."""

    list_display = ("written_at", "user", "text", "room", "match", "is_deleted")
    list_select_related = ("user", "match", "hidden")
    list_filter = ("room",)
    search_fields = ("=match__slug", "=user__username", "text")
    ordering = ("-pk",)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",  # noqa: ARG002
        extra_context: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> HttpResponse:
        """Show a chat line with its context, and the action form for its author."""
        rows = ChatLine.objects.select_related("user", "match", "hidden")
        line = rows.filter(pk=read_number(object_id) or 0).first()
        if line is None:
            raise Http404(_("This chat line does not exist."))
        return action_page(request, self.admin_site, Case(line.user, line=line))

    @admin.display(description=_("at"), ordering="at")
    def written_at(self, line: ChatLine) -> str:
        """Return the time of the line."""
        return moment(line.at)

    @admin.display(description=_("deleted"), boolean=True)
    def is_deleted(self, line: ChatLine) -> bool:
        """Return whether moderators have deleted the line."""
        return hasattr(line, "hidden")
