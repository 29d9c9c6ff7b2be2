"""Law: all that one person can cause is in the table of costs, with limits and a measure."""

from collections import Counter
from importlib import import_module

from antipodes.web.platform import limits
from tests.docs.pages import module_of_docs
from tests.web.acts import COMMANDS, acts, sockets

module_of_docs("_ext/antipodes_docs.py", "antipodes_docs")  # which the next one imports
costs = module_of_docs("_ext/cost_docs.py", "cost_docs")

import_module("antipodes.web.project.urls")  # defines all limits, with what acts imports


def test_every_act_is_in_exactly_one_row():
    found = Counter(act for row in costs.rows() for act in row["acts"])
    assert set(found) == acts(), "write each act into a row of docs/costs.toml"
    assert set(found.values()) == {1}


def test_every_socket_has_its_commands():
    assert set(COMMANDS) == sockets()


def test_every_row_has_limits_of_the_site():
    for row in costs.rows():
        assert row["limits"], row["kind"]
        assert set(row["limits"]) <= set(limits.defined), row["kind"]


def test_every_act_has_a_measure_or_a_reason_why_not():
    measures = costs.measures()
    assert list(measures) == [row["kind"] for row in costs.rows()], "run python bench/costs.py"
    for row in costs.rows():
        measured, reasons = set(measures[row["kind"]]["measured"]), row.get("unmeasured", {})
        assert measured.isdisjoint(reasons), row["kind"]
        assert measured | set(reasons) == set(row["acts"]), "run python bench/costs.py --missing"
        assert all(reasons.values()), row["kind"]


def test_every_row_has_the_worst_of_its_own_acts():
    for row in costs.rows():
        found = costs.measures()[row["kind"]]
        for name in ("milliseconds", "memory", "stored"):
            assert found[name]["act"] in found["measured"], row["kind"]
            assert found[name]["worst"] >= 0
        assert found["memory"]["worst"] > 0


def test_the_page_has_every_row():
    shown = costs.cost_rows()
    assert len(shown) == len(costs.rows())
    assert all(len(row) == len(costs.HEAD) for row in shown)
