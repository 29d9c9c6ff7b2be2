"""Avatars: small boards whose stones follow from a name."""

from __future__ import annotations

import hashlib
from math import cos, pi, sin

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

_STONES = ("#1b1917", "#fdfbf6", "none")  # black, white, and an empty cell
_RING = 7.0  # distance of the outer cells from the centre
_CELLS = 6  # around the centre


@register.simple_tag
def avatar(name: str) -> SafeString:
    """Draw the avatar of a player; the same name always has the same."""
    digest = hashlib.sha256(name.encode()).digest()
    angles = [2 * pi * cell / _CELLS for cell in range(_CELLS)]
    places = [(0.0, 0.0), *((_RING * cos(angle), _RING * sin(angle)) for angle in angles)]
    stones = format_html_join(
        "",
        '<circle cx="{}" cy="{}" r="3" fill="{}"/>',
        (
            (round(x, 1), round(y, 1), _STONES[byte % len(_STONES)])
            for (x, y), byte in zip(places, digest, strict=False)
        ),
    )
    hue = 360 * digest[-1] // 256
    return format_html(
        '<svg class="avatar" viewBox="-12 -12 24 24" width="28" height="28" aria-hidden="true">'
        '<circle r="12" fill="hsl({} 45% 55%)"/>{}</svg>',
        hue,
        stones,
    )
