"""Names of tie-breaks, and of the games of a pairing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from antipodes.tournaments import FORMATS, Bout, TieBreak
from antipodes.tournaments.bouts import AllGames, BestOf, MatchPlayBout
from antipodes.web.platform.translations import option_texts

TIE_BREAKS: Mapping[TieBreak, tuple[str | Promise, str | Promise]] = {
    TieBreak.BUCHHOLZ: (
        gettext_lazy("Buchholz"),
        gettext_lazy("The sum of the points of all opponents: who met stronger players is ahead."),
    ),
    TieBreak.BUCHHOLZ_CUT: (
        gettext_lazy("Buchholz cut 1"),
        gettext_lazy("The sum of the points of all opponents, without the one with the fewest."),
    ),
    TieBreak.MEDIAN_BUCHHOLZ: (
        gettext_lazy("Median Buchholz"),
        gettext_lazy("The same without the opponents with the fewest and with the most points."),
    ),
    TieBreak.SONNEBORN_BERGER: (
        gettext_lazy("Sonneborn-Berger"),
        gettext_lazy("The points of each opponent, times the points won against them."),
    ),
    TieBreak.DIRECT_ENCOUNTER: (
        gettext_lazy("Direct encounter"),
        gettext_lazy("The points among those who are equal, if all of them have met."),
    ),
    TieBreak.WINS: (gettext_lazy("Wins"), gettext_lazy("The number of pairings won by play.")),
    TieBreak.GAME_DIFFERENCE: (
        gettext_lazy("Game difference"),
        gettext_lazy("The points won in all games, minus those of the opponents."),
    ),
    TieBreak.PLAYOFF: (
        gettext_lazy("Playoff"),
        gettext_lazy("Players who are tied for the first place play a knockout with short games."),
    ),
}


def bout_label(bout: Bout) -> str:
    """Name the games of a pairing, such as "best of 3 games"."""
    if isinstance(bout, MatchPlayBout):
        return _("match play to %(points)d points") % {"points": bout.target}
    if isinstance(bout, BestOf):
        return _("best of %(count)d games") % {"count": bout.count}
    if isinstance(bout, AllGames) and not bout.is_shared:
        return _("a pair: two games, with seats exchanged and one result")
    if bout.is_series:
        return _("mirrored: two games, with seats exchanged")
    return _("one game")


def texts() -> Iterator[tuple[str | None, str]]:
    """Yield the texts of all formats, for the catalogues."""
    for kind in FORMATS.values():
        yield None, kind.title
        yield None, kind.summary
        for info in kind.describe():
            yield from option_texts(info)
