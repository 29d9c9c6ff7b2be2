"""Confusable names: a key that names share if one could be taken for the other.

The key is the skeleton of Unicode's Technical Standard 39, made blind to capital letters. Names are
shown with capitals, and ``I`` looks like ``l``; so ``i``, ``l`` and ``1`` are one, as are ``o`` and
``0``, ``rn`` and ``m``, ``vv`` and ``w``, and hyphens and underscores.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from django.db import models

LONGEST = 255  # characters of a key

# Beyond Unicode's data, whose skeletons tell capitals from small letters.
_FOLDED = {"i": "l", "_": "-", "w": "vv"}
# What shows nothing, and marks on letters: accents as in Café, variation selectors.
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
    """Return the key of a name; names with the same key look alike.

    Once by Unicode's data with capitals as they are written, since a Cyrillic ``В`` looks like a
    ``B`` but a ``в`` does not look like a ``b``, and once without.
    """
    shown = _mapped(unicodedata.normalize("NFKD", name))
    folded = _mapped(shown.casefold()).casefold()
    key = "".join(_FOLDED.get(one, one) for one in folded)
    return " ".join(key.split())[:LONGEST]


def _mapped(text: str) -> str:
    """Map characters to their prototypes, without marks and what is hidden."""
    seen = "".join(one for one in text if unicodedata.category(one) not in _HIDDEN)
    mapped = _MARKS.sub("", seen).translate(_prototypes())
    return _MARKS.sub("", unicodedata.normalize("NFKD", mapped))


if TYPE_CHECKING:
    _Text = models.CharField[str, str]
else:
    _Text = models.CharField


class SkeletonField(_Text):
    """The skeleton of another column, made whenever the row is written.

    It is null in rows that a version of the program without it has written.
    """

    def __init__(self, *args: Any, of: str = "", **options: Any) -> None:
        """Note of which column."""
        usual = {"max_length": LONGEST, "unique": True, "null": True, "editable": False}
        options = usual | options
        super().__init__(*args, **options)
        self.of = of

    def deconstruct(self) -> Any:
        """Return how the field is made, for migrations."""
        name, path, args, options = super().deconstruct()
        return name, path, args, options | {"of": self.of}

    def pre_save(self, instance: models.Model, add: bool) -> str:  # noqa: ARG002
        """Return the key of what the other column holds now."""
        key = skeleton(getattr(instance, self.of))
        setattr(instance, self.attname, key)
        return key


def fill_skeletons(model: type[models.Model], of: str) -> None:
    """Give each row of a table its skeleton, for migrations."""
    rows = model._default_manager.order_by("pk")  # noqa: SLF001 - Django's own name for it
    for key, found in skeletons(rows.values_list("pk", of)).items():
        rows.filter(pk=key).update(skeleton=found)


def skeletons(names: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return a skeleton of its own for each name, by key.

    Where names look alike, the first one has the skeleton; the others get one with their key, which
    no name has, since it has two spaces.
    """
    found: dict[int, str] = {}
    used: set[str] = set()
    for key, name in names:
        one = skeleton(name)
        found[key] = one if one not in used else f"{one[: LONGEST - 24]}  {key}"
        used.add(one)
    return found
