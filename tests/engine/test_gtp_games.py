"""Whole games over GTP: recorded sessions, random games to the end, and arbitrary lines."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antipodes.engine.commands import COMMANDS
from antipodes.engine.wire import MAX_LINE, read_request
from tests.thorough import repetitions

from .helpers import ask, engine, refusal

SESSIONS = sorted((Path(__file__).parent / "sessions").glob("*.txt"))

# Every game, with options that change what its sessions look like.
VARIANTS: dict[str, dict[str, object]] = {
    "antipod": {"side": 3},
    "antipod swap": {"side": 2, "handicap": "none", "first": "black", "swap": "on"},
    "antipalos": {"size": 12, "rods": 8, "phase_two_limit": 4},
    "antipalos phases": {"size": 12, "rods": 4, "phase_two_limit": 6},
    "antipalos team": {"size": 12, "rods": 3, "seats": "team", "phase_two_limit": 2},
    "antipalos three": {"size": 12, "seats": "cutthroat3", "rods": 5, "phase_two_limit": 2},
    "antipalos four": {"size": 12, "seats": "cutthroat4", "rods": 2, "phase_two_limit": 3},
    "antipalos mail": {"size": 4, "ruleset": "mail"},
    "antipode": {},
    "antipode loss": {"full_board": "loss"},
    "hex": {"size": 5},
    "hex sides": {"size": 4, "swap": "sides"},
    "hex off": {"size": 3, "swap": "off"},
    "cylindrical-hex": {"rows": 4, "columns": 5},
    "cylindrical-hex white": {"rows": 3, "columns": 4, "first": "white"},
}


def start(variant):
    return engine(variant.split()[0], **VARIANTS[variant])


# --- recorded sessions ----------------------------------------------------------------------


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_a_recorded_session_goes_as_recorded(path):
    """The file's name is the game; lines with > are commands, the answers follow them."""
    gtp = engine(path.stem)
    recorded = path.read_text(encoding="utf-8")
    said = []
    for line in recorded.split("\n"):
        if line.startswith("> "):
            answer = gtp.handle_line(line[2:])
            said.append(line if answer is None else f"{line}\n{answer.rstrip()}")
    assert "\n".join(said) + "\n" == recorded


def test_every_game_has_a_recorded_session():
    assert {path.stem for path in SESSIONS} == {variant.split()[0] for variant in VARIANTS}


# --- random games ---------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_random_game_over_gtp_ends_as_the_rules_say(variant):
    chance = random.Random(variant)
    gtp = start(variant)
    texts, colors = [], []
    position = gtp.game.initial()
    while ask(gtp, "winner") == "none":
        color = ask(gtp, "to_move")
        moves = ask(gtp, "all_legal_moves").split()
        assert len(moves) == len(set(moves)) == len(position.legal_moves)
        texts.append(chance.choice(moves))
        colors.append(color)
        ask(gtp, f"play {color} {texts[-1]}")
        position = position.play(position.parse_move(texts[-1]))
        assert gtp.position == position
    outcome = position.outcome
    assert outcome is not None
    assert ask(gtp, "winner") == ("draw" if outcome.winner is None else outcome.winner.value)
    for _ in texts:
        ask(gtp, "undo")
    assert gtp.position == gtp.game.initial()
    for color, text in zip(colors, texts, strict=True):
        ask(gtp, f"play {color} {text}")
    assert gtp.position == position


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_legal_move_is_read_back_as_itself(variant):
    chance = random.Random(variant)
    gtp = start(variant)
    for _ in range(10):
        if gtp.position.outcome is not None:
            break
        color = ask(gtp, "to_move")
        moves = ask(gtp, "all_legal_moves").split()
        for move, text in zip(gtp.position.legal_moves, moves, strict=True):
            if chance.random() < 0.1 or text.startswith("swap"):
                before = gtp.position
                ask(gtp, f"play {color} {text}")
                assert gtp.position == before.play(move)
                ask(gtp, "undo")
        ask(gtp, f"play {color} {chance.choice(moves)}")


