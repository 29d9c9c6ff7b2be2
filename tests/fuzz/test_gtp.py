"""Whatever line a program sends, the engine answers it and lives."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from antipodes.engine.gtp import COMMANDS, GtpEngine
from antipodes.games.registry import make_game
from antipodes.search.players import make_player
from tests.fuzz.tally import READ, REFUSED
from tests.fuzz.texts import ANYTHING, damaged

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("antipod", {"side": 2, "handicap": "none"}),
    ("hex", {"size": 3}),
    ("cylindrical-hex", {"rows": 2, "columns": 3}),
    ("antipode", {}),
    ("antipalos", {"ruleset": "mail", "size": 3}),
    ("antipalos", {"size": 12, "rods": 1}),
]
QUICK = sorted(set(COMMANDS) - {"quit"})
ARGUMENTS = st.sampled_from(
    ["black", "white", "b", "w", "vert", "blue", "a1", "b2", "B4*", "*B2", "swap", "a1-b2", "d3-e4",
     "3", "2 3", "-1", "perft", "side", "size", "rows 4", "0", "1", ""]
)  # fmt: skip
LINES = st.one_of(
    st.tuples(st.sampled_from(["", "7 ", "\t"]), st.sampled_from(QUICK), ARGUMENTS, ARGUMENTS).map(
        lambda parts: f"{parts[0]}{parts[1]} {parts[2]} {parts[3]}"
    ),
    ANYTHING,
)


@given(st.sampled_from(GAMES), st.lists(damaged(LINES, most=1), max_size=8))
def test_every_line_is_answered(case, lines):
    engine = GtpEngine(make_game(*case), lambda: make_player("random", seed=1))
    for line in lines:
        before = engine.position
        answer = engine.handle_line(line)
        if answer is None:
            continue
        assert answer[0] in "=?"
        assert "internal error" not in answer, (line, answer)
        assert "\n\n" not in answer.rstrip("\n")
        if answer[0] == "?":
            REFUSED["GTP lines"] += 1
            assert engine.position is before, "a refused command changes nothing"
        else:
            READ["GTP lines"] += 1
