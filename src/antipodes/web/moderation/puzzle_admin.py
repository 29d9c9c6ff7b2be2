"""Admin of reports about puzzles: moderators retire a puzzle, or keep it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from antipodes.web.accounts.models import User
from antipodes.web.moderation.audit import record
from antipodes.web.moderation.reason_views import Decision, reason_page
from antipodes.web.moderation.staff_admin import ReadOnlyAdmin, moment
from antipodes.web.puzzles import services
from antipodes.web.puzzles.models import PuzzleReportRow


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
        """Return the time of the report."""
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
        """Return a link to the puzzle."""
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
        services.decide_reports(row.puzzle, retire=retire)
        act = "retire-puzzle" if retire else "keep-puzzle"
        record(by, act, what=f"puzzle {row.puzzle}", reason=reason)
