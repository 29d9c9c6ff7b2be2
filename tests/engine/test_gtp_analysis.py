"""GTP commands that analyse, and time that genmove keeps to."""

import io
import re
import threading

import pytest

from antipodes.engine import GtpEngine, serve
from antipodes.engine.gtp_analysis import _read_seconds
from antipodes.engine.wire import GtpError
from antipodes.games.registry import make_game
from antipodes.search.players import Timekeeping, make_player
from antipodes.search.tree import TreeSearch

from .helpers import FirstMove, ask, engine, refusal

STREAMS = ["analyze", "kata-analyze", "lz-analyze"]
INFO = re.compile(
    r"info move (\S+) visits (\d+) winrate (\S+) lcb (\S+)(?: error (\S+))?(?: proven (\S+))?"
    r" order (\d+) pv ((?:(?!info)\S+ ?)+)"
)


class Timed(FirstMove):
    """Remembers the time that it is given."""

    def __init__(self):
        self.allotted = []

    def allot(self, seconds, clock=Timekeeping.WALL):
        self.allotted.append(seconds)


def timed(**options):
    player = Timed()
    return GtpEngine(make_game("hex", options), lambda: player), player


# Analysis.


@pytest.mark.parametrize("name", STREAMS)
def test_without_a_stream_the_first_report_is_the_answer(name):
    gtp = engine(size=4)
    found = INFO.findall(ask(gtp, f"{name} 1"))
    assert [int(order) for *_, order, _ in found] == list(range(len(found)))
    assert all(line.split()[0] == move for move, *_, line in found)
    winrate = float(found[0][2])
    assert 0 <= winrate <= (10_000 if name == "lz-analyze" else 1)
    assert winrate == int(winrate) or name != "lz-analyze"
    for _, _, value, bound, error, *_ in found:
        assert bool(error) == (name != "lz-analyze")
        if error:
            expected = max(0.0, float(value) - 2 * float(error))
            assert float(bound) == pytest.approx(expected, abs=1e-5)


def test_a_proven_move_is_reported_as_such():
    gtp = engine(size=2, swap="off")
    ask(gtp, "play b a1")
    ask(gtp, "play w b1")
    values = "winrate 1.000000 lcb 1.000000 error 0.000000"
    assert ask(gtp, "analyze 1") == f"info move a2 visits 0 {values} proven win order 0 pv a2"
    values = "winrate 10000 lcb 10000"
    assert ask(gtp, "lz-analyze 1") == f"info move a2 visits 0 {values} proven win order 0 pv a2"
    assert ask(gtp, "candidates 0") == "a2 0 1.0000 0.0000 win a2"
    assert ask(gtp, "best_moves 0") == "LABEL a2 1\nTEXT a2 wins 100.0%, 0 visits"


@pytest.mark.parametrize("line", ["analyze black 1", "analyze b 1", "analyze 1"])
def test_the_colour_to_move_may_be_named(line):
    assert ask(engine(size=4), line).startswith("info move ")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("analyze white 1", "it is not white's turn"),
        ("analyze green", "'green' is not a colour"),
        ("analyze black x", "'x' is not known; there are interval, maxmoves, avoid, allow"),
        ("analyze 1 avoid", "syntax error; write avoid COLOR MOVE,... 1"),
        ("analyze 1 allow b a1", "syntax error; write allow COLOR MOVE,... 1"),
        ("analyze 1 avoid b a1 30", "'30' is not a depth for avoid: only the next move is limited"),
        ("analyze 1 avoid b a1,x9 1", "'x9' is not a move of Hex"),
        ("analyze 1 allow w a1 1 allow b a1 1 avoid b a1 1", "no legal move of black is left"),
        ("genmove_analyze 1 avoid b a1 1", "avoid and allow limit analyses only"),
        ("genmove_analyze w 1", "it is not white's turn"),
        ("candidates x", "'x' is not a time in seconds"),
        ("threats -1", "'-1' is not a time in seconds"),
        ("criticality 99999", "'99999' is not a time in seconds"),
        ("best_moves 1e3", "'1e3' is not a time in seconds"),
    ],
)
def test_wrong_arguments_are_refused(line, reason):
    assert reason in refusal(engine(size=4), line)


