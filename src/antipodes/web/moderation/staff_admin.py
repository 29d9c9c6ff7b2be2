"""Base class and helpers of the read-only admin pages."""

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
    """Admin that shows rows but never adds, changes or deletes them, even for superusers."""

    show_full_result_count = False
    list_per_page = 50
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """Refuse."""
        return False

    def has_change_permission(
        self,
        request: HttpRequest,  # noqa: ARG002
        obj: Any = None,  # noqa: ARG002
    ) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(
        self,
        request: HttpRequest,  # noqa: ARG002
        obj: Any = None,  # noqa: ARG002
    ) -> bool:
        """Refuse."""
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
