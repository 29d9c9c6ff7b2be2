"""Options are declared once, checked when a game is made, and every fault is told at once."""

import ast
import inspect

import pytest

from antipodes.core import Color
from antipodes.errors import InvalidOptionsError, UnknownGameError
from antipodes.games.antipod import FAIR, Antipod
from antipodes.games.hex import Hex
from antipodes.games.registry import closest_game, game_class, game_ids, make_game

# What the rules say: name -> default, then the first and last or all allowed values.
RULES = {
    "antipod": {
        "side": (6, 2, 10),
        "handicap": ("six", "six", "two", "none", "fair"),
        "first": ("white", "white", "black"),
        "swap": ("off", "off", "on"),
        "extra_stones": (0, 0, 47),
    },
    "antipalos": {
        "ruleset": ("boxed", "boxed", "mail"),
        "size": (16, 3, 26),
        "rods": (24, 0, 30),
        "seats": ("two", "two", "team", "cutthroat3", "cutthroat4"),
        "phase_two_limit": (100, 0, 10_000),
        "swap": ("off", "on", "off"),
    },
    "antipode": {"full_board": ("draw", "draw", "loss")},
    "hex": {"size": (11, 2, 26), "swap": ("pieces", "pieces", "sides", "off")},
    "cylindrical-hex": {
        "rows": (11, 2, 26),
        "columns": (11, 3, 26),
        "first": ("black", "black", "white"),
    },
}


def faults_of(game_id, options):
    """Return code and place of each fault."""
    with pytest.raises(InvalidOptionsError) as caught:
        make_game(game_id, options)
    return [(fault.code, fault.where) for fault in caught.value.faults]


@pytest.mark.parametrize("game_id", game_ids())
def test_options_and_their_defaults_are_those_of_the_rules(game_id):
    described = {}
    for info in game_class(game_id).option_table():
        values = info.values or (info.low, info.high)
        described[info.name] = (getattr(make_game(game_id).options, info.name), *values)
        assert info.help
        assert info.allowed
    assert described == RULES[game_id]


