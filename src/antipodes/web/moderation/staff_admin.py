"""What pages of the staff share: they look at rows, and change nothing by hand."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

if TYPE_CHECKING:
    _Admin = admin.ModelAdmin[Any]
else:
    _Admin = admin.ModelAdmin


class ReadOnlyAdmin(_Admin):
    """Rows to look at; nobody adds, changes or deletes them here, superusers neither."""

    show_full_result_count = False
    list_per_page = 50
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """Nobody may."""
        return False

    def has_change_permission(
        self,
        request: HttpRequest,  # noqa: ARG002
        obj: Any = None,  # noqa: ARG002
    ) -> bool:
        """Nobody may."""
        return False

    def has_delete_permission(
        self,
        request: HttpRequest,  # noqa: ARG002
        obj: Any = None,  # noqa: ARG002
    ) -> bool:
        """Nobody may."""
        return False


def moment(at: int | None) -> str:
    """Say a time that is kept in milliseconds since 1970; nothing for no time."""
    if at is None:
        return ""
    return date_format(datetime.fromtimestamp(at / 1000, UTC), "DATETIME_FORMAT")


def link_to(row: Model | None, text: object = None) -> SafeString | str:
    """Return a link to the page of a row in the admin."""
    if row is None:
        return ""
    meta = row._meta  # noqa: SLF001 - Django's own name for what is told of a model
    address = reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[row.pk])
    return format_html('<a href="{}">{}</a>', address, row if text is None else text)
