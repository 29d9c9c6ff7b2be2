"""Confusable names: names that look alike share a skeleton.

Skeletons are those of Unicode Technical Standard 39, made case-insensitive. Since names are shown
with capitals, and ``I`` looks like ``l``, the letters ``i``, ``l`` and ``1`` are the same, as are
``o`` and ``0``, ``rn`` and ``m``, ``vv`` and ``w``, and hyphens and underscores.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from django.db import models

LONGEST = 255  # characters of a skeleton

# In addition to Unicode's data, which is case-sensitive.
_FOLDED = {"i": "l", "_": "-", "w": "vv"}
# Invisible characters, and marks on letters: accents as in Café, variation selectors.
_HIDDEN = frozenset({"Cc", "Cf"})
_MARKS = re.compile("[\u0300-\u036f\ufe00-\ufe0f]")


@cache
def _prototypes() -> dict[int, str]:
    lines = (
        files("antipodes.web.accounts").joinpath("confusables.txt").read_text("utf-8").splitlines()
    )
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {
        int(source, 16): "".join(chr(int(one, 16)) for one in target) for source, *target in rows
    }


def skeleton(name: str) -> str:
    """Return the skeleton of a name.

    Unicode's data is applied before and after folding the case, since a Cyrillic ``В`` looks like a
    ``B`` but a ``в`` does not look like a ``b``.
    """
    mapped = _mapped(unicodedata.normalize("NFKD", name))
    folded = _mapped(mapped.casefold()).casefold()
    key = "".join(_FOLDED.get(character, character) for character in folded)
    return " ".join(key.split())[:LONGEST]


def _mapped(text: str) -> str:
    """Map characters to their prototypes, without marks and invisible characters."""
    visible = "".join(one for one in text if unicodedata.category(one) not in _HIDDEN)
    mapped = _MARKS.sub("", visible).translate(_prototypes())
    return _MARKS.sub("", unicodedata.normalize("NFKD", mapped))


if TYPE_CHECKING:
    _Text = models.CharField[str, str]
else:
    _Text = models.CharField


class SkeletonField(_Text):
    """The skeleton of another column, set whenever the row is saved.

    It is null in rows saved by a version of the program without this field.
    """

    def __init__(self, *args: Any, of: str = "", **options: Any) -> None:
        defaults = {"max_length": LONGEST, "unique": True, "null": True, "editable": False}
        super().__init__(*args, **(defaults | options))
        self.of = of

    def deconstruct(self) -> Any:
        """Return the arguments of the field, for migrations."""
        name, path, args, options = super().deconstruct()
        return name, path, args, options | {"of": self.of}

    def pre_save(self, instance: models.Model, add: bool) -> str:  # noqa: ARG002
        """Return the skeleton of the other column's present value."""
        value = skeleton(getattr(instance, self.of))
        setattr(instance, self.attname, value)
        return value
