"""Error responses of the API to requests that do not fit its schemas."""

import pytest


@pytest.mark.parametrize(
    ("path", "wanted", "fields"),
    [
        ("challenges", {}, {"game": ""}),
        ("challenges", {"game": "hex", "points": -1}, {"points": " (given: -1)"}),
        ("challenges", {"game": "hex", "opponent": "cat"}, {"opponent": " (given: 'cat')"}),
        ("challenges", {"game": "hex", "options": [1]}, {"options": ""}),
        ("challenges", {"game": 1, "color": 2}, {"game": " (given: 1)", "color": " (given: 2)"}),
    ],
)
def test_each_fault_names_its_field_and_shows_its_value(ask, token, path, wanted, fields):
    faults = ask("POST", path, token(), wanted).data["faults"]
    assert {fault["where"] for fault in faults} == set(fields)
    for fault in faults:
        given = fields[fault["where"]]
        assert fault["message"].startswith(f"{fault['where']}: ")
        assert ("(given: " in fault["message"]) == bool(given)
        assert fault["message"].endswith(given)


def test_a_long_value_is_shown_in_part(ask, token):
    (fault,) = ask("POST", "challenges", token(), {"game": "hex", "opponent": "x" * 500}).data[
        "faults"
    ]
    assert len(fault["message"]) < 200
    assert "xxx..." in fault["message"]
