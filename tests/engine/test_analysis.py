"""The analysis engine: every line is answered as the schema says, whatever comes when."""

import io
import json
import threading
import time
from itertools import permutations

import pytest

import antipodes
from antipodes.engine import AnalysisEngine, serve_analysis
from antipodes.engine import analysis as engine_analysis
from antipodes.engine.analysis_queries import MAX_QUERY
from antipodes.engine.schema import schema, validator
from antipodes.errors import Fault, InputError
from antipodes.games.registry import game_ids, make_game
from antipodes.records import Record, write_record
from antipodes.search import analysis
from antipodes.search.analysis import analyze
from antipodes.search.interface import Limits
from tests.cases import for_each
from tests.raising import raising
from tests.thorough import repetitions

HEX = {"game": "hex", "options": {"size": 4}, "maxVisits": 50}
# Searches that are ended before their limit.
ENDLESS = {"game": "hex", "options": {"size": 11}, "maxSeconds": 600}


class Client:
    """An engine, and the answers that it has given."""

    def __init__(self, **settings):
        self.answers = []
        self.heard = threading.Condition()
        self.engine = AnalysisEngine(self.hear, memory=4, **settings)

    def hear(self, line):
        assert "\n" not in line
        assert line.isascii()
        answer = json.loads(line)
        validator("answer").validate(answer)
        with self.heard:
            self.answers.append(answer)
            self.heard.notify_all()

    def say(self, query, **more):
        text = query if isinstance(query, str) else json.dumps({**query, **more})
        self.engine.handle_line(text)

    def ask(self, query, **more):
        """Say a query that is answered at once, and return the answer."""
        before = len(self.answers)
        self.say(query, **more)
        (answer,) = self.answers[before:]
        return answer

    def wait(self, wanted, seconds=60):
        """Return the first answer that is as wanted, now or later."""
        with self.heard:
            assert self.heard.wait_for(lambda: any(map(wanted, self.answers)), seconds)
            return next(filter(wanted, self.answers))

    def wait_for_work(self):
        """Wait until a worker has taken up something."""
        deadline = time.monotonic() + 60
        while not self.engine._running and time.monotonic() < deadline:
            time.sleep(0.001)

    def finish(self):
        self.engine.finish()
        return self.answers


@pytest.fixture
def client():
    made = []

    def make(**settings):
        made.append(Client(**settings))
        return made[-1]

    yield make
    for one in made:
        one.engine.abort()


def timeless(answer):
    return {**answer, "rootInfo": {**answer["rootInfo"], "seconds": 0}}


def test_an_answer_is_what_the_library_says_with_the_same_seed(client):
    one = client()
    more = {"includeThreats": True, "includeCriticality": True, "maxMoves": 3, "seed": 9}
    one.say(HEX, id="a", moves=["b2"], **more)
    (answer,) = one.finish()
    position = make_game("hex", {"size": 4}).initial()
    position = position.play(position.parse_move("b2"))
    found = analyze(position, limits=Limits(visits=50), seed=9, memory=4, threats=True)
    head = {"id": "a", "turnNumber": 1, "isDuringSearch": False}
    assert timeless(answer) == timeless({**head, **found.as_dict(moves=3)})
    assert "criticality" in answer
    assert "threats" in answer


def test_a_short_query_is_one_with_the_defaults(client):
    one = client(workers=1, limits=Limits(visits=60))
    one.say({"id": "a", "game": "hex", "options": {"size": 6}})
    details = {"maxMoves": 20, "seed": 1, "priority": 0, "analyzeTurns": [0]}
    unwanted = {"includeThreats": False, "includeCriticality": False}
    one.say(HEX, id="b", options={"size": 6}, maxVisits=60, **details, **unwanted)
    first, second = map(timeless, one.finish())
    assert first == {**second, "id": "a"}
    assert len(first["moveInfos"]) == 20


def test_what_was_not_asked_for_is_not_told(client):
    one = client()
    one.say(HEX, id="a")
    (answer,) = one.finish()
    assert "criticality" not in answer
    assert "threats" not in answer


def limited(player, moves, depth=1):
    return [{"player": player, "moves": moves, "untilDepth": depth}]