@pytest.mark.parametrize("name", STREAMS)
def test_moves_are_avoided_or_the_only_ones_allowed(name):
    gtp = engine(size=3, swap="off")
    moves = {move for move, *_ in INFO.findall(ask(gtp, f"{name} 1 allow b a1,c2,c3 1"))}
    assert moves <= {"a1", "c2", "c3"}
    moves = {move for move, *_ in INFO.findall(ask(gtp, f"{name} b 1 avoid b b2,a3 1"))}
    assert moves
    assert not moves & {"b2", "a3"}
    # Limits of the other colour and of moves that are not legal have no effect.
    ask(gtp, "play b b2")
    assert INFO.findall(ask(gtp, f"{name} 1 allow b a1 1 avoid w b2 1"))


GENMOVES = ["genmove_analyze", "kata-genmove_analyze", "lz-genmove_analyze"]


@pytest.mark.parametrize("name", GENMOVES)
def test_a_move_is_played_after_its_reports(name):
    search = GtpEngine(make_game("hex", {"size": 5}), lambda: make_player("search:visits=400", 1))
    *reports, last = ask(search, f"{name} b interval 1").split("\n")
    word, move = last.split()
    assert word == "play"
    infos = INFO.findall(reports[-1])
    assert move in {each for each, *_ in infos}
    assert sum(int(visits) for _, visits, *_ in infos) <= 400
    assert "." not in infos[0][2] or name != "lz-genmove_analyze"
    assert search.position.to_move.value == "white"


def test_reports_of_a_move_stream_while_it_is_searched():
    stdout = io.StringIO()
    gtp = GtpEngine(make_game("hex", {"size": 9}), lambda: make_player("search:seconds=0.3", 1))
    serve(gtp, io.StringIO("7 lz-genmove_analyze b 1\n8 to_move\n"), stdout)
    first, second, _ = stdout.getvalue().split("\n\n")
    beginning, *reports, last = first.split("\n")
    assert (beginning, second) == ("=7 ", "=8 white")
    assert len(reports) >= 3
    assert all(report.startswith("info move ") for report in reports)
    assert last.startswith("play ")


def test_a_move_without_a_search_has_no_report():
    gtp = engine(size=3)
    assert ask(gtp, "genmove_analyze") == "play a1"
    ask(gtp, "play w resign")
    assert ask(gtp, "genmove_analyze w 10") == "play resign"


def test_a_question_without_a_time_is_searched_for_a_second():
    assert _read_seconds(()) == 1.0
    assert _read_seconds(("3600",)) == 3600.0
    with pytest.raises(GtpError, match=r"'3600\.1' is not a time in seconds, up to 3600$"):
        _read_seconds(("3600.1",))


@pytest.mark.parametrize("text", ["1.2.3", ".", "", "\N{ARABIC-INDIC DIGIT THREE}", "1_0", "+1"])
def test_a_time_to_search_has_digits_and_one_point_only(text):
    with pytest.raises(GtpError, match="is not a time in seconds"):
        _read_seconds((text,))


@pytest.mark.parametrize("name", [*STREAMS, "candidates", "threats", "criticality", "best_moves"])
def test_a_finished_game_is_not_analysed(name):
    gtp = engine(size=2, swap="off")
    for line in ("play b a1", "play w b1", "play b a2"):
        ask(gtp, line)
    assert refusal(gtp, name).startswith("game over")


class Talk(io.StringIO):
    """Input that comes line by line: each when the output has had enough lines."""

    def __init__(self, *steps):
        super().__init__()
        self.steps = list(steps)
        self.heard = threading.Condition()
        self.output = ""

    def readline(self, size=-1):
        if not self.steps:
            return ""
        wanted, line = self.steps.pop(0)
        with self.heard:
            assert self.heard.wait_for(lambda: self.output.count("\n") >= wanted, 60)
        return line + "\n"

    def hear(self, text):
        with self.heard:
            self.output += text
            self.heard.notify_all()