# --- arbitrary lines ------------------------------------------------------------------------

COLOR_WORDS = st.sampled_from(["b", "w", "black", "WHITE", "red", "blue", "vert", "horz", "r", "x"])
WORDS = st.one_of(
    COLOR_WORDS,
    st.sampled_from(
        ["swap", "swap-pieces", "a1", "d3-e4", "B4*", "*B4", "B4*-C5*", "f1+", "e1-e2"]
    ),
    st.sampled_from(["size", "side", "rods", "ruleset", "mail", "default", "off", "swap", "first"]),
    st.integers(-2, 30).map(str),
    st.text(max_size=8),
)
NAMES = st.one_of(
    st.sampled_from([name for name in COMMANDS if name != "perft"]),
    st.sampled_from(["undo", "play", "genmove", "set_option"]),
    st.text(max_size=5),
)
COMMAND_LINES = st.builds(
    lambda number, name, words: " ".join([number, name, *words]),
    st.sampled_from(["", "", "7", "00"]),
    NAMES,
    st.lists(WORDS, max_size=5),
)
LINES = st.one_of(
    COMMAND_LINES, st.text(max_size=60), st.just("perft 9 9"), st.just("x" * MAX_LINE * 2)
)


@pytest.mark.parametrize("variant", ["antipod", "antipalos", "antipode", "hex", "cylindrical-hex"])
@settings(max_examples=repetitions(8, 100))
@given(lines=st.lists(LINES, max_size=12))
def test_no_line_breaks_the_engine_and_refusals_change_nothing(variant, lines):
    gtp = start(variant)
    for line in lines:
        position = gtp.position
        answer = gtp.handle_line(line)
        if answer is None:
            assert read_request(line) is None
            assert gtp.position is position
            continue
        assert answer[0] in "=?"
        assert "internal error" not in answer
        assert "" not in answer.split("\n")[1:]
        assert "\r" not in answer
        if answer[0] == "?":
            assert gtp.position is position
    assert ask(gtp, "name") == "Antipodes"


HEXGUI_LINES = st.one_of(
    st.builds(
        "play {} {}{}".format, st.sampled_from("bw"), st.sampled_from("abc"), st.integers(1, 3)
    ),
    st.sampled_from(
        ["play w swap-pieces", "play b swap", "genmove b", "genmove w", "undo", "perft 2"]
    ),
)


@pytest.mark.parametrize("swap", ["pieces", "sides", "off"])
@given(lines=st.lists(HEXGUI_LINES, max_size=12))
def test_hexgui_may_send_its_stones_in_any_order(swap, lines):
    gtp = engine("hex", size=3, swap=swap)
    ask(gtp, "hexgui-analyze_commands")
    for line in lines:
        before = gtp.position
        answer = gtp.handle_line(line)
        assert answer is not None
        assert "internal error" not in answer
        if answer[0] == "?":
            assert gtp.position is before
        elif line[:4] == "play" and "swap" not in line:
            _, letter, point = line.split()
            cell = gtp.game.topology.cell(point)
            assert gtp.position.stones()[cell].value[0] == letter
            assert len(gtp.position.stones()) == len(before.stones()) + 1
            assert gtp.position.outcome or gtp.position.to_move.value[0] != letter


@given(text=st.text(max_size=30))
def test_no_text_is_played_unless_it_is_a_legal_move(text):
    gtp = start("antipode")
    answer = gtp.handle_line(f"play blue {text}")
    assert answer is not None
    assert answer.startswith("?") == (gtp.position.ply == 0)


def test_refusals_name_what_was_wrong_on_every_game():
    for variant in VARIANTS:
        gtp = start(variant)
        assert "'zz99'" in refusal(gtp, f"play {gtp.position.to_move} zz99")
