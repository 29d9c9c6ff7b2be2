"""Players' pages: description, ratings and matches."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from antipodes.errors import MatchError
from antipodes.games import pairing_strategy
from antipodes.games.position import Game
from antipodes.games.registry import game_class, game_ids
from antipodes.search.levels import Level, level_of
from antipodes.web.accounts.decorators import user_required
from antipodes.web.accounts.models import ProfileRow, User
from antipodes.web.accounts.profile_services import ProfileForm, profile_of
from antipodes.web.accounts.services import current_user, users_named
from antipodes.web.archive.crosstable import crosstable as table_of
from antipodes.web.archive.finished_games import count_finished, last_finished, outcomes_of
from antipodes.web.matches.access import played_by, visible_to
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.selectors import MatchLine, match_line
from antipodes.web.platform.clock import now
from antipodes.web.platform.translations import translate
from antipodes.web.ratings.charts import history_chart
from antipodes.web.ratings.history import ChangeLine, History, history, latest_changes, moment
from antipodes.web.ratings.selectors import PoolRating, find_pool, ratings_of
from antipodes.web.tournaments.selectors import trophies_of

_MOST_MATCHES = 12  # of those in progress and of finished ones


@dataclass(frozen=True)
class RatingLine:
    """A row of the table of ratings.

    Attributes:
        game: the game.
        pool: the rating, with speed and board class.
        key: name of the pool in the page's URL.
        is_shown: whether its history is shown.
    """

    game: type[Game]
    pool: PoolRating
    key: str
    is_shown: bool

    @property
    def latest(self) -> object:
        """End of the last rated game."""
        return moment(self.pool.latest)


@dataclass(frozen=True)
class RatingHistory:
    """The history of a rating as the page shows it.

    Attributes:
        line: the rating.
        history: the history.
        title: title of section and chart.
        chart: the chart as SVG.
        latest: changes by the last matches.
    """

    line: RatingLine
    history: History
    title: str
    chart: SafeString
    latest: list[ChangeLine]


@dataclass(frozen=True)
class ProfilePage:
    """Content of a player's page.

    Attributes:
        row: the player's own description, if any.
        ratings: one row per pool, most games first.
        history: the history of one of the ratings.
        in_progress: matches in progress, last changed first.
        finished: the last finished matches.
        games: number of matches that the viewer may see.
        level: the computer's level, if the player is one.
        level_ratings: measured ratings of the level, by game.
        why: why the computer's pairing strategy cannot lose, if the player is it.
    """

    row: ProfileRow | None
    ratings: list[RatingLine]
    history: RatingHistory | None
    in_progress: list[MatchLine]
    finished: list[MatchLine]
    games: int
    level: Level | None
    level_ratings: list[tuple[type[Game], int]]
    why: str


def profile_page(person: User, viewer: User | None, key: str = "") -> ProfilePage:
    """Return the content of a player's page.

    Args:
        person: the player.
        viewer: the user who sees the page; ``None`` for anonymous visitors.
        key: the pool whose history is shown; the one with most games if there is no such pool.
    """
    pools = ratings_of(person)
    keys = [f"{one.game_id}-{one.speed}-{one.board_class}" for one in pools]
    chosen = key if key in keys else next(iter(keys), "")
    ratings = [
        RatingLine(game_class(pool.game_id), pool, of_pool, of_pool == chosen)
        for pool, of_pool in zip(pools, keys, strict=True)
    ]
    level = level_of(person.computer)
    in_progress = _in_progress(person, viewer)
    shown = next((one for one in ratings if one.is_shown), None)
    return ProfilePage(
        row=ProfileRow.objects.filter(user=person).first() if person.is_active else None,
        ratings=ratings,
        history=None if shown is None else _history(person, viewer, shown),
        in_progress=_lines(in_progress.order_by("-changed_at")[:_MOST_MATCHES]),
        finished=_finished(person, viewer),
        games=in_progress.count() + count_finished(person, viewer),
        level=level,
        level_ratings=_level_ratings(level),
        why=str(pairing_strategy.WHY) if person.computer == pairing_strategy.PLAYER else "",
    )


def _in_progress(person: User, viewer: User | None) -> QuerySet[MatchRow]:
    rows = MatchRow.objects.filter(pk__in=played_by(person), ended_at=None)
    return rows.filter(visible_to(viewer))


def _lines(rows: QuerySet[MatchRow]) -> list[MatchLine]:
    return [match_line(row, None) for row in rows.prefetch_related(seated())]


def _finished(person: User, viewer: User | None) -> list[MatchLine]:
    """Return the last finished matches of a player, as the player sees them."""
    rows = list(last_finished(person, viewer, _MOST_MATCHES).prefetch_related(seated()))
    outcomes = {key: one.label for key, one in outcomes_of(person, rows).items()}
    return [replace(match_line(row, person), outcome=outcomes.get(row.pk, "")) for row in rows]


def _history(person: User, viewer: User | None, line: RatingLine) -> RatingHistory | None:
    pool = find_pool(line.pool.game_id, line.pool.speed, line.pool.board_class)
    if pool is None:
        return None
    past = history(person, pool)
    title = _("%(game)s, %(speed)s, %(board)s: rating history") % {
        "game": translate(line.game.title),
        "speed": line.pool.speed.label,
        "board": line.pool.board_class.label,
    }
    chart = history_chart(past.points, title) if past.points else SafeString("")
    return RatingHistory(line, past, title, chart, latest_changes(person, pool, viewer))


def _level_ratings(level: Level | None) -> list[tuple[type[Game], int]]:
    if level is None:
        return []
    ratings = [(game_class(game_id), level.rating(game_id)) for game_id in game_ids()]
    return [(game, rating) for game, rating in ratings if rating is not None]


_POOL = "of"  # query parameter: the pool whose history is shown, such as hex-blitz-standard


@require_GET
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Show a player's page."""
    person = _find(name)
    if person.username != name:
        return redirect("profile", name=person.username)
    viewer = current_user(request)
    page = profile_page(person, viewer, key=request.GET.get(_POOL, ""))
    context = {"page": page, "person": person, "is_own": viewer == person}
    context["trophies"] = trophies_of(person, viewer)
    context["first_game"] = page.ratings[0].game.id if page.ratings else game_ids()[0]
    return render(request, "profiles/profile.html", context)