class Heard(io.StringIO):
    def __init__(self, talk):
        super().__init__()
        self.talk = talk

    def write(self, text):
        self.talk.hear(text)
        return super().write(text)


def test_reports_stream_until_the_client_says_something_else():
    talk = Talk((0, "7 analyze 1"), (4, "8 name"))
    stdout = Heard(talk)
    serve(engine(size=9), talk, stdout)
    first, second, rest = stdout.getvalue().split("\n\n")
    beginning, *reports = first.split("\n")
    assert beginning == "=7 "
    assert len(reports) >= 3
    assert all(report.startswith("info move ") for report in reports)
    assert second == "=8 Antipodes"
    assert rest == ""


def test_a_stream_that_is_cut_off_at_once_still_reports():
    stdout = io.StringIO()
    serve(engine(size=9), io.StringIO("analyze 100\nquit\n"), stdout)
    answer, last, _ = stdout.getvalue().split("\n\n")
    assert answer.startswith("= info move ")
    assert last == "= "


def test_analysis_changes_nothing():
    gtp = engine(size=4)
    before = gtp.position
    for name in (*STREAMS, "candidates", "threats", "criticality", "best_moves"):
        ask(gtp, f"{name} 0")
    assert gtp.position is before


def test_candidates_are_listed_with_their_lines():
    gtp = engine(size=4)
    for line in ask(gtp, "candidates 0.01").split("\n"):
        move, visits, value, error, proven, *pv = line.split(" ")
        assert pv[0] == move
        assert int(visits) >= 0  # a proven move need not be visited
        assert 0 <= float(value) <= 1
        assert float(error) >= 0
        assert proven in ("-", "win", "draw", "loss")


def test_threats_are_listed_as_points():
    gtp = engine(size=4, swap="off")
    for line in ("play b b1", "play w a1", "play b b2", "play w a2", "play b b3"):
        ask(gtp, line)
    assert ask(gtp, "threats 0.01") == "a4 b4"


def test_the_winner_of_a_position_is_solved_with_either_colour_to_move():
    gtp = engine(size=3, swap="pieces")
    before = gtp.position
    assert ask(gtp, "solve") == "black"
    assert ask(gtp, "solve white 5") == "white"
    assert gtp.position is before
    assert refusal(engine(size=9), "solve black 0") == "not solved in 0 seconds"
    assert refusal(engine("antipode"), "solve") == "Antipode cannot be solved"
    assert "'x' is not a time" in refusal(gtp, "solve b x")


def test_criticality_is_drawn_as_influence():
    gtp = engine(size=4)
    influence, text = ask(gtp, "criticality 0.01").split("\n")
    word, *pairs = influence.split(" ")
    assert word == "INFLUENCE"
    assert all(0 < float(weight) <= 1 for weight in pairs[1::2])
    assert set(pairs[::2]) <= {f"{c}{r}" for c in "abcd" for r in range(1, 5)}
    assert text.startswith("TEXT ")


def test_where_nothing_is_known_of_criticality_it_is_refused(monkeypatch):
    monkeypatch.setattr(TreeSearch, "criticality", lambda _: None)
    assert refusal(engine(size=4), "criticality 0").startswith("criticality is not known")


@pytest.mark.parametrize("game", ["antipod", "antipalos", "antipode", "cylindrical-hex"])
@pytest.mark.parametrize("name", [*STREAMS, "candidates", "threats", "criticality", "best_moves"])
def test_a_question_without_time_is_answered_in_every_game(game, name):
    assert ask(engine(game), f"{name} 0") or name == "threats"


