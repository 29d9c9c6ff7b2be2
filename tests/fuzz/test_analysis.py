"""Fuzz the analysis engine: it answers every line according to the schema."""

import json

from hypothesis import given
from hypothesis import strategies as st

from antipodes.engine import AnalysisEngine
from antipodes.engine.schema import schema, validator
from antipodes.search.interface import Limits
from tests.fuzz.tally import READ, REFUSED
from tests.fuzz.texts import ANYTHING, damaged

PARTS = schema()["$defs"]
FIELDS = sorted({name for part in ("analyze", "terminate") for name in PARTS[part]["properties"]})
LIMITS = Limits(visits=5)

KEYS = st.sampled_from(["size", "a1", "stones", "to_move", ""])
VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-3, 60), st.floats(), st.text(max_size=4),
        st.sampled_from(["hex", "antipode", "a1", "b2", "swap", "q", "size", "black", "1"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(KEYS, inner, max_size=3),
    ),
    max_leaves=6,
)  # fmt: skip
MOVES = st.lists(st.sampled_from(["a1", "b2", "c3", "swap", "d4", "x9"]), max_size=4)
SENSIBLE = st.fixed_dictionaries(
    {"id": st.sampled_from(["q", "r", "s"]), "game": st.just("hex")},
    optional={
        "options": st.fixed_dictionaries({"size": st.integers(2, 5)}),
        "setup": st.fixed_dictionaries({"stones": st.dictionaries(
            st.sampled_from(["a1", "b2", "z1"]), st.sampled_from(["black", "white"]), max_size=2
        )}),
        "moves": MOVES,
        "analyzeTurns": st.lists(st.integers(0, 4), min_size=1, max_size=3),
        "maxVisits": st.integers(1, 9),
        "includeThreats": st.booleans(),
        "includeCriticality": st.booleans(),
        "reportDuringSearchEvery": st.just(0.01),
        "priority": st.integers(-3, 3),
    },
)  # fmt: skip
ACTIONS = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["q", "t"]),
        "action": st.sampled_from(["query_version", "terminate", "terminate_all", "sing"]),
    },
    optional={"terminateId": st.sampled_from(["q", "r"]), "turnNumbers": st.just([0])},
)
ODD = st.builds(
    lambda base, changes: {**base, **changes},
    SENSIBLE,
    st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=2),
)
QUERIES = st.one_of(SENSIBLE, ACTIONS, ODD).map(json.dumps)
LINES = st.one_of(QUERIES, QUERIES, damaged(QUERIES, most=2), ANYTHING)


def quick(line):
    """Return whether a line causes no long search."""
    return "maxSeconds" not in line and "threads" not in line


@given(st.lists(LINES.filter(quick), max_size=6))
def test_every_line_is_answered_in_json(lines):
    answers: list[str] = []
    engine = AnalysisEngine(answers.append, memory=1, limits=LIMITS)
    for line in lines:
        engine.handle_line(line)
    engine.finish()
    for text in answers:
        answer = json.loads(text)
        validator("answer").validate(answer)
        assert answer.get("code") != "query/internal", (lines, answer)
        tally = REFUSED if "error" in answer else READ
        tally["analysis queries"] += 1
    queries = [line for line in lines if line.strip()]
    assert len([a for a in answers if '"isDuringSearch": true' not in a]) >= len(queries)
