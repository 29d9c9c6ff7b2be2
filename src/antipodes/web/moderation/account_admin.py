"""Admin of accounts: moderators view them and act on them, superusers also edit them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from antipodes.web.accounts.models import User
from antipodes.web.moderation.action_views import Case, action_page

_SEEN = ("username", "is_guest", "computer", "date_joined", "last_login", "is_active", "acts")


if TYPE_CHECKING:
    _Accounts = UserAdmin[User]
else:
    _Accounts = UserAdmin


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
