"""Facts of the rules that all oracles must show without any help from the library."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases import for_each
from tests.oracles import (
    make_oracle,
)
from tests.oracles.playing import play_random, result
from tests.thorough import repetitions

GAMES: list[tuple[str, dict[str, Any]]] = [
    *(("antipod", {"side": side}) for side in (2, 3, 4, 6)),
    *(("antipod", {"side": 3, "handicap": given}) for given in ("two", "none")),
    ("antipod", {"side": 4, "first": "black", "swap": "on"}),
    *(("hex", {"size": size, "swap": swap}) for size in (1, 2, 5) for swap in ("sides", "off")),
    ("hex", {}),
    *(("cylindrical-hex", {"rows": rows, "columns": 5 - rows}) for rows in (1, 2, 3, 4)),
    ("cylindrical-hex", {"rows": 6, "columns": 7, "first": "white"}),
    ("antipode", {}),
    ("antipode", {"full_board": "loss"}),
    *(("antipalos", {"size": size, "phase_two_limit": 12}) for size in (3, 4, 7)),
    ("antipalos", {"size": 4, "rods": 2, "phase_two_limit": 10, "seats": "team"}),
    ("antipalos", {"size": 5, "rods": 5, "phase_two_limit": 10, "seats": "cutthroat3"}),
    ("antipalos", {"size": 6, "phase_two_limit": 10, "seats": "cutthroat4"}),
    ("antipalos", {"size": 4, "ruleset": "mail"}),
    ("antipalos", {"size": 7, "ruleset": "mail", "swap": "off"}),
]


@for_each("game, options", GAMES)
def test_random_games_end_with_a_result(game: str, options: dict[str, Any]) -> None:
    for seed in range(repetitions(2, 8)):
        played, oracle = play_random(make_oracle(game, **options), seed)
        outcome = result(oracle)
        assert outcome is not None
        winner, reason = outcome
        if game in ("antipod", "hex", "cylindrical-hex"):
            assert winner in ("black", "white")
            assert (reason == "ring") == (winner == "white" and game != "hex")
        if winner == "draw":
            assert reason in ("full-board", "repetition", "move-limit")
        boxed = game == "antipalos" and options.get("ruleset") != "mail"
        assert (oracle.points is not None) == (boxed and winner != "draw")

        again = make_oracle(game, **options)
        for text in played:
            again.play(text)
        assert result(again) == result(oracle)
        assert again.stones() == oracle.stones()


@for_each("game, options", GAMES)
def test_copies_go_their_own_way(game: str, options: dict[str, Any]) -> None:
    oracle = make_oracle(game, **options)
    before = oracle.stones(), oracle.to_move, oracle.seat_to_move, result(oracle), oracle.legal()
    play_random(oracle.copy(), 1)
    assert before == (
        oracle.stones(),
        oracle.to_move,
        oracle.seat_to_move,
        result(oracle),
        oracle.legal(),
    )


@pytest.mark.parametrize("game", ["antipod", "hex", "cylindrical-hex", "antipode", "antipalos"])
def test_illegal_moves_are_refused(game: str) -> None:
    oracle = make_oracle(game)
    for text in ("", "swap", "z99", "a1-a1", "f6"):
        if text not in oracle.legal():
            with pytest.raises(AssertionError):
                oracle.play(text)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("antipod", {"side": 1}),
        ("antipod", {"side": 11}),
        ("antipod", {"swap": True}),
        ("hex", {"size": 27}),
        ("hex", {"swap": "on"}),
        ("cylindrical-hex", {"columns": 0}),
        ("antipalos", {"size": 2}),
        ("antipalos", {"rods": 0}),
        ("antipalos", {"size": 3, "rods": 5}),
        ("antipalos", {"swap": "on"}),
        ("antipalos", {"ruleset": "mail", "seats": "team"}),
        ("antipode", {"full_board": "win"}),
    ],
    ids=str,
)
def test_impossible_options_are_refused(game: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        make_oracle(game, **options)


SEAT_SWAPS: list[tuple[str, dict[str, Any], str]] = [
    ("antipod", {"swap": "on"}, "a2+"),
    ("antipod", {"swap": "on", "first": "black"}, "e14"),
    ("hex", {"swap": "sides"}, "c5"),
    ("antipalos", {"ruleset": "mail"}, "b3-c2"),
]


@pytest.mark.parametrize(("game", "options", "stone"), SEAT_SWAPS, ids=str)
def test_a_swap_exchanges_seats(game: str, options: dict[str, Any], stone: str) -> None:
    oracle = make_oracle(game, **options)
    assert oracle.seat_to_move == 0
    assert "swap" not in oracle.legal()
    oracle.play(stone)
    board, second, moves = oracle.stones(), oracle.to_move, oracle.legal()
    assert oracle.seat_to_move == 1
    assert "swap" in moves
    oracle.play("swap")
    assert (oracle.stones(), oracle.to_move, oracle.seat_to_move) == (board, second, 0)
    assert oracle.legal() == moves - {"swap"}
    oracle.play(min(oracle.legal()))
    assert oracle.to_move != second
    assert oracle.seat_to_move == 1


def test_a_swap_of_pieces_mirrors_the_stone() -> None:
    oracle = make_oracle("hex")
    oracle.play("b5")
    assert oracle.seat_to_move == 1
    oracle.play("swap")
    assert oracle.stones() == {"e2": "white"}
    assert (oracle.to_move, oracle.seat_to_move) == ("black", 0)
    assert "swap" not in oracle.legal()
    assert {"b5", "a1"} < oracle.legal()


def test_the_swap_is_the_second_ply_or_never() -> None:
    for game, options, stone in SEAT_SWAPS:
        oracle = make_oracle(game, **options)
        oracle.play(stone)
        oracle.play(min(oracle.legal() - {"swap"}))
        assert "swap" not in oracle.legal()
        assert oracle.seat_to_move == 0
    off = [("antipod", {}), ("hex", {"swap": "off"}), ("cylindrical-hex", {})]
    for game, options in off:
        oracle = make_oracle(game, **options)
        oracle.play(min(oracle.legal()))
        assert "swap" not in oracle.legal()
