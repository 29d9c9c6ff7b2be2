"""Admin of accounts, matches, puzzles, reports, sanctions, deleted chat lines and the audit log."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from antipodes.core.numbers import read_number
from antipodes.games.registry import game_class, game_ids
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import ChatLine, MatchRow, seated
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.moderation import services
from antipodes.web.moderation.action_views import Case, Decision, action_page, reason_page
from antipodes.web.moderation.audit import record
from antipodes.web.moderation.models import AuditRow, HiddenLineRow, ReportRow, SanctionRow
from antipodes.web.platform.translations import result_text
from antipodes.web.puzzles import services as puzzle_services
from antipodes.web.puzzles.models import PuzzleReportRow
from antipodes.web.ratings import voiding
from antipodes.web.ratings.models import Unrated

admin.site.site_header = admin.site.site_title = "Antipodes"
# Staff sign in on the site's own page, with its rate limits and two-factor authentication.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

if TYPE_CHECKING:
    _Admin = admin.ModelAdmin[Any]
    _Accounts = UserAdmin[User]
else:
    _Admin, _Accounts = admin.ModelAdmin, UserAdmin


class ReadOnlyAdmin(_Admin):
    """Admin that shows rows but never adds, changes or deletes them, even for superusers."""

    show_full_result_count = False
    list_per_page = 50
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(
        self,
        request: HttpRequest,  # noqa: ARG002
        obj: Any = None,  # noqa: ARG002
    ) -> bool:
        return False

    def has_delete_permission(
        self,
        request: HttpRequest,  # noqa: ARG002
        obj: Any = None,  # noqa: ARG002
    ) -> bool:
        return False


def moment(at: int | None) -> str:
    """Format a time in milliseconds since 1970; ``None`` becomes an empty string."""
    if at is None:
        return ""
    return date_format(datetime.fromtimestamp(at / 1000, UTC), "DATETIME_FORMAT")


def link_to(row: Model | None, text: object = None) -> SafeString | str:
    """Return a link to the page of a row in the admin."""
    if row is None:
        return ""
    meta = row._meta  # noqa: SLF001 - documented by Django
    address = reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[row.pk])
    return format_html('<a href="{}">{}</a>', address, row if text is None else text)


_SEEN = ("username", "is_guest", "computer", "date_joined", "last_login", "is_active", "acts")


@admin.register(User)
class PersonAdmin(_Accounts):
    """Accounts, guests, and the levels of the computer."""

    show_full_result_count = False
    list_per_page = 50
    actions = None
    list_display = ("username", "is_guest", "is_staff", "is_active", "date_joined", "last_login")
    list_filter = ("is_guest", "is_staff", "is_active")
    search_fields = ("^username", "=email")
    ordering = ("-pk",)
    readonly_fields = ("acts", "last_login", "date_joined", "is_guest", "computer")

    def get_urls(self) -> list[URLPattern]:
        """Add the URL of the action form."""
        act = self.admin_site.admin_view(self.act_view)
        return [path("<int:key>/act/", act, name="accounts_user_act"), *super().get_urls()]

    def act_view(self, request: HttpRequest, key: int) -> HttpResponse:
        """Show the action form for a user."""
        user = User.objects.filter(pk=key).first()
        if user is None:
            raise Http404(_("This player does not exist."))
        return action_page(request, self.admin_site, Case(user))

    @admin.display(description=_("moderation"))
    def acts(self, user: User) -> str:
        """Return links to the action form, the profile and the audit log."""
        return format_html(
            '<a href="{}">{}</a> · <a href="{}">{}</a> · <a href="{}?about_key={}">{}</a>',
            reverse("admin:accounts_user_act", args=[user.pk]),
            _("warn, mute, suspend or rename"),
            reverse("profile", args=[user.username]),
            _("profile"),
            reverse("admin:moderation_auditrow_changelist"),
            user.pk,
            _("audit log"),
        )

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Return the fieldsets; only superusers see e-mail addresses and permissions."""
        if obj is None:
            return super().get_fieldsets(request, obj)
        shown: list[Any] = [(None, {"fields": _SEEN})]
        if request.user.is_superuser:
            shown.append((_("Account"), {"fields": ("password", "email")}))
            rights = ("is_staff", "is_superuser", "groups")
            shown.append((_("Permissions"), {"fields": rights}))
        return shown

    def get_search_fields(self, request: HttpRequest) -> Any:
        """Return the searched fields; only superusers search e-mail addresses."""
        if request.user.is_superuser:
            return self.search_fields
        return ("^username",)

    def has_delete_permission(
        self,
        request: HttpRequest,  # noqa: ARG002
        obj: Any = None,  # noqa: ARG002
    ) -> bool:
        """Refuse: users delete their accounts themselves, and their games are kept."""
        return False