@pytest.mark.parametrize("size", [12, 14, 16, 18, 20])
def test_boxed_antipalos_has_one_and_a_half_rods_a_square(size):
    assert make_game("antipalos", {"size": size}).options.rods == size * 3 // 2
    assert make_game("antipalos", {"size": size, "rods": 1}).options.rods == 1
    assert faults_of("antipalos", {"size": size, "rods": 0}) == [("option/conflict", "rods")]
    if size < 20:
        over = {"size": size, "rods": size * 3 // 2 + 1}
        assert faults_of("antipalos", over) == [("option/conflict", "rods")]


def test_the_mail_ruleset_has_defaults_of_its_own():
    options = make_game("antipalos", {"ruleset": "mail"}).options
    assert (options.size, options.rods, options.phase_two_limit) == (16, 0, 0)
    assert (options.seats, options.swap) == ("two", "on")


@pytest.mark.parametrize("size", [3, 11, 13, 21, 26])
def test_the_boxed_game_has_five_sizes_and_mail_has_all(size):
    assert faults_of("antipalos", {"size": size}) == [("option/conflict", "size")]
    assert make_game("antipalos", {"ruleset": "mail", "size": size}).options.size == size


@pytest.mark.parametrize(
    ("side", "handicap", "most"),
    [(2, "six", 0), (2, "two", 3), (4, "six", 11), (4, "none", 0), (10, "six", 47), (3, "two", 9)],
)
def test_extra_stones_leave_a_point_of_the_rim_empty(side, handicap, most):
    options = {"side": side, "handicap": handicap, "extra_stones": most}
    game = make_game("antipod", options)
    rim = set(game.topology.rims["equator"])
    assert isinstance(game, Antipod)
    white = [cell for cell, color in game.start_stones().items() if color is Color.WHITE]
    given = {"six": 6, "two": 2, "none": 0}[handicap]
    assert len(white) == given + most
    assert set(white) <= rim
    code = "option/conflict" if most < 47 else "option/out-of-range"
    assert faults_of("antipod", {**options, "extra_stones": most + 1}) == [(code, "extra_stones")]


@pytest.mark.parametrize(("side", "stones"), FAIR.items())
def test_a_fair_handicap_is_replaced_by_its_stones(side, stones):
    game = make_game("antipod", {"side": side, "handicap": "fair"})
    assert game == make_game("antipod", {"side": side, "extra_stones": stones})
    assert game == make_game("antipod", {**game.options.as_dict(), "handicap": "fair"})
    assert game.options.changed().get("handicap") is None
    wrong = {"side": side, "handicap": "fair", "extra_stones": stones + 1}
    assert faults_of("antipod", wrong) == [("option/conflict", "extra_stones")]


def test_sides_without_a_fair_handicap_refuse_it():
    assert faults_of("antipod", {"side": 3, "handicap": "fair"}) == [
        ("option/conflict", "handicap")
    ]
    assert "fair" not in make_game("antipod", {"side": 2}).options.choices("handicap")


def test_all_faults_are_told_at_once():
    given = {"side": 11, "handicap": "seven", "colour": "red", "first": "", "swap": True}
    assert faults_of("antipod", given) == [
        ("option/unknown", "colour"),
        ("option/out-of-range", "side"),
        ("option/unknown-value", "handicap"),
        ("option/unknown-value", "first"),
        ("option/unknown-value", "swap"),
    ]
    assert faults_of("antipalos", {"ruleset": "mail", "rods": 3, "seats": "team"}) == [
        ("option/conflict", "rods"),
        ("option/conflict", "seats"),
    ]


@pytest.mark.parametrize(
    "value", ["", "six", "6.0", "1e1", "0x6", "--6", "٦", 6.0, True, None, [6]]
)
def test_numbers_must_be_whole_numbers(value):
    assert faults_of("antipod", {"side": value}) == [("option/not-a-number", "side")]


@pytest.mark.parametrize("value", [6, "6", " 6 ", "06"])
def test_numbers_may_be_given_as_text(value):
    assert make_game("antipod", {"side": value}) == Antipod()


def test_an_error_shows_value_and_what_is_allowed():
    with pytest.raises(InvalidOptionsError) as caught:
        make_game("antipod", {"handicap": "seven", "side": 11, "sise": 3})
    text = str(caught.value)
    for part in (
        "'seven'",
        "six | two | none | fair",
        "11",
        "2..10",
        "'sise'",
        "side, handicap, first",
    ):
        assert part in text


def test_unknown_games_are_refused_with_the_list_of_games():
    with pytest.raises(UnknownGameError, match="antipod, antipalos, antipode") as caught:
        make_game("chess")
    assert "'chess'" in str(caught.value)


@pytest.mark.parametrize("text", ["Antipod", " antipod ", "ANTIPOD"])
def test_ids_are_read_in_upper_case_too(text):
    assert make_game(text) == Antipod()


@pytest.mark.parametrize("text", ["cylindrical hex", "cylindrical_hex", "Cylindrical-Hex"])
def test_ids_are_read_with_spaces_and_underscores(text):
    assert make_game(text).id == "cylindrical-hex"


def test_options_are_values():
    one, other = Antipod(side=4), Antipod(side=4)
    assert one == other
    assert hash(one) == hash(other)
    assert one != Antipod(side=5)
    assert one.options.changed() == {"side": 4}
    assert Antipod(one.options, side=5) == Antipod(side=5)
    with pytest.raises(AttributeError):
        one.options.side = 5  # type: ignore[misc]


def test_choices_go_with_the_options_before():
    boxed, mail = (
        make_game("antipalos").options,
        make_game("antipalos", {"ruleset": "mail"}).options,
    )
    assert boxed.choices("size") == (12, 14, 16, 18, 20)
    assert mail.choices("size") == tuple(range(3, 27))
    assert make_game("antipalos", {"size": 12}).options.choices("rods") == tuple(range(1, 19))
    assert (mail.choices("seats"), boxed.choices("swap")) == (("two",), ("off",))
    assert (len(boxed.choices("phase_two_limit")), mail.choices("phase_two_limit")) == (
        10_001,
        (0,),
    )


@pytest.mark.parametrize("game_id", game_ids())
def test_every_choice_makes_a_game_and_every_default_is_a_choice(game_id):
    options = make_game(game_id).options
    for info in game_class(game_id).option_table():
        choices = options.choices(info.name)
        assert getattr(options, info.name) in choices
        for value in choices[:30]:
            make_game(game_id, {info.name: value})


def test_boards_that_are_solved_are_not_offered_to_people():
    options = make_game("antipod").options
    assert options.choices("side") == tuple(range(2, 11))
    assert options.offered("side") == list(range(4, 11))


def test_the_closest_game_keeps_what_goes_together():
    wanted = {"ruleset": "boxed", "size": "7", "rods": "9", "seats": "team", "colour": "red"}
    found = closest_game("antipalos", wanted)
    assert found == make_game("antipalos", {"rods": 9, "seats": "team"})
    assert closest_game("antipalos", {"size": "7", "ruleset": "mail"}).options.size == 7


def test_a_value_without_its_name_is_refused_with_the_name():
    with pytest.raises(TypeError, match=r"options have names: Antipod\(side=5\)"):
        Antipod(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"options have names: Antipod\(\*\*\{'side': 5\}\)"):
        Antipod({"side": 5})  # type: ignore[arg-type]


def declared_constructor(kind):
    """Return the options in the constructor that a game declares for type checkers."""
    tree = ast.parse(inspect.getsource(kind))
    function = next(
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == "__init__"
    )
    arguments = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    return {
        argument.arg: (ast.unparse(argument.annotation), ast.literal_eval(default))
        for argument, default in arguments
        if argument.annotation and default
    }


def written(info):
    """Return the type of an option as source code."""
    plain = f"Literal[{', '.join(map(repr, info.values))}]" if info.values else "int"
    return plain if info.default is not None else f"{plain} | None"


@pytest.mark.parametrize("game_id", game_ids())
def test_constructors_declare_the_options_for_type_checkers(game_id):
    kind = game_class(game_id)
    expected = {info.name: (written(info), info.default) for info in kind.option_table()}
    assert declared_constructor(kind) == expected


@pytest.mark.parametrize("game_id", game_ids())
def test_signature_and_help_list_the_options(game_id):
    kind = game_class(game_id)
    parameters = list(inspect.signature(kind).parameters.values())
    assert parameters[0].name == "options"
    told = {one.name: one.default for one in parameters[1:]}
    assert told == {info.name: info.default for info in kind.option_table()}
    for info in kind.option_table():
        assert f"{info.name}: {info.help}; {info.allowed}" in str(inspect.getdoc(kind))


def test_a_misspelt_option_is_found_by_the_type_checker_and_at_run_time():
    # mypy reports an unused comment if it no longer finds the fault.
    with pytest.raises(InvalidOptionsError, match="there is no option 'sise'"):
        Hex(sise=3)  # type: ignore[call-arg]
    with pytest.raises(InvalidOptionsError, match="swap is 'of'"):
        Hex(swap="of")  # type: ignore[arg-type]