def test_moves_are_avoided_or_the_only_ones_allowed(client):
    one = client()
    turns = {"moves": ["b2", "c3"], "analyzeTurns": [0, 1]}
    one.say(HEX, id="allow", **turns, allowMoves=limited("black", ["a1", "b2", "d1"]))
    one.say(HEX, id="avoid", **turns, avoidMoves=limited("w", ["swap", "b2", "c3"]))
    searched = {
        (answer["id"], answer["turnNumber"]): {info["move"] for info in answer["moveInfos"]}
        for answer in one.finish()
    }
    assert searched["allow", 0] <= {"a1", "b2", "d1"}
    # Limits of the colour that is not to move have no effect.
    assert searched["allow", 1] - {"a1", "b2", "d1"}
    assert searched["avoid", 0] & {"b2", "c3"}
    assert not searched["avoid", 1] & {"swap", "b2", "c3"}


def test_moves_as_pairs_and_initial_stones_are_a_position(client):
    one = client()
    stones = [["black", "b2"], ["W", "c3"], ["b", "d1"]]
    one.say(HEX, id="white", initialStones=stones)
    one.say(HEX, id="pairs", initialStones=stones[:1], moves=[["b", "d1"], "c3"])
    one.say(HEX, id="black", initialStones=stones, initialPlayer="b", moves=[["b", "a4"]])
    one.say(HEX, id="setup", setup={"stones": {"b2": "black", "c3": "white", "d1": "black"}})
    answers = {answer["id"]: answer for answer in map(timeless, one.finish())}
    players = {name: answer["rootInfo"]["currentPlayer"] for name, answer in answers.items()}
    assert players == {"white": "white", "pairs": "black", "black": "white", "setup": "white"}
    assert {**answers["white"], "id": "setup"} == answers["setup"]


def test_the_network_tells_its_policy_and_ownership_is_criticality(client):
    one = client()
    more = {"includePolicy": True, "includeOwnership": True}
    one.say(HEX, id="hex", moves=["b2", "c3"], **more)
    one.say({"id": "antipode", "game": "antipode", "maxVisits": 5, **more})
    answers = {answer["id"]: answer for answer in one.finish()}
    policy = answers["hex"]["policy"]
    assert sum(policy.values()) == pytest.approx(1, abs=1e-4)
    assert len(policy) == 14
    assert len(answers["hex"]["criticality"]) == 16
    assert "policy" not in answers["antipode"]


def test_networks_are_listed_and_there_is_no_cache_to_clear(client):
    one = client()
    (model,) = one.ask({"id": "m", "action": "query_models"})["models"]
    assert model["name"] == "hex"
    clear = {"id": "c", "action": "clear_cache"}
    assert one.ask(clear) == clear


@for_each(
    "fields, code, field",
    [
        ({"moves": [["w", "b2"]]}, "query/turn", "$.moves[0]"),
        ({"moves": ["b2", ["red", "c3"]]}, "query/no-such-color", "$.moves[1]"),
        ({"moves": [["b"]]}, "query/malformed", "$.moves[0]"),
        ({"avoidMoves": limited("b", ["a1"], 2)}, "query/malformed", "$.avoidMoves[0].untilDepth"),
        ({"avoidMoves": limited("x", ["a1"])}, "query/no-such-color", "$.avoidMoves[0].player"),
        ({"allowMoves": limited("b", ["z9"])}, "move/unreadable", "$.allowMoves[0]"),
        ({"allowMoves": limited("b", [])}, "query/no-move-left", "$.allowMoves[0]"),
        ({"initialStones": [["x", "a1"]]}, "query/no-such-color", "$.initialStones[0]"),
        ({"initialStones": [], "setup": {}}, "query/conflict", "$.initialStones"),
        ({"initialPlayer": "b"}, "query/conflict", "$.initialPlayer"),
        ({"initialStones": [["w", "a1"], ["w", "a2"]]}, "position/material", None),
    ],
)
def test_wrong_moves_stones_and_limits_are_refused(fields, code, field, client):
    answer = client().ask(HEX, id="a", **fields)
    assert (answer["code"], answer.get("field")) == (code, field), answer


def test_a_hundred_queries_at_once_are_each_answered_once(client):
    one = client(workers=4)
    for number in range(100):
        one.say(HEX, id=str(number), maxVisits=5, moves=["b2", "c3"][: number % 3])
    answers = one.finish()
    assert sorted(int(answer["id"]) for answer in answers) == list(range(100))
    assert all(answer["moveInfos"] for answer in answers)