class GameFilter(admin.SimpleListFilter):
    """Filter by game; the games come from the registry, not from a query over all rows."""

    title = _("game")
    parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002
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
        return moment(row.ended_at)

    @admin.display(description=_("result"))
    def result(self, row: MatchRow) -> str:
        """Return how it ended, in the reader's language."""
        return "" if row.result is None else result_text(row.result)

    @admin.display(description=_("page"))
    def page(self, row: MatchRow) -> str:
        return format_html('<a href="{}">{}</a>', reverse("match", args=[row.slug]), row.slug)

    @admin.display(description=_("moves"))
    def moves(self, row: MatchRow) -> str:
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

    list_display = ("written_at", "user", "text", "room", "slug", "match", "is_deleted")
    list_select_related = ("user", "match", "hidden")
    list_filter = ("room",)
    search_fields = ("=match__slug", "=slug", "=user__username", "text")
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
        return moment(line.at)

    @admin.display(description=_("deleted"), boolean=True)
    def is_deleted(self, line: ChatLine) -> bool:
        return hasattr(line, "hidden")


class OpenPuzzleReports(admin.SimpleListFilter):
    """Filter of reports by decision; open ones are the default."""

    title = _("decision")
    parameter_name = "decision"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:  # noqa: ARG002
        """Return the choices besides the default."""
        return [*PuzzleReportRow.Decision.choices, ("all", _("all"))]

    def choices(self, changelist: Any) -> Any:
        """Label the default choice as open."""
        first, *rest = super().choices(changelist)
        return [{**first, "display": _("open")}, *rest]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:  # noqa: ARG002
        """Return the reports with the chosen decision."""
        chosen = self.value() or ""
        return queryset if chosen == "all" else queryset.filter(decision=chosen)


@admin.register(PuzzleReportRow)
class PuzzleReportAdmin(ReadOnlyAdmin):
    """Queue of reports about puzzles, oldest first; a decision closes all of a puzzle."""

    list_display = ("made", "puzzle", "reason", "text", "user", "decision")
    list_filter = (OpenPuzzleReports, "reason")
    list_select_related = ("puzzle", "user")
    search_fields = ("=puzzle__puzzle_id", "^user__username", "text")
    ordering = ("at", "id")
    change_form_template = "admin/moderation/puzzle_report.html"
    fields = ("page", "reason", "text", "user", "made", "decision", "decided", "retired")

    def get_urls(self) -> list[URLPattern]:
        """Add the URLs of the decisions."""
        name = "puzzles_puzzlereportrow"
        view = self.admin_site.admin_view
        return [
            path("<int:key>/retire/", view(self.retire_view), name=f"{name}_retire"),
            path("<int:key>/keep/", view(self.keep_view), name=f"{name}_keep"),
            *super().get_urls(),
        ]

    def retire_view(self, request: HttpRequest, key: int) -> HttpResponse:
        """Ask for a reason and retire the puzzle of a report."""
        row = _find(key)
        text = _("The puzzle is no longer offered. Ratings stay as they are.")
        return self._decide(request, row, _("Retire"), text, retire=True)

    def keep_view(self, request: HttpRequest, key: int) -> HttpResponse:
        """Ask for a reason and keep the puzzle of a report, or offer a retired one again."""
        text = _("The puzzle is offered as before; its reports are closed.")
        return self._decide(request, _find(key), _("Keep"), text, retire=False)

    def _decide(
        self, request: HttpRequest, row: PuzzleReportRow, button: Any, text: Any, *, retire: bool
    ) -> HttpResponse:
        changelist = reverse("admin:puzzles_puzzlereportrow_changelist")
        decision = Decision(
            title=_("Puzzle %(id)s: %(action)s") % {"id": row.puzzle, "action": button},
            text=text,
            button=button,
            carry_out=lambda by, reason: _carry_out(by, row, reason, retire=retire),
            parent=(changelist, _("Reports about puzzles")),
            return_url=changelist,
        )
        return reason_page(request, self.admin_site, decision)

    @admin.display(description=_("at"), ordering="at")
    def made(self, row: PuzzleReportRow) -> str:
        return moment(row.at)

    @admin.display(description=_("decided"))
    def decided(self, row: PuzzleReportRow) -> str:
        """Return the time of the decision."""
        return moment(row.decided_at)

    @admin.display(description=_("retired"))
    def retired(self, row: PuzzleReportRow) -> str:
        """Return since when the puzzle is no longer offered."""
        return moment(row.puzzle.retired_at)

    @admin.display(description=_("page"))
    def page(self, row: PuzzleReportRow) -> SafeString:
        address = reverse("puzzle", args=[row.puzzle.puzzle_id])
        return format_html('<a href="{}">{}</a>', address, row.puzzle)