def test_the_best_moves_are_drawn_as_labels():
    labels, text = ask(engine(size=4), "best_moves 0.01").split("\n")
    assert labels.startswith("LABEL ")
    assert text.startswith(f"TEXT {labels.split(' ')[1]} wins ")
    marks = labels.split(" ")[2::2]
    assert marks == [str(number + 1) for number in range(len(marks))]
    assert text.startswith("TEXT ")


@pytest.mark.parametrize("name", ["gogui-analyze_commands", "hexgui-analyze_commands"])
def test_every_entry_of_a_menu_is_a_command(name):
    gtp = engine()
    for line in ask(gtp, name).split("\n"):
        _, _, command = line.split("/")
        assert ask(gtp, f"known_command {command.split(' ')[0]}") == "true"


def test_gogui_does_not_loosen_the_turns():
    gtp = engine(size=4)
    ask(gtp, "gogui-analyze_commands")
    assert "turn" in refusal(gtp, "play white a1")


# Time.


def test_without_time_settings_players_keep_their_own_limits():
    gtp, player = timed(size=4)
    ask(gtp, "genmove black")
    assert player.allotted == [None]


def test_the_time_of_a_game_is_given_out_in_pieces():
    gtp, player = timed(size=11)
    ask(gtp, "time_settings 600 0 0")
    for _ in range(2):
        ask(gtp, "genmove black")
        ask(gtp, "genmove white")
    assert len(player.allotted) == 4
    assert all(5 < seconds < 60 for seconds in player.allotted)


def test_time_left_says_more_than_our_own_clock():
    gtp, player = timed(size=11)
    ask(gtp, "time_settings 600 0 0")
    ask(gtp, "time_left black 6 0")
    ask(gtp, "genmove black")
    assert player.allotted[0] < 1


def test_time_left_alone_is_enough():
    gtp, player = timed(size=11)
    ask(gtp, "time_left black 60 0")
    ask(gtp, "genmove black")
    assert 0 < player.allotted[0] < 10


def test_time_left_keeps_the_overtime_of_the_game():
    gtp, player = timed(size=11)
    ask(gtp, "time_settings 600 10 1")
    ask(gtp, "time_left black 6 0")
    ask(gtp, "time_left white 30 5")
    ask(gtp, "genmove black")
    ask(gtp, "genmove white")
    assert player.allotted[0] > 0.9 * 10
    assert player.allotted[1] == pytest.approx(0.9 * 30 / 5)


@pytest.mark.parametrize("seconds", ["-3", "0"])
def test_a_clock_that_has_run_out_leaves_the_shortest_time(seconds):
    gtp, player = timed(size=11)
    ask(gtp, f"time_left black {seconds} 0")
    ask(gtp, "genmove black")
    ask(gtp, f"kgs-time_settings absolute {seconds}")
    ask(gtp, "genmove white")
    assert player.allotted == [0.02, 0.02]


def test_a_time_is_ten_million_seconds_at_most():
    gtp = engine(size=4)
    ask(gtp, "time_settings 10000000 0 0")
    assert "is not a time" in refusal(gtp, "time_settings 10000001 0 0")


def test_overtime_without_moves_in_it_is_no_limit():
    gtp, player = timed(size=11)
    ask(gtp, "time_settings 60 0 0")
    ask(gtp, "time_settings 0 1 0")
    ask(gtp, "genmove black")
    assert player.allotted == [None]