def test_the_order_of_the_queries_does_not_matter(client):
    queries = [{**HEX, "id": name, "moves": [name]} for name in ("a1", "b2", "c3")]
    found = []
    for order in permutations(queries):
        one = client(workers=2)
        for query in order:
            one.say(query)
        found.append({answer["id"]: timeless(answer) for answer in one.finish()})
    assert all(answers == found[0] for answers in found)


def test_several_turns_of_a_game_are_answered_each(client):
    one = client()
    one.say(HEX, id="a", moves=["b2", "c2", "b3"], analyzeTurns=[0, 2, 3])
    answers = one.finish()
    assert sorted(answer["turnNumber"] for answer in answers) == [0, 2, 3]
    assert all(answer["ply"] == answer["turnNumber"] for answer in answers)


def test_a_finished_game_tells_its_outcome(client):
    one = client()
    one.say(HEX, id="a", options={"size": 2, "swap": "off"}, moves=["a1", "b1", "a2"])
    (answer,) = one.finish()
    assert answer["outcome"]["winner"] == "black"
    assert answer["moveInfos"] == []


@pytest.mark.parametrize("kind", ["json", "sgf", "object"])
def test_a_record_is_analysed(client, kind):
    record = Record.from_moves(make_game("hex", {"size": 4}), ["b2", "c2"])
    text = json.loads(write_record(record)) if kind == "object" else write_record(record, kind)
    one = client()
    one.say({"id": "a", "record": text, "maxVisits": 20, "analyzeTurns": [1]})
    (answer,) = one.finish()
    assert answer["rootInfo"]["currentPlayer"] == "white"


def test_a_setup_is_analysed_and_turns_count_from_it(client):
    one = client()
    setup = {"stones": {"b2": "black", "c3": "white"}}
    one.say(HEX, id="a", setup=setup, moves=["d1"], analyzeTurns=[0, 1])
    answers = {answer["turnNumber"]: answer for answer in one.finish()}
    assert {turn: answer["ply"] for turn, answer in answers.items()} == {0: 2, 1: 3}


def test_queries_with_a_larger_priority_come_first(client):
    one = client(workers=1)
    one.say(ENDLESS, id="first")
    one.wait_for_work()
    for name, priority in (("low", -1), ("usual", 0), ("later", 0), ("high", 5)):
        one.say(HEX, id=name, priority=priority)
    one.say({"id": "t", "action": "terminate", "terminateId": "first"})
    ids = [answer["id"] for answer in one.finish()]
    assert [name for name in ids if name not in ("first", "t")] == ["high", "usual", "later", "low"]


@pytest.mark.parametrize("game", game_ids())
def test_a_query_can_be_ended_in_the_middle_and_answers_what_it_knows(client, game):
    one = client()
    one.say({"id": "a", "game": game, "maxSeconds": 600, "reportDuringSearchEvery": 0.01})
    one.wait(lambda answer: answer.get("isDuringSearch"))
    one.say({"id": "t", "action": "terminate", "terminateId": "a"})
    last = one.wait(lambda answer: answer.get("isDuringSearch") is False)
    assert last["terminated"] is True
    assert last["moveInfos"]
    echo = one.wait(lambda answer: answer.get("action") == "terminate")
    assert echo == {"id": "t", "action": "terminate", "terminateId": "a"}


def test_a_query_that_waits_can_be_ended_and_has_no_results(client):
    one = client(workers=1)
    one.say(ENDLESS, id="a")
    one.wait_for_work()
    one.say(ENDLESS, id="b", moves=["a1", "b1"], analyzeTurns=[0, 1, 2])
    one.say(ENDLESS, id="c")
    one.say({"id": "t", "action": "terminate", "terminateId": "b", "turnNumbers": [0, 2]})
    ended = [answer for answer in one.answers if answer.get("noResults")]
    assert [(answer["id"], answer["turnNumber"]) for answer in ended] == [("b", 0), ("b", 2)]
    one.say({"id": "u", "action": "terminate_all"})
    one.wait(lambda answer: answer.get("turnNumber") == 1)
    one.wait(lambda answer: answer["id"] == "a")
    assert len([answer for answer in one.finish() if answer["id"] == "b"]) == 3


def test_ending_what_is_not_there_only_repeats_the_query(client):
    one = client()
    query = {"id": "t", "action": "terminate", "terminateId": "unknown"}
    assert one.ask(query) == query


