"""The page that answers whether the games are fair, from measurements and games of people."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from antipodes.core import Color
from antipodes.lab.knowledge import answers, overview
from antipodes.lab.sections import Section, share_plot
from antipodes.web.archive.labels import color_label, option_set_label
from antipodes.web.archive.models import BucketRow, OptionSetRow
from antipodes.web.archive.statistics import Scope, Share
from antipodes.web.platform.templatetags.translations import phrase
from antipodes.web.ratings.classes import RatingBand

_MOST_IN_SIGHT = 30  # rows of a plot that is shown beside the answer; more are folded
_MOST_SETS = 6  # option sets of a game
_PEOPLE = Scope(with_computer=False)


@dataclass(frozen=True, slots=True)
class PeopleLine:
    """Games between people with the same options and of the same strength.

    Attributes:
        options: in words.
        band: the players' mean rating in words.
        games: how many.
        color: the colour whose share it is.
        share: its share of the points; draws are shared by all colours.
    """

    options: str
    band: str
    games: int
    color: str
    share: Share


@require_safe
def knowledge(request: HttpRequest) -> HttpResponse:
    """Answer questions about the balance of the games, with measurements."""
    people = games_of_people()
    shown: set[str] = set()
    sections = []
    for answer in answers():
        # The games of people stand below the first answer about their game.
        lines = [] if answer.game in shown else people.get(answer.game, [])
        shown.add(answer.game)
        sections.append({"answer": answer, "plot": _plot(answer), "people": lines})
    context = {"sections": sections, "overview": _overview(), "most_in_sight": _MOST_IN_SIGHT}
    return render(request, "archive/knowledge.html", context)


def _overview() -> SafeString:
    title = _("How many games one colour of each game wins between two equal computer players")
    return mark_safe(share_plot(overview(), title, phrase, class_="chart shares"))  # noqa: S308 - it escapes texts


def _plot(section: Section) -> SafeString:
    table = section.table
    if table is None or not table.shares:
        return SafeString("")
    title = _("%(question)s The table below has the same shares with their intervals.")
    drawn = share_plot(
        table, title % {"question": phrase(section.title)}, phrase, class_="chart shares"
    )
    return mark_safe(drawn)  # noqa: S308 - it escapes texts


def games_of_people() -> dict[str, list[PeopleLine]]:
    """Return the results of people's public games by game, most played options first."""
    rows = BucketRow.objects.filter(_PEOPLE.condition)
    groups = rows.values_list("option_set", "band", "winner").annotate(Sum("games"))
    counts: dict[int, dict[str, Counter[str]]] = {}
    for option_set, band, winner, games in groups:
        bands = counts.setdefault(option_set, {})
        # Games of players with provisional ratings count only in the sum of all.
        for name in filter(None, {band, "all"}):
            bands.setdefault(name, Counter())[winner] += games
    sets = OptionSetRow.objects.in_bulk(counts)
    lines_of_game: dict[str, list[PeopleLine]] = {}
    order = sorted(counts, key=lambda one: -counts[one]["all"].total())
    taken: Counter[str] = Counter()
    for option_set in order:
        row = sets[option_set]
        taken[row.game_id] += 1
        if taken[row.game_id] <= _MOST_SETS:
            lines_of_game.setdefault(row.game_id, []).extend(_lines(row, counts[option_set]))
    return lines_of_game


def _lines(row: OptionSetRow, bands: dict[str, Counter[str]]) -> list[PeopleLine]:
    colors = row.game.colors
    color = Color.BLACK if Color.BLACK in colors else colors[0]
    labels = {"all": _("all")} | {one.value: str(one.label) for one in RatingBand}
    lines = []
    for band, label in labels.items():
        wins = bands.get(band)
        if wins:
            games = wins.total()
            points = wins[color.value] + wins[""] / len(colors)
            options = option_set_label(row) or _("default")
            share = Share(points, games)
            lines.append(PeopleLine(options, label, games, color_label(color.value), share))
    return lines
