"""Points of finished games and of the pairings that they decide, as text and in brackets."""

import pytest

from antipodes.games.registry import make_game
from antipodes.match import Abort, Accept, Offer, OfferKind, Play, Resign, Terms
from antipodes.tournaments import make_bout
from antipodes.tournaments.bouts import DECIDERS
from antipodes.tournaments.double_elimination import DoubleElimination
from antipodes.tournaments.knockout import Knockout
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.tournaments import directing
from antipodes.web.tournaments.models import EntryRow, GameRow, PairingRow, TournamentRow
from antipodes.web.tournaments.results import GameResult, decision_of, missing_games, result_of
from antipodes.web.tournaments.tables import points_text
from tests.web.tournaments.conftest import advance, play_out, play_round


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


def test_a_game_without_a_move_of_the_loser_is_one_of_an_absent_player(people):
    row = play(begun(people, "hex", size=3), "a1")
    carry_out(row.slug, Resign(seat=1, ply=1, key="resign it"))
    assert result_of(MatchRow.objects.get(pk=row.pk)) == GameResult((1.0, 0.0), frozenset({1}))
    row = play(begun(people, "hex", size=3), "a1", "b1")
    carry_out(row.slug, Resign(seat=1, ply=2, key="resign it"))
    assert result_of(MatchRow.objects.get(pk=row.pk)) == GameResult((1.0, 0.0), frozenset())


def test_a_side_that_aborts_loses(people):
    for seat, points in ((0, (0.0, 1.0)), (1, (1.0, 0.0))):
        row = begun(people, "hex", size=3)
        carry_out(row.slug, Abort(seat=seat, ply=0, key="abort it"))
        assert result_of(MatchRow.objects.get(pk=row.pk)) == GameResult(points, frozenset({seat}))


@pytest.mark.parametrize(
    ("first", "second", "points"), [(1, 2, (1.0, 0.0)), (2, 1, (0.0, 1.0)), (1, None, (0.0, 1.0))]
)
def test_the_better_number_wins_a_pairing_that_stays_equal(first, second, points):
    one = PairingRow(tournament=TournamentRow(games="mirrored"), needs_winner=True)
    one.first, one.second = EntryRow(pk=1, number=first), EntryRow(pk=2, number=second)
    games = [
        GameRow(number=number, first_points=0.5, other_points=[0.5])
        for number in range(1, 2 + DECIDERS + 1)
    ]
    assert decision_of(one, games[:-1]) is None
    assert decision_of(one, games) == (points, False)


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (None, ""),
        (0, "0"),
        (0.0, "0"),
        (0.5, "½"),
        (1.0, "1"),
        (1.5, "1½"),
        (12, "12"),
        (0.25, "0.25"),
        (2.75, "2.75"),
        (1 / 3, "0.33"),
        (5 / 3, "1.67"),
    ],
)
def test_points_are_written_with_halves_and_two_digits(points, text):
    assert points_text(points) == text


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("single", "one game"),
        ("mirrored", "mirrored: two games, with seats exchanged"),
        ("pair", "a pair: two games, with seats exchanged and one result"),
        ("best-of-3", "best of 3 games"),
        ("match-6", "match play to 6 points"),
    ],
)
def test_the_games_of_a_pairing_have_a_name(name, label):
    assert str(make_bout(name).title) == label


def brackets(client, row):
    """Return title and columns of each bracket on the page of an event.

    A column is its title, whether neighbours meet in the next one, and its pairings. A player is
    the number of the name, points, and "+" for a winner or "-" for a loser.
    """

    def slot(one):
        name = "?" if one.entry is None else one.entry.user.username[-1]
        return (
            f"{name} {one.points}".strip()
            + "+" * (one.outcome == "won")
            + "-" * (one.outcome == "lost")
        )

    return {
        part.title: [
            (column.title, column.is_joined, [[*map(slot, pair)] for pair in column.pairings])
            for column in part.bracket
        ]
        for part in client.get(f"/tournament/{row.slug}/").context["parts"]
    }


def test_a_bracket_shows_byes_scores_winners_and_losers(client, make_event, host):
    row = make_event(3, format=Knockout(), bout=make_bout("best-of-3"))
    directing.start(row.pk, host)
    shown = []
    for _ in range(4):
        advance(row)
        [((_, is_joined, first), (_, _, final))] = brackets(client, row).values()
        assert is_joined
        shown.append((*first, *final))
        play_round(row)
    assert shown == [
        (["0+"], ["1", "2"], ["0", "?"]),
        (["0+"], ["1 1", "2 0"], ["0", "?"]),
        (["0+"], ["1 1", "2 1"], ["0", "?"]),
        (["0+"], ["1 2+", "2 1-"], ["0", "1"]),
    ]
    for _ in range(2):
        advance(row)
        play_round(row)
    advance(row)
    assert brackets(client, row) == {
        "Bracket": [
            ("Semifinals", True, [["0+"], ["1 2+", "2 1-"]]),
            ("Final", True, [["0 2+", "1 1-"]]),
        ]
    }


def test_an_adjudicated_pairing_without_games_has_its_points_in_the_bracket(
    client, make_event, host
):
    row = make_event(2, format=Knockout())
    directing.start(row.pk, host)
    advance(row)
    directing.adjudicate(row.pk, host, 1, 1, "0-1", "agreed")
    [[(_, _, final)]] = brackets(client, row).values()
    assert final == [["0 0-", "1 1+"]]


def test_the_brackets_of_a_double_elimination_lead_to_the_grand_final(client, make_event, host):
    row = make_event(5, format=DoubleElimination())
    directing.start(row.pk, host)
    play_out(row)
    assert brackets(client, row) == {
        "Winners' bracket": [
            ("Round 1", True, [["0+"], ["3 0-", "4 1+"], ["1+"], ["2+"]]),
            ("Round 2", True, [["0 1+", "4 0-"], ["1 1+", "2 0-"]]),
            ("Winners' final", True, [["0 0-", "1 1+"]]),
        ],
        "Losers' bracket": [
            ("Round 2", False, [["3+"], []]),
            ("Round 3", True, [["2 0-", "3 1+"], ["4+"]]),
            ("Round 4", False, [["3 0-", "4 1+"]]),
            ("Losers' final", True, [["0 1+", "4 0-"]]),
        ],
        "Grand final": [("Round 6", True, [["1 1+", "0 0-"]])],
    }