def test_reports_come_during_the_search_and_before_the_last_answer(client):
    one = client()
    visits = repetitions(800, 4000)
    one.say(HEX, id="a", options={"size": 9}, maxVisits=visits, reportDuringSearchEvery=0.01)
    flags = [answer["isDuringSearch"] for answer in one.finish()]
    assert flags[-1] is False
    assert flags.count(False) == 1
    seen = [answer["rootInfo"]["visits"] for answer in one.answers]
    assert seen == sorted(seen)


def test_the_version_is_told(client):
    assert client().ask({"id": "v", "action": "query_version"}) == {
        "id": "v",
        "action": "query_version",
        "name": "Antipodes",
        "version": antipodes.__version__,
        "protocol": 1,
    }


ERRORS = {
    "query/not-json": "{",
    "query/malformed": {"id": "a", "game": "hex", "maxVisits": 0},
    "query/too-long": " " * (MAX_QUERY + 1),
    "query/no-such-action": {"id": "a", "action": ["dance"]},
    "query/no-game": {"id": "a"},
    "query/no-such-turn": {**HEX, "id": "a", "analyzeTurns": [1]},
    "query/conflict": {**HEX, "id": "a", "record": "{}"},
    "game/unknown": {"id": "a", "game": "chess"},
    "option/out-of-range": {"id": "a", "game": "hex", "options": {"size": 99}},
    "move/unreadable": {**HEX, "id": "a", "moves": ["z99"]},
    "move/occupied": {**HEX, "id": "a", "moves": ["a1", "a1"]},
    "position/no-such-point": {**HEX, "id": "a", "setup": {"stones": {"z9": "black"}}},
    "record/unknown-format": {"id": "a", "record": "?"},
}  # fmt: skip


@pytest.mark.parametrize("code", ERRORS)
def test_each_error_has_its_code_and_the_id_of_its_query(client, code):
    one = client()
    answer = one.ask(ERRORS[code])
    assert answer["code"] == code
    assert answer["error"]
    assert answer.get("id") == ("a" if isinstance(ERRORS[code], dict) else None)
    assert one.finish() == [answer]


@pytest.mark.parametrize(
    "line", ["[]", "3", "null", '"a"', '{"id": 3, "game": "hex"}', '{"id": ""}', '{"game": "hex"}',
             '{"id":"a","id":"a"}', '{"id": NaN}', "[" * 5000,
             '{"id":"a","game":"hex","maxSeconds":1e999}', '{"id":"a","setup":{"stones":[]}}']
)  # fmt: skip
def test_lines_that_are_no_queries_are_refused(client, line):
    assert client().ask(line)["code"] in ("query/not-json", "query/malformed", "query/no-game")


@pytest.mark.parametrize(
    ("query", "field", "error"),
    [
        ({"id": "ä", "action": "dänce"}, "$.action", "there is no action 'dänce'; there are"),
        ({"id": "ä", "action": ["x"]}, "$.action", 'there is no action ["x"]; there are'),
        ({**HEX, "id": "ä", "moves": ["a1", "a1"]}, "$.moves[1]", "a1 is not legal"),
        ({**HEX, "id": "ä", "record": "{}"}, "$.game", "a record is complete; game, options"),
        (
            {**HEX, "id": "ä", "analyzeTurns": [0, 3, 2]},
            "$.analyzeTurns",
            "there is no turn 3; there are 0 moves",
        ),
    ],
)
def test_an_error_has_its_field_and_reason(client, query, field, error):
    answer = client().ask(query)
    assert (answer["id"], answer["field"]) == ("ä", field)
    assert answer["error"].startswith(f"{field}: {error}")
    assert "faults" not in answer


@pytest.mark.parametrize(("length", "is_told"), [(0, False), (1, True), (200, True), (201, False)])
def test_an_id_of_a_wrong_query_is_repeated_unless_it_is_wrong_itself(client, length, is_told):
    answer = client().ask({"id": "x" * length, "game": "hex", "options": []})
    assert answer["code"] == "query/malformed"
    assert answer.get("id") == ("x" * length if is_told else None)


def test_all_faults_are_told(client):
    size = "size is 99, but must be 2..26"
    swap = "swap is 'no', but must be pieces | sides | off"
    answer = client().ask({"id": "a", "game": "hex", "options": {"size": 99, "swap": "no"}})
    assert answer == {
        "id": "a",
        "error": f"{size}; {swap}",
        "code": "option/out-of-range",
        "field": "size",
        "faults": [
            {"code": "option/out-of-range", "message": size, "field": "size"},
            {"code": "option/unknown-value", "message": swap, "field": "swap"},
        ],
    }