def _find(key: int) -> PuzzleReportRow:
    row = PuzzleReportRow.objects.select_related("puzzle").filter(pk=key).first()
    if row is None:
        raise Http404(_("This report does not exist."))
    return row


def _carry_out(by: User, row: PuzzleReportRow, reason: str, *, retire: bool) -> None:
    """Decide all open reports of a puzzle, and add that to the audit log."""
    with transaction.atomic():
        puzzle_services.decide_reports(row.puzzle, retire=retire)
        act = "retire-puzzle" if retire else "keep-puzzle"
        record(by, act, what=f"puzzle {row.puzzle}", reason=reason)


class OpenReports(admin.SimpleListFilter):
    """Filter of reports by state; open ones are the default."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:  # noqa: ARG002
        """Return the choices besides the default."""
        return [*[one for one in ReportRow.State.choices if one[0] != "open"], ("all", _("all"))]

    def choices(self, changelist: Any) -> Any:
        """Label the default choice as open."""
        first, *rest = super().choices(changelist)
        return [{**first, "display": ReportRow.State.OPEN.label}, *rest]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:  # noqa: ARG002
        """Return the reports in the chosen state."""
        chosen = self.value() or ReportRow.State.OPEN
        return queryset if chosen == "all" else queryset.filter(state=chosen)


@admin.register(ReportRow)
class ReportAdmin(ReadOnlyAdmin):
    """Queue of reports, oldest first."""

    list_display = ("made_at", "about", "reason", "quote", "by", "state")
    list_filter = (OpenReports, "reason")
    list_select_related = ("about", "by")
    search_fields = ("^about__username", "^by__username", "quote", "text")
    ordering = ("made_at", "id")

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",  # noqa: ARG002
        extra_context: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> HttpResponse:
        """Show a report with its context and the action form."""
        rows = ReportRow.objects.select_related(
            "about", "by", "line__user", "line__match", "match", "study__owner"
        )
        row = rows.filter(pk=read_number(object_id) or 0).first()
        if row is None:
            raise Http404(_("This report does not exist."))
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        return action_page(request, self.admin_site, Case(row.about, row, row.line))


@admin.register(SanctionRow)
class SanctionAdmin(ReadOnlyAdmin):
    """Sanctions; those in force can be lifted."""

    list_display = ("made_at", "user", "kind", "until", "lifted_at", "by")
    list_filter = ("kind",)
    list_select_related = ("user", "by")
    search_fields = ("^user__username", "reason")
    change_form_template = "admin/moderation/sanction.html"

    def get_urls(self) -> list[URLPattern]:
        """Add the URL to lift a sanction."""
        lift = self.admin_site.admin_view(self.lift_view)
        own = [path("<int:key>/lift/", lift, name="moderation_sanctionrow_lift")]
        return own + super().get_urls()

    def lift_view(self, request: HttpRequest, key: int) -> HttpResponse:
        """Ask for a reason and lift a sanction."""
        row = SanctionRow.objects.select_related("user", "match").filter(pk=key).first()
        if row is None:
            raise Http404(_("This sanction does not exist."))
        decision = Decision(
            title=_("Lift: %(sanction)s") % {"sanction": row},
            text=row.reason,
            button=_("Lift"),
            carry_out=lambda by, reason: services.lift(by, row, reason),
            parent=(reverse("admin:moderation_sanctionrow_changelist"), _("Sanctions")),
            return_url=reverse("admin:accounts_user_change", args=[row.user.pk]),
        )
        return reason_page(request, self.admin_site, decision)


@admin.register(HiddenLineRow)
class HiddenLineAdmin(ReadOnlyAdmin):
    """Deleted chat lines."""

    list_display = ("made_at", "author", "line")
    list_select_related = ("line__user",)
    search_fields = ("^line__user__username", "line__text", "=line__match__slug")

    @admin.display(description=_("by"))
    def author(self, row: HiddenLineRow) -> str:
        return link_to(row.line.user)


@admin.register(AuditRow)
class AuditAdmin(ReadOnlyAdmin):
    """Audit log; it cannot be changed, not even by superusers."""

    list_display = ("at", "by_name", "act", "about_name", "what", "reason")
    list_filter = ("act",)
    search_fields = ("=by_name", "=about_name", "what", "reason")
    date_hierarchy = "at"
