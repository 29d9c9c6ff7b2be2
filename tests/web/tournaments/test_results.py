"""Points of finished games, and of the pairings that they decide."""

import pytest

from antipodes.games.registry import make_game
from antipodes.match import Accept, Offer, OfferKind, Play, Terms
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.tournaments.models import GameRow, PairingRow, TournamentRow
from antipodes.web.tournaments.results import GameResult, decision_of, missing_games, result_of


def begun(people, game_id, **options):
    """Begin a match of two people."""
    users = people[:2]
    terms = Terms(game=make_game(game_id, options), players=tuple(str(one.pk) for one in users))
    return begin_match(terms, users)


def play(row, *texts):
    """Make moves in turn."""
    for text in texts:
        match = MatchRow.objects.get(pk=row.pk).match()
        seat, number = match.seat_to_move or 0, match.position.parse_move(text)
        carry_out(row.slug, Play(seat=seat, ply=match.ply, key=f"move {match.ply}", move=number))
    return MatchRow.objects.get(pk=row.pk)


def test_a_match_in_progress_has_no_result(people):
    row = begun(people, "hex", size=3)
    with pytest.raises(ValueError, match="has not ended"):
        result_of(row)


def test_a_win_on_the_board_counts_what_the_game_gives_it(people):
    row = begun(people, "hex", size=3, swap="off")
    row = play(row, "a1", "b1", "a2", "b2", "a3")
    assert row.ended_at is not None
    assert result_of(row) == GameResult((1.0, 0.0), frozenset())
    assert result_of(row, by_chart=True) == GameResult((1, 0), frozenset())


def test_an_agreed_draw_is_shared_and_counts_nothing_by_the_chart(people):
    row = begun(people, "antipalos", size=12)
    carry_out(row.slug, Offer(seat=1, ply=0, key="offering", kind=OfferKind.DRAW))
    carry_out(row.slug, Accept(seat=0, ply=0, key="accepting", kind=OfferKind.DRAW))
    row.refresh_from_db()
    assert result_of(row) == GameResult((0.5, 0.5), frozenset())
    assert result_of(row, by_chart=True) == GameResult((0, 0), frozenset())


def pairing(**more):
    """Return a pairing that is not stored, of an event with games in pairs."""
    row = TournamentRow(games="mirrored")
    return PairingRow(tournament=row, first_id=1, **{"second_id": 2, **more})


@pytest.mark.parametrize(
    ("more", "begun_games", "at_once", "missing"),
    [
        ({}, 0, False, [(1, False)]),
        ({}, 0, True, [(1, False), (2, True)]),
        ({}, 1, True, [(2, True)]),
        ({}, 1, False, []),
        ({"first_points": 0.0}, 0, True, []),
        ({"second_id": None}, 0, True, []),
        ({"third_id": 3}, 0, True, [(1, False)]),
        ({"third_id": 3}, 1, True, []),
    ],
)
def test_an_undecided_pairing_of_several_players_needs_games(more, begun_games, at_once, missing):
    games = [GameRow(number=number) for number in range(1, begun_games + 1)]
    of = pairing(**more)
    found = missing_games(of, games, at_once=at_once)
    assert [(one.number, one.is_exchanged) for one in found] == missing
    assert all(one.pairing is of for one in found)


def test_a_larger_table_is_decided_by_its_only_game():
    table = pairing(third_id=3)
    assert decision_of(table, []) is None
    assert decision_of(table, [GameRow(number=1)]) is None
    game = GameRow(number=1, first_points=0.0, other_points=[0.5, 0.5], is_forfeit=True)
    assert decision_of(table, [game]) == ((0.0, 0.5, 0.5), False)
