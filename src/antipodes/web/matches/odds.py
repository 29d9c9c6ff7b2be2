"""The odds of a game that favours a colour, in a sentence."""

from __future__ import annotations

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from antipodes.games.position import Game
from antipodes.lab.seat_advantage import favourite
from antipodes.web.platform.translations import color_name


def odds_of(game: Game, *, is_rated: bool = False) -> str:
    """Return a sentence with the odds of a game; empty if it is not known to favour a colour.

    Of rated games it says that ratings know of them.
    """
    favoured = favourite(game)
    if favoured is None:
        return ""
    color, share = favoured
    if is_rated:
        odds = _("%(color)s wins about %(percent)d\u00a0%% here, which ratings take into account.")
    else:
        odds = _("%(color)s wins about %(percent)d\u00a0%% of the games between equal players.")
    return capfirst(odds % {"color": color_name(color), "percent": round(100 * share)})