@require_GET
def crosstable(request: HttpRequest, name: str, other: str) -> HttpResponse:
    """Show the score of all finished games of two players against each other."""
    first, second = _find(name), _find(other)
    if first == second:
        return redirect("profile", name=first.username)
    if (first.username, second.username) != (name, other):
        return redirect("crosstable", name=first.username, other=second.username)
    viewer = current_user(request)
    opponent = {first: second, second: first}.get(viewer) if viewer else None
    context = {
        "table": table_of(first, second, viewer),
        "opponent": None if opponent is None or opponent.is_computer else opponent,
        "first_game": game_ids()[0],
    }
    return render(request, "profiles/crosstable.html", context)


def _find(name: str) -> User:
    """Return the user with a name; an exact match precedes one in another letter case.

    Raises:
        Http404: there is no such user.
    """
    person = User.objects.filter(username=name).first()
    person = person or users_named(name).first()
    if person is None:
        raise Http404(_("There is no player named %(name)s.") % {"name": name})
    return person


@require_http_methods(["GET", "POST"])
@user_required
def edit(request: HttpRequest, user: User) -> HttpResponse:
    """Edit the user's own profile."""
    if user.is_guest:
        return redirect("account_signup")
    form = ProfileForm(request.POST or None, instance=profile_of(user))
    if request.method == "POST" and form.is_valid():
        form.instance.changed_at = now()
        try:
            form.save()
        except MatchError as error:  # the user is muted
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Your profile has been saved."))
            return redirect("profile", name=user.username)
    return render(request, "profiles/edit.html", {"form": form, "person": user})
