"""Random records of every game, and random damage to their text: for hypothesis."""

import random

from hypothesis import strategies as st

from antipodes.games.registry import make_game
from antipodes.records import Mark, Reason, Record, Result
from tests.games.cases import every_case

# Characters that mean something in one of the formats, and some from everywhere.
SPECIAL = [
    "]",
    "[",
    "\\",
    ":",
    ";",
    "(",
    ")",
    '"',
    "\n",
    "\t",
    "\\]",
    "}",
    "{",
    ",",
    "é",
    "棋",
    "🜨",
]
TEXTS = st.lists(st.sampled_from(SPECIAL) | st.text(max_size=5), max_size=6).map("".join)
SECONDS = st.none() | st.integers(0, 10**9) | st.floats(0, 1e9)
KEYS = st.text(max_size=5) | st.sampled_from(["sgf", "LB", "GN", "AP", "C", "B"])
DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e300, 1e300) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
SGF_NAMES = st.sampled_from(["LB", "TR", "CR", "N", "AP", "GN", "XX", "B", "SZ", "WL", "OTHER"])
SGF_VALUES = st.lists(st.sampled_from(["", "a1:x", "\\]", "Antipodes:1", "Hex", "]", "\r\n"]))
EXTRAS = st.fixed_dictionaries(
    {}, optional={"sgf": DATA | st.dictionaries(SGF_NAMES, SGF_VALUES), "note": DATA}
)
CASES = every_case()


@st.composite
def games(draw, cases=CASES):
    """Return any game with any value of any option."""
    game_id, options = draw(st.sampled_from(cases))
    return make_game(game_id, options)


@st.composite
def records(draw, cases=CASES, max_plies=40, setups=True):
    """Return a record with variations, notes, names and perhaps another start and a result."""
    game = draw(games(cases))
    chance = random.Random(draw(st.integers(0, 2**32)))
    start = None
    if setups and draw(st.booleans()):
        start = random_position(game, chance, draw(st.integers(0, max_plies))).to_setup()
    record = Record(game, start)
    extend(record.root, chance, draw(st.integers(0, max_plies)))
    for _ in range(draw(st.integers(0, 3))):
        extend(chance.choice(list(record.walk())), chance, draw(st.integers(1, 4)))
    for _ in range(draw(st.integers(0, 4))):
        write_notes(draw, chance.choice(list(record.walk())))
    record.players = draw(st.lists(TEXTS, max_size=game.seats))
    for name in ("date", "event", "round", "place", "clock", "comment"):
        setattr(record, name, draw(st.just("") | TEXTS))
    record.extra = draw(st.just({}) | EXTRAS)
    record.result = draw(results(record))
    return record


def random_position(game, chance, plies):
    """Play random moves and return where they lead, at most to the last position with a move."""
    position = game.initial()
    for _ in range(plies):
        if position.outcome is not None:  # so on Antipod's smallest sphere
            break
        after = position.play(chance.choice(position.legal_moves))
        if after.outcome is not None:
            break
        position = after
    return position


def extend(node, chance, plies):
    """Add a line of random moves after a node."""
    position = node.position
    for _ in range(plies):
        if position.outcome is not None:
            return
        node = node.add(chance.choice(position.legal_moves))
        position = node.position


def write_notes(draw, node):
    """Write something of everything at a node."""
    node.comment = draw(TEXTS)
    node.time_left = draw(SECONDS)
    node.time_spent = draw(SECONDS)
    node.mark = draw(st.none() | st.sampled_from(Mark))
    node.extra = draw(st.just({}) | EXTRAS)


@st.composite
def results(draw, record):
    """Return a result that the moves bear out, or none."""
    outcome = record.final_position().outcome
    text = draw(st.just("") | TEXTS)
    if outcome is not None:
        reason = draw(st.sampled_from(Reason))
        choices = [None, Result.of(outcome), Result(outcome.winner, reason, text)]
        return draw(st.sampled_from(choices))
    reasons = [reason for reason in Reason if reason.termination is None]
    winner = draw(st.none() | st.sampled_from(record.game.colors))
    return draw(st.none() | st.just(Result(winner, draw(st.sampled_from(reasons)), text)))


JUNK = [
    *SPECIAL,
    *"0123456789-+*/.",
    "null",
    "1e999",
    "NaN",
    "\x00",
    "\ud800",
    "(;",
    ";B[a1]",
    ";W[swap-sides]",
    ";B[resign]",
    ":s",
    ":rb",
    ":p",
    ",,",
    "{}",
    "[]",
    "CA[utf-7]",
    "AB[a1:zz]",
    "99999999999999999999",
    "\ufeff",
]


@st.composite
def damaged(draw, texts):
    """Return a text after a few cuts, repetitions, swaps and insertions."""
    text = draw(texts)
    for _ in range(draw(st.integers(1, 5))):
        begin = draw(st.integers(0, len(text)))
        end = min(len(text), begin + draw(st.integers(0, 12)))
        piece = draw(
            st.just("")
            | st.sampled_from(JUNK)
            | st.just(text[begin:end] * 2)
            | st.just(text[begin:end][::-1])
            | st.text(max_size=4)
        )
        text = text[:begin] + piece + text[end:]
    return text


def damaged_bytes(texts):
    """Return bytes of a damaged text, some of them in other encodings."""
    encodings = st.sampled_from(["utf-8", "utf-16", "latin-1", "shift_jis", "utf-8-sig"])
    return st.builds(lambda text, name: text.encode(name, "replace"), damaged(texts), encodings)