@pytest.mark.parametrize(
    ("line", "least", "most"),
    [
        ("kgs-time_settings none", None, None),
        ("kgs-time_settings absolute 600", 5, 60),
        ("kgs-time_settings byoyomi 0 30 5", 20, 30),
        ("kgs-time_settings canadian 0 30 5", 4, 6),
    ],
)
def test_other_systems_of_time_are_understood(line, least, most):
    gtp, player = timed(size=11)
    ask(gtp, line)
    ask(gtp, "genmove black")
    (seconds,) = player.allotted
    assert seconds is None if least is None else least < seconds < most


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("time_settings x 0 0", "'x' is not a time in seconds"),
        ("time_settings nan 0 0", "'nan' is not a time"),
        ("time_settings 1e99 0 0", "'1e99' is not a time"),
        ("time_settings 1_0 0 0", "'1_0' is not a time"),
        ("time_settings \N{ARABIC-INDIC DIGIT THREE} 0 0", "is not a time"),
        ("time_settings 60 0 -1", "'-1' is not a number of moves"),
        ("time_settings 60 0", "write time_settings"),
        ("time_left green 3 0", "'green' is not a colour"),
        ("kgs-time_settings fischer 3 1", "'fischer' is not a time system"),
        ("kgs-time_settings absolute", "absolute takes 1 numbers"),
        ("kgs-time_settings byoyomi 3", "byoyomi takes 3 numbers"),
    ],
)
def test_wrong_times_are_refused(line, reason):
    assert reason in refusal(engine(size=4), line)


def test_a_new_board_has_new_clocks():
    gtp, player = timed(size=11)
    ask(gtp, "time_settings 600 0 0")
    ask(gtp, "time_left black 6 0")
    ask(gtp, "clear_board")
    ask(gtp, "genmove black")
    assert player.allotted[0] > 5


# Thinking in the opponent's time.


def searching(size=9, spec="search:visits=200", seed=1):
    player = make_player(spec, seed)
    return GtpEngine(make_game("hex", {"size": size, "swap": "off"}), lambda: player), player


def is_pondering():
    return any(thread.name == "pondering" for thread in threading.enumerate())


def test_pondering_is_off_until_it_is_asked_for():
    gtp, _ = searching()
    assert ask(gtp, "ponder") == "off"
    ask(gtp, "genmove black")
    assert not is_pondering()
    ask(gtp, "ponder on")
    assert ask(gtp, "ponder") == "on"


def test_what_was_found_in_the_opponents_time_is_there_for_the_next_move():
    gtp, player = searching(spec="search:seconds=0.05")
    ask(gtp, "ponder on")
    ask(gtp, "genmove black")
    assert is_pondering()
    reply = ask(gtp, "all_legal_moves").split(" ")[40]
    assert not is_pondering(), "a question that takes time ends it"
    ask(gtp, f"play white {reply}")
    before = player._search
    ask(gtp, "genmove black")
    assert player._search is before, "the same search went on"
    assert gtp.position.ply == 3
    player.rest()


def test_the_opponents_move_does_not_end_pondering():
    gtp, _ = searching(spec="search:seconds=0.05")
    ask(gtp, "ponder on")
    ask(gtp, "genmove black")
    move = next(iter(gtp.position.legal_moves))
    ask(gtp, f"play white {gtp.position.format_move(move)}")
    assert is_pondering()
    ask(gtp, "clear_board")
    assert not is_pondering()


def test_another_move_than_the_expected_one_is_answered_as_well():
    gtp, player = searching()
    ask(gtp, "ponder on")
    ask(gtp, "genmove black")
    ask(gtp, "undo")
    ask(gtp, "play black a1")
    ask(gtp, "play white b2")
    assert ask(gtp, "genmove black")
    player.rest()


def test_the_word_is_on_or_off():
    assert "neither on nor off" in refusal(engine(size=4), "ponder perhaps")


@pytest.mark.parametrize("name", STREAMS)
def test_an_analysis_takes_pairs_as_other_engines_do(name):
    gtp = engine(size=4, swap="off")
    assert ask(gtp, f"{name} interval 1 maxmoves 2").count("info move") == 2
    assert ask(gtp, f"{name} b 1 maxmoves 1 minmoves 5 ownership true").count("info move") == 1
    for words, reason in [
        ("b interval x", "'x' is not a number for interval"),
        ("b limit", "'limit' is not known; there are interval, maxmoves, avoid, allow"),
        ("maxmoves", "'' is not a number for maxmoves"),
        ("tea 5", "'tea' is not a colour here"),
    ]:
        assert refusal(gtp, f"{name} {words}").startswith(reason)
