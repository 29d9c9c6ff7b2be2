"""Ranges of ratings that challenges and tournaments accept."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

MOST_RATING = 5_000  # of a bound


@dataclass(frozen=True, slots=True)
class RatingRange:
    """An inclusive range of ratings.

    Attributes:
        lowest: the lowest rating; ``None`` is no bound.
        highest: the highest rating.
    """

    lowest: int | None
    highest: int | None

    def includes(self, rating: int) -> bool:
        return (self.lowest is None or self.lowest <= rating) and (
            self.highest is None or rating <= self.highest
        )

    @property
    def label(self) -> str:
        """The range in words; empty if it has no bounds."""
        values = {"lowest": self.lowest, "highest": self.highest}
        if self.highest is None:
            return "" if self.lowest is None else _("rating from %(lowest)s") % values
        if self.lowest is None:
            return _("rating up to %(highest)s") % values
        return _("rating %(lowest)s to %(highest)s") % values
