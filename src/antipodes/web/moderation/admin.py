"""Admin of reports, sanctions, deleted chat lines and the audit log."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext_lazy as _

from antipodes.core.numbers import read_number
from antipodes.web.moderation import account_admin, match_admin, puzzle_admin, services
from antipodes.web.moderation.action_views import Case, action_page
from antipodes.web.moderation.models import AuditRow, HiddenLineRow, ReportRow, SanctionRow
from antipodes.web.moderation.reason_views import Decision, reason_page
from antipodes.web.moderation.staff_admin import ReadOnlyAdmin, link_to

# Django imports this module of the app only.
__all__ = ["account_admin", "match_admin", "puzzle_admin"]

admin.site.site_header = admin.site.site_title = "Antipodes"
# Staff sign in on the site's own page, with its rate limits and two-factor authentication.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]


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
        """Return a link to the author."""
        return link_to(row.line.user)


@admin.register(AuditRow)
class AuditAdmin(ReadOnlyAdmin):
    """Audit log; it cannot be changed, not even by superusers."""

    list_display = ("at", "by_name", "act", "about_name", "what", "reason")
    list_filter = ("act",)
    search_fields = ("=by_name", "=about_name", "what", "reason")
    date_hierarchy = "at"
