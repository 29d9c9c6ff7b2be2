"""The queue of reports, what was decided, and the audit log, for moderators."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext_lazy as _

from antipodes.web.moderation import account_admin, match_admin, services
from antipodes.web.moderation.action_views import Case, act_page
from antipodes.web.moderation.models import AuditRow, HiddenLineRow, ReportRow, SanctionRow
from antipodes.web.moderation.reason_views import Decision, reason_page
from antipodes.web.moderation.staff_admin import ReadOnlyAdmin, link_to

# Django looks for admin classes in this module alone.
__all__ = ["account_admin", "match_admin"]

admin.site.site_header = admin.site.site_title = "Antipodes"
# There is one door for everybody, with its limits and its second step.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]


class OpenReports(admin.SimpleListFilter):
    """Reports that wait, unless others are asked for."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:  # noqa: ARG002
        """Return what can be chosen beside the open ones."""
        return [*[one for one in ReportRow.State.choices if one[0] != "open"], ("all", _("all"))]

    def choices(self, changelist: Any) -> Any:
        """Call what is shown when nothing is chosen by its name."""
        first, *rest = super().choices(changelist)
        return [{**first, "display": ReportRow.State.OPEN.label}, *rest]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:  # noqa: ARG002
        """Return the reports in the chosen state."""
        chosen = self.value() or ReportRow.State.OPEN
        return queryset if chosen == "all" else queryset.filter(state=chosen)


@admin.register(ReportRow)
class ReportAdmin(ReadOnlyAdmin):
    """The queue: what waits longest comes first."""

    list_display = ("made_at", "about", "reason", "said", "by", "state")
    list_filter = (OpenReports, "reason")
    list_select_related = ("about", "by")
    search_fields = ("^about__username", "^by__username", "said", "text")
    ordering = ("made_at", "id")

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",  # noqa: ARG002
        extra_context: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> HttpResponse:
        """Show a report with what belongs to it, and the form to act on it."""
        rows = ReportRow.objects.select_related("about", "by", "line__user", "line__match", "match")
        if not object_id.isdecimal() or (row := rows.filter(pk=object_id).first()) is None:
            raise Http404(_("There is no such report."))
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        return act_page(request, self.admin_site, Case(row.about, row, row.line))


@admin.register(SanctionRow)
class MeasureAdmin(ReadOnlyAdmin):
    """What moderators have decided; what holds somebody back can be lifted."""

    list_display = ("made_at", "user", "kind", "until", "lifted_at", "by")
    list_filter = ("kind",)
    list_select_related = ("user", "by")
    search_fields = ("^user__username", "reason")
    change_form_template = "admin/moderation/measure.html"

    def get_urls(self) -> list[URLPattern]:
        """Return the usual addresses, and that to lift a measure."""
        lift = self.admin_site.admin_view(self.lift_view)
        own = [path("<int:key>/lift/", lift, name="moderation_sanctionrow_lift")]
        return own + super().get_urls()

    def lift_view(self, request: HttpRequest, key: int) -> HttpResponse:
        """Ask why, and take a measure that holds back before its time."""
        row = SanctionRow.objects.select_related("user", "match").filter(pk=key).first()
        if row is None:
            raise Http404(_("There is no such measure."))
        decision = Decision(
            title=_("Lift: %(measure)s") % {"measure": row},
            told=row.reason,
            button=_("Lift"),
            do=lambda by, reason: services.lift(by, row, reason),
            above=(reverse("admin:moderation_sanctionrow_changelist"), _("Measures")),
            after=reverse("admin:accounts_user_change", args=[row.user.pk]),
        )
        return reason_page(request, self.admin_site, decision)


@admin.register(HiddenLineRow)
class HiddenLineAdmin(ReadOnlyAdmin):
    """Lines of chats that moderators have deleted."""

    list_display = ("made_at", "said_by", "line")
    list_select_related = ("line__user",)
    search_fields = ("^line__user__username", "line__text", "=line__match__slug")

    @admin.display(description=_("by"))
    def said_by(self, row: HiddenLineRow) -> str:
        """Return who said it."""
        return link_to(row.line.user)


@admin.register(AuditRow)
class AuditAdmin(ReadOnlyAdmin):
    """What the staff has done; it cannot be changed, by nobody."""

    list_display = ("at", "by_name", "act", "about_name", "what", "reason")
    list_filter = ("act",)
    search_fields = ("=by_name", "=about_name", "what", "reason")
    date_hierarchy = "at"
