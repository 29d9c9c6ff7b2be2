"""Fuzz the GTP engine: it answers every line."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from antipodes.engine.commands import COMMANDS
from antipodes.engine.gtp import GtpEngine
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
# These search for a second by default.
SLOW = [
    "analyze",
    "kata-analyze",
    "lz-analyze",
    "candidates",
    "threats",
    "criticality",
    "best_moves",
]
QUICK = sorted(set(COMMANDS) - {"quit", *SLOW})
ARGUMENTS = st.sampled_from(
    ["black", "white", "b", "w", "vert", "blue", "a1", "b2", "B4*", "*B2", "swap", "a1-b2", "d3-e4",
     "3", "2 3", "-1", "perft", "side", "size", "rows 4", "0", "1", ""]
)  # fmt: skip
LIKELY = st.one_of(
    st.sampled_from([name for name in QUICK if COMMANDS[name].least == 0]),
    st.builds("play {} {}".format, ARGUMENTS, ARGUMENTS),
    st.builds("genmove {}".format, ARGUMENTS),
    st.builds("{} 0".format, st.sampled_from(SLOW)),
    st.builds("analyze {} 0".format, ARGUMENTS),
    st.builds("time_settings {} {} {}".format, ARGUMENTS, ARGUMENTS, ARGUMENTS),
    st.builds("time_left {} {} {}".format, ARGUMENTS, ARGUMENTS, ARGUMENTS),
    st.builds("known_command {}".format, st.sampled_from(QUICK)),
    st.builds("perft {}".format, st.integers(0, 2)),
    st.builds("boardsize {}".format, st.integers(2, 4)),
    st.builds("set_option {} {}".format, ARGUMENTS, ARGUMENTS),
)
LINES = st.one_of(
    LIKELY,
    damaged(LIKELY, most=1),
    st.builds("{} {} {} {}".format, st.integers(), st.sampled_from(QUICK), ARGUMENTS, ARGUMENTS),
    ANYTHING,
)


@given(st.sampled_from(GAMES), st.lists(LINES, max_size=8))
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