def test_faults_in_the_shape_of_a_setup_have_their_place_in_the_query(client):
    answer = client().ask(HEX, id="a", setup={"stones": {"a1": 3}, "pieces": []})
    assert answer["id"] == "a"
    assert answer["code"] == "query/malformed"
    assert [(fault["code"], fault["field"]) for fault in answer["faults"]] == [
        ("query/malformed", "$.setup"),
        ("query/malformed", "$.setup.stones.a1"),
    ]


def test_a_query_that_makes_us_fail_is_answered_and_the_next_is_served(client, monkeypatch, caplog):
    one = client()
    with monkeypatch.context() as patched:
        patched.setattr(engine_analysis, "read_query", raising(ZeroDivisionError))
        answer = one.ask(HEX, id="a")
    assert answer == {"error": "internal error: ZeroDivisionError", "code": "query/internal"}
    assert "failed" in caplog.text
    assert one.ask({"id": "v", "action": "query_version"})["id"] == "v"


def test_an_empty_line_has_no_answer(client):
    one = client()
    one.say("")
    one.say("  \n")
    one.say(" " * MAX_QUERY)
    assert one.finish() == []


def test_an_id_is_taken_until_its_query_is_answered(client):
    one = client(workers=1)
    one.say(ENDLESS, id="a")
    assert one.ask(HEX, id="a")["code"] == "query/id-in-use"
    one.say({"id": "t", "action": "terminate", "terminateId": "a"})
    one.wait(lambda answer: "turnNumber" in answer)
    one.say(HEX, id="a")
    one.wait(lambda answer: answer["id"] == "a" and "terminated" not in answer)


def test_what_has_no_room_to_wait_is_refused_whole(client):
    one = client(workers=1, queue=2)
    one.say(ENDLESS, id="a")
    one.wait_for_work()
    one.say(HEX, id="b")
    answer = one.ask(HEX, id="c", moves=["a1"], analyzeTurns=[0, 1])
    assert answer["code"] == "query/queue-full"
    one.say(HEX, id="d")
    assert len(one.answers) == 1


def test_an_error_of_ours_is_answered_and_the_next_query_is_served(client, monkeypatch):
    one = client(workers=1)

    with monkeypatch.context() as patched:
        patched.setattr(analysis.Analyzer, "run", raising(ZeroDivisionError))
        one.say(HEX, id="a")
        answer = one.wait(lambda answer: answer["id"] == "a")
    assert answer["code"] == "query/internal"
    assert answer["turnNumber"] == 0
    one.say(HEX, id="b")
    assert one.wait(lambda answer: answer["id"] == "b")["moveInfos"]


def test_a_search_that_refuses_a_position_says_why(client, monkeypatch):
    one = client(workers=1)

    monkeypatch.setattr(
        analysis.Analyzer,
        "run",
        raising(InputError([Fault("position/material", "too many stones")])),
    )
    one.say(HEX, id="a")
    assert one.finish()[0]["code"] == "position/material"


def test_a_client_that_went_away_ends_all_work():
    lines = []

    def send(line):
        lines.append(line)
        raise BrokenPipeError

    engine = AnalysisEngine(send, memory=4, workers=1)
    engine.handle_line(json.dumps({**ENDLESS, "id": "a"}))
    engine.handle_line(json.dumps({"id": "v", "action": "query_version"}))
    engine.finish()
    assert engine.is_disconnected
    assert len(lines) == 1


def session(text):
    stdout = io.StringIO()
    serve_analysis(lambda send: AnalysisEngine(send, memory=4), io.StringIO(text), stdout)
    return [json.loads(line) for line in stdout.getvalue().splitlines()]


def test_the_end_of_the_input_ends_the_loop_when_all_is_answered():
    lines = [json.dumps({**HEX, "id": str(number)}) for number in range(5)]
    assert {answer["id"] for answer in session("\n".join(lines))} == set("01234")


def test_the_line_after_a_very_long_one_is_read_whole():
    first, second = session("x" * (3 * MAX_QUERY) + '\n{"id":"v","action":"query_version"}')
    assert first["code"] == "query/too-long"
    assert second["id"] == "v"


def test_every_field_of_the_schema_is_explained_in_the_docs():
    from tests.docs.pages import DOCS, text_of

    page = text_of(DOCS / "analysis.md")
    for name, part in schema()["$defs"].items():
        for field in part.get("properties", {}):
            assert f"`{field}`" in page, f"{name}.{field}"
