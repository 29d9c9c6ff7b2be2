"""Made-up input fits what the site has published."""

import random

import jsonschema
import pytest

from antipodes.mail import COMMANDS
from antipodes.web.api.socket_schemas import WIRES
from antipodes.web.town.habits import made_up
from antipodes.web.town.reach import Reach, judging_lines

SENT = {name: wire.sent for name, wire in WIRES.items() if wire.sent is not None}


@pytest.mark.parametrize("name", SENT)
def test_made_up_messages_fit_the_schemas_of_sockets(name):
    schema = SENT[name].json_schema()
    for seed in range(50):
        chance = random.Random(seed)
        key = {"key": "as-long-as-it-must-be"}
        jsonschema.validate(made_up.value(schema, chance, key.get), schema)


def test_made_up_commands_have_no_signs_of_the_usage():
    for seed in range(50):
        for info in COMMANDS:
            text = made_up.command(info.usage, random.Random(seed), str.lower)
            assert not set(text) & set("[]|")
            assert text == " ".join(text.split())


def law_with_a_case(numbers):
    for number in numbers:
        if number > 3:
            yield f"{number} is large"


def law_that_finds_breaches_only(numbers):
    yield from (f"{number} was found" for number in numbers)


def test_a_law_has_a_case_when_its_condition_is_looked_at():
    reach = Reach()
    for law in (law_with_a_case, law_that_finds_breaches_only):
        with reach.watch(law):
            list(law([]))
    assert "laws without a case: law_with_a_case" in list(reach.lines({}))
    with reach.watch(law_with_a_case):
        list(law_with_a_case([1]))
    assert "laws without a case: none" in list(reach.lines({}))
    assert not judging_lines(law_that_finds_breaches_only)
