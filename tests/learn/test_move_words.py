"""Moves in words: what a sentence says about a move is what the rules do with it."""

import random
import re

import pytest

from antipodes.core import Color
from antipodes.errors import IllegalMoveError, Phrase
from antipodes.games.registry import game_class, game_ids, make_game
from antipodes.games.winning import winning_moves
from antipodes.learn.joining import cuts
from antipodes.learn.move_words import line_in_words, move_in_words, texts
from tests.cases import for_each

_WINS = "this wins the game."


def after(game_id, line, **options):
    """Return the position after some moves."""
    position = make_game(game_id, options).initial()
    for text in line.split():
        position = position.play(position.parse_move(text))
    return position


def random_games(game_id, count):
    """Yield each position and move of some random games on a small board."""
    chance = random.Random(game_id)
    options = game_class(game_id).sized_boards.get("small", {})
    for _ in range(count):
        position = make_game(game_id, options).initial()
        while position.outcome is None:
            move = chance.choice(position.legal_moves)
            yield position, move
            position = position.play(move)


def templates(phrase):
    """Yield the templates of a sentence and of its parts."""
    yield phrase.template
    for value in phrase.values.values():
        if isinstance(value, Phrase):
            yield from templates(value)


def test_a_turn_says_what_the_token_and_the_pawn_do():
    before = after("antipode", "b1-b1 d1-e1 b4-a1 e5-e9 i3-e5 a4-a5")
    advice = move_in_words(before, "i2-i1", is_advice=True)
    assert str(advice) == "Put a token on i2: it flips i1 and i3; then your pawn can slide to i1."
    told = move_in_words(before, "i2-i1")
    assert str(told) == "Blue puts a token on i2: it flips i1 and i3; then the pawn slides to i1."


@for_each(
    "line, move, sentence",
    [
        ("c3 e5", "d1", "it makes a bridge to c3; it reaches the edge."),
        ("c3 e5 d1 a5 b5 e1", "c4", "it joins c3 and b5; next comes c2, which wins, unless"),
        ("c1 a1 c2 a2 c3 b5 c4", "c5", "it stops Black, who would win with c5."),
        ("c3 e5 d1 a5 b5 e1 c4", "d5", "it goes on from e5; but then Black wins with c2."),
        ("c3 e5 d1 a5 b5 e1 c4 d5", "c2", f"it joins d1 and c3; {_WINS}"),
        ("", "b4", "it makes a bridge to the edge."),
    ],
)
def test_a_stone_says_what_it_joins_stops_and_threatens(line, move, sentence):
    before = after("hex", line, size=5, swap="off")
    assert sentence in str(move_in_words(before, move))


@for_each(
    "line, move, sentence",
    [
        ("", "F6*", "Put a rod on F6, as /."),
        ("", "*F6", "Put a rod on F6, as \\."),
        ("F6* A1*", "*G6", "Put a rod on G6, as \\: it goes on from F6."),
    ],
)
def test_a_rod_says_its_square_and_its_diagonal(line, move, sentence):
    assert str(move_in_words(after("antipalos", line), move, is_advice=True)) == sentence


def test_a_swap_says_what_changes():
    before = after("hex", "c3", size=5)
    words = str(move_in_words(before, "swap", is_advice=True))
    assert words == "Swap: the first move changes hands."


def test_an_illegal_move_has_no_words():
    with pytest.raises(IllegalMoveError):
        move_in_words(after("hex", "c3", size=5), "c3")


@pytest.mark.parametrize("game_id", game_ids())
def test_sentences_claim_a_win_just_where_the_rules_give_one(game_id):
    for position, move in random_games(game_id, 3):
        outcome = position.play(move).outcome
        wins = outcome is not None and outcome.winner is position.to_move
        assert str(move_in_words(position, move)).endswith(_WINS) == wins


@pytest.mark.parametrize("game_id", game_ids())
def test_a_win_that_is_allowed_or_threatened_is_a_legal_win(game_id):
    claims = 0
    for position, move in random_games(game_id, 3):
        words = str(move_in_words(position, move))
        then = position.play(move)
        if allowed := re.search(r"but then \w+ wins with (\S+)\.$", words):
            assert then.parse_move(allowed[1]) in winning_moves(then)
            claims += 1
        elif then.outcome is None:
            assert not winning_moves(then)
    assert claims or game_id != "hex"


def test_what_a_token_flips_is_what_its_sentence_lists():
    for position, move in random_games("antipode", 5):
        by_token, by_pawn = position.flips(move)
        words = str(move_in_words(position, move))
        listed = re.findall(r"(?:it flips|its way it flips) ([^;.]+)", words)
        names = [re.findall(r"[a-i]\d+", one) for one in listed]
        name = position.game.topology.name
        expected = [[name(cell) for cell in cells] for cells in (by_token, by_pawn)]
        assert [one for one in names if one] == [one for one in expected if one]


def test_no_single_stone_cuts_a_bridge_that_a_sentence_names():
    checked = 0
    for position, move in random_games("hex", 3):
        words = str(move_in_words(position, move))
        named = re.search(r"a bridge to ([a-z]\d+)", words)
        if named is None or position.play(move).outcome is not None:
            continue
        here, there = (
            position.game.topology.cell(n) for n in (position.format_move(move), named[1])
        )
        near = position.game.topology.neighbours
        names = [position.game.topology.name(cell) for cell in set(near[here]) & set(near[there])]
        ends = position.format_move(move), named[1]
        assert cuts(position.play(move), position.to_move, ends, names) is None
        checked += 1
    assert checked > 5


@pytest.mark.parametrize("game_id", game_ids())
def test_every_part_of_a_sentence_can_be_translated(game_id):
    known = {text for _context, text in texts()} | {color.title for color in Color}
    for position, move in random_games(game_id, 2):
        for is_advice in (False, True):
            assert set(templates(move_in_words(position, move, is_advice=is_advice))) <= known


def test_a_line_has_a_sentence_about_each_move():
    start = make_game("hex", {"size": 5}).initial()
    words = line_in_words(start, ["c3", "b4"])
    assert [str(one) for one in words] == [
        "Black puts a stone on c3.",
        "White puts a stone on b4: it makes a bridge to the edge.",
    ]
