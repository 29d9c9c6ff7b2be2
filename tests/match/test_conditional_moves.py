"""Conditional moves."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.errors import InvalidRecordError, MatchError
from antipodes.match import (
    ANY,
    Accept,
    Branch,
    ConditionalMoves,
    ConditionalMovesDropped,
    ConditionalMovesSet,
    MoveSource,
    Offer,
    OfferKind,
    Play,
    Resign,
    SetConditionalMoves,
)
from tests.match.games import MatchDriver, match_of


def tree_of(text, match):
    """Read ``a1 b1, a2 b2``: lines of moves, ``*`` for any."""
    tree = ConditionalMoves()
    for line in text.split(","):
        moves = [ANY if word == "*" else match.position.read_move(word) for word in line.split()]
        tree = with_line(tree, moves)
    return tree


def with_line(tree, moves):
    if not moves:
        return tree
    rest = tuple(branch for branch in tree.branches if branch.move != moves[0])
    then = next(
        (branch.then for branch in tree.branches if branch.move == moves[0]), ConditionalMoves()
    )
    return ConditionalMoves((*rest, Branch(moves[0], with_line(then, moves[1:]))))


def planned(text, *moves):
    """Return a table where seat 1 has conditional moves, after some moves of seat 0."""
    one = MatchDriver(match_of(size=5))
    one.send(SetConditionalMoves, 1, moves=tree_of(text, one.match))
    one.play(*moves)
    return one


def moves_of(one):
    return [one.match.position.format_move(made.move) for made in one.match.moves]


def test_the_answer_to_a_move_is_played_at_once_and_shown_as_such():
    one = planned("a1 b1, a2 b2", "a2")
    assert moves_of(one) == ["a2", "b2"]
    assert [made.source for made in one.match.moves] == [MoveSource.HAND, MoveSource.CONDITIONAL]


def test_a_line_goes_on_over_several_moves():
    one = planned("a1 b1 a2 b2 a3 b3", "a1", "a2", "a3")
    assert moves_of(one) == ["a1", "b1", "a2", "b2", "a3", "b3"]


def test_another_move_drops_the_conditional_moves():
    one = planned("a1 b1 a2 b2", "c3")
    assert moves_of(one) == ["c3"]
    assert not one.match.conditional_moves[1]


def test_any_move_can_be_answered_and_a_named_one_goes_first():
    assert moves_of(planned("* b1", "e5")) == ["e5", "b1"]
    assert moves_of(planned("* b1, e5 b2", "e5")) == ["e5", "b2"]


def test_an_answer_that_is_not_legal_is_dropped_and_only_its_owner_told():
    one = planned("* b1", "b1")
    assert moves_of(one) == ["b1"]
    dropped = one.events[-1]
    assert isinstance(dropped, ConditionalMovesDropped)
    assert [dropped.is_for(seat) for seat in (0, 1, None)] == [False, True, False]


def test_conditional_moves_are_private():
    one = planned("a1 b1")
    assert [type(event) for event in one.events] == [ConditionalMovesSet]
    assert not one.events[0].is_for(0)
    assert not one.events[0].is_for(None)


def test_they_are_refused_in_the_players_own_turn_where_they_would_play_by_accident():
    one = MatchDriver(match_of())
    with pytest.raises(MatchError) as caught:
        one.send(SetConditionalMoves, 0, moves=tree_of("a1", one.match))
    assert caught.value.code == "match/your-turn"
    one.send(SetConditionalMoves, 0, moves=ConditionalMoves())
    assert one.match.ply == 0


def test_conditional_moves_of_several_seats_follow_one_another():
    one = MatchDriver(match_of("antipalos", size=12, seats="team"))
    first, second, third = list(one.match.position.legal_moves)[:30:10]
    one.send(SetConditionalMoves, 1, moves=ConditionalMoves.line(ANY, second))
    one.send(SetConditionalMoves, 2, moves=ConditionalMoves.line(ANY, ANY, third))
    one.send(Play, 0, move=first)
    played = [(made.move, made.seat, made.source) for made in one.match.moves]
    assert played == [
        (first, 0, MoveSource.HAND),
        (second, 1, MoveSource.CONDITIONAL),
        (third, 2, MoveSource.CONDITIONAL),
    ]


def test_they_end_with_the_game():
    one = MatchDriver(match_of())
    one.send(SetConditionalMoves, 1, moves=tree_of("a1 b1", one.match))
    one.send(Resign, 0)
    assert not any(one.match.conditional_moves)


def test_a_takeback_drops_them():
    driver = MatchDriver(match_of())
    driver.play("a1", "b1")
    driver.send(SetConditionalMoves, 1, moves=tree_of("a2 b2", driver.match))
    driver.send(Offer, 1, kind=OfferKind.TAKEBACK)
    assert driver.match.conditional_moves[1]
    driver.send(Accept, 0, kind=OfferKind.TAKEBACK)
    assert moves_of(driver) == ["a1"]
    assert not any(driver.match.conditional_moves)


PLANS: st.SearchStrategy[list[Any]] = st.recursive(
    st.just([]),
    lambda then: st.lists(
        st.fixed_dictionaries({"move": st.integers(-1, 30), "then": then}),
        max_size=3,
        unique_by=lambda one: one["move"],
    ),
    max_leaves=20,
)


@given(PLANS)
def test_they_survive_json(data):
    assert ConditionalMoves.read(data).as_json() == data


@pytest.mark.parametrize(
    "data",
    [
        {},
        "a1",
        [1],
        [{}],
        [{"move": "a1"}],
        [{"move": True}],
        [{"move": 1, "then": {}}],
        [{"move": 1}, {"move": 1}],
        [{"move": n} for n in range(600)],
    ],
)
def test_other_data_is_refused(data):
    with pytest.raises(InvalidRecordError) as caught:
        ConditionalMoves.read(data)
    assert caught.value.code == "match/conditional-moves"


def nested(depth: int) -> list[Any]:
    data: list[Any] = []
    for _ in range(depth):
        data = [{"move": 1, "then": data}]
    return data


def test_a_line_has_60_moves_at_most():
    assert ConditionalMoves.read(nested(60)) == ConditionalMoves.line(*[1] * 60)
    for depth in (61, 100):
        with pytest.raises(InvalidRecordError, match="at most 60 deep"):
            ConditionalMoves.read(nested(depth))


def test_a_tree_has_500_moves_at_most():
    pairs = [{"move": move, "then": [{"move": 0}]} for move in range(250)]
    assert len(ConditionalMoves.read(pairs).branches) == 250
    with pytest.raises(InvalidRecordError, match="501 conditional moves are too many; 500 at most"):
        ConditionalMoves.read([*pairs, {"move": 250}])


def test_minus_one_stands_for_any_move():
    one = MatchDriver(match_of(size=5))
    answer = [{"move": -1, "then": [{"move": 7, "then": []}]}]
    one.send(SetConditionalMoves, 1, moves=ConditionalMoves.read(answer))
    one.play("e5")
    assert [int(made.move) for made in one.match.moves][1:] == [7]


def test_two_answers_to_one_move_are_dropped():
    one = planned("a1 b1, a1 b2", "a1")
    assert moves_of(one) == ["a1"]
    assert isinstance(one.events[-1], ConditionalMovesDropped)
    assert not one.match.conditional_moves[1]
