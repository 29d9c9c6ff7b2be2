"""Series of Antipalos match play in the database."""

from __future__ import annotations

from antipodes.match import Match, Series, Terms
from antipodes.web.matches.models import SeriesRow


def new_series(terms: Terms, points: int) -> SeriesRow:
    """Store a series of match play whose first game has these terms.

    Raises:
        InvalidOptionsError: the game has no match play, or not to that many points.
    """
    series = Series.begun(terms, points)
    row = SeriesRow(
        game_id=terms.game.id,
        options=dict(terms.game.options.changed()),
        control=str(terms.control),
        rated=terms.rated,
        analysis=terms.analysis,
        target=points,
        sides=[[int(user) for user in side] for side in series.sides],
    )
    _note(row, series)
    return row


def take_over(*, before: int, after: int, **_: object) -> None:
    """Transfer a guest's series to an account, which has the guest's seats already."""
    for row in SeriesRow.objects.filter(matches__seats__user=after).distinct():
        row.sides = [[after if user == before else user for user in side] for side in row.sides]
        row.save(update_fields=["sides"])


def count_game(row: SeriesRow, match: Match, at: int) -> None:
    """Add the result of a finished game to its series."""
    row.refresh_from_db()
    series = row.series().after(match)
    if series.winner is not None:
        row.ended_at = at
    _note(row, series)


def next_terms(row: SeriesRow | None) -> Terms | None:
    """Return the terms of the next game of a series, or ``None`` if no game is missing."""
    if row is None or row.winner is not None:
        return None
    return row.series().terms()


def _note(row: SeriesRow, series: Series) -> None:
    row.scores = list(series.standing.scores)
    row.beginner = series.standing.beginner
    row.games = series.standing.games
    row.save()
