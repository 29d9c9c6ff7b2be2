"""Template filter for texts of lessons."""

from __future__ import annotations

from django import template

from antipodes.web.courses.texts import marked_up, plain

register = template.Library()
register.filter("marked_up", marked_up)
register.filter("plain", plain)
