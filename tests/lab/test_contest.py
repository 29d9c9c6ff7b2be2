"""Laws of contests: mirrored openings, failures, resumption, records."""

import itertools
import json
from collections import Counter

import jsonschema
import pytest

from antipodes.core import Color
from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.lab.archive import Archive
from antipodes.lab.contest import Contest, Schedule, contest_score, fixtures_of
from antipodes.lab.duel import play_duel
from antipodes.lab.matchup import Matchup
from antipodes.lab.openings import random_openings, read_openings
from antipodes.lab.ratings import ContestVerdict, SequentialTest
from antipodes.lab.results import Results
from antipodes.lab.schema import schema
from antipodes.lab.tasks import MOST_GAMES, GameTask
from antipodes.records import Reason, load
from tests.engine.programs import command
from tests.lab import bots
from tests.thorough import repetitions, sample

GAMES = [
    ("hex", {"size": 4}),
    ("antipod", {"side": 3}),
    ("antipode", {}),
    ("antipalos", {"size": 12, "rods": 2, "seats": "cutthroat3", "phase_two_limit": 2}),
    ("antipalos", {"size": 12, "rods": 2, "seats": "team", "phase_two_limit": 2}),
]
HEX = make_game("hex", {"size": 4})


def played(matchup, schedule, jobs=1, **more):
    """Return a contest that was played."""
    contest = Contest(matchup, schedule, **more)
    contest.run(lambda one, score: None, jobs)
    return contest


@pytest.fixture(autouse=True)
def quick_look(monkeypatch):
    """Choose openings by a few visits: with all of them that takes longer than the games."""
    monkeypatch.setattr("antipodes.lab.openings._LOOK", repetitions(16, 200))


def gtp(behaviour):
    return f"gtp:{command(behaviour)}"


@pytest.mark.parametrize(("game_id", "options"), sample(GAMES, 2))
def test_both_games_of_a_pair_have_one_opening_and_exchanged_sides(game_id, options):
    game = make_game(game_id, options)
    fixtures = list(fixtures_of(game, Schedule(games=12, plies=2)))
    assert [one.number for one in fixtures] == list(range(1, 13))
    for one, other in zip(fixtures[::2], fixtures[1::2], strict=True):
        assert one.opening == other.opening
        assert one.pair == other.pair
        assert [1 - side for side in one.sides] == list(other.sides)
        assert set(one.sides) == {0, 1}


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_each_side_has_each_colour_equally_often(game_id, options):
    game = make_game(game_id, options)
    colors = len(game.colors)
    counts = Counter(
        (side, seat % colors)
        for one in fixtures_of(game, Schedule(games=4 * colors, plies=0))
        for seat, side in enumerate(one.sides)
    )
    assert len(set(counts.values())) == 1


def test_three_players_take_turns_in_playing_alone():
    game = make_game("antipalos", {"size": 12, "seats": "cutthroat3"})
    sides = {one.sides for one in fixtures_of(game, Schedule(games=6, plies=0))}
    assert sides == set(itertools.product((0, 1), repeat=3)) - {(0, 0, 0), (1, 1, 1)}


@pytest.mark.parametrize(("game_id", "options"), sample(GAMES, 2))
def test_openings_are_reproducible_legal_and_unfinished(game_id, options):
    game = make_game(game_id, options)
    first, again, other = (
        list(itertools.islice(random_openings(game, 3, seed), repetitions(2, 4)))
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other
    for opening in first:
        position = game.initial()
        for move in opening:
            position = position.play(move)
        assert len(opening) == 3
        assert position.outcome is None
        assert not position.swapped


def test_openings_are_read_from_text():
    text = "# some lines\nb2 c3\n\na1 swap  # taken\n"
    assert [len(one) for one in read_openings(HEX, text)] == [2, 2]
    with pytest.raises(InputError) as caught:
        read_openings(HEX, "b2 b2\nz9\nc3\n")
    assert [fault.where for fault in caught.value.faults] == ["line 1", "line 2"]
    with pytest.raises(InputError, match="no openings"):
        read_openings(HEX, "# nothing\n")


def test_a_seed_decides_a_contest():
    matchup = Matchup(HEX, ("plain:visits=30", "random"))
    first, again = (played(matchup, Schedule(games=6, seed=4)) for _ in range(2))
    assert [one.moves for one in first.played] == [one.moves for one in again.played]


def test_points_belong_to_sides_and_not_to_seats():
    matchup = Matchup(HEX, ("plain:visits=300", "random"))
    score = played(matchup, Schedule(games=10)).score
    assert score.tally.wins >= 9
    assert score.as_first.games == 5
    assert sum(score.tally.pairs) == 5
    turned = played(Matchup(HEX, ("random", "plain:visits=300")), Schedule(games=10)).score
    assert turned.tally.losses >= 9


def test_a_swap_of_sides_takes_the_people_along():
    game = make_game("hex", {"size": 4, "swap": "sides"})
    contest = played(
        Matchup(game, ("plain:visits=100", "plain:visits=100")), Schedule(games=4, plies=0)
    )
    for one in contest.played:
        position = game.initial()
        for move in one.moves:
            position = position.play(move)
        assert position.outcome is not None
        assert position.outcome.winner is not None
        winner = one.fixture.sides[position.seat_of(position.outcome.winner)[0]]
        assert one.points == 1.0 - winner


@pytest.mark.parametrize(("game_id", "options"), GAMES[3:])
def test_several_seats_are_played_by_two_sides(game_id, options):
    game = make_game(game_id, options)
    contest = played(Matchup(game, ("random", "random")), Schedule(games=4, plies=1))
    assert len(contest.played) == 4


@pytest.mark.parametrize(
    ("behaviour", "failing", "reason"),
    [
        ("crash", "crashed", Reason.FORFEIT),
        ("hang", "hung", Reason.TIME),
        ("garbage", "garbled", Reason.FORFEIT),
        ("occupied", "illegal", Reason.FORFEIT),
        ("nonsense", "illegal", Reason.FORFEIT),
        ("refuse", "refused", Reason.FORFEIT),
        ("resign", "resigned", Reason.RESIGNATION),
    ],
)
def test_a_program_that_fails_loses_that_game_and_the_contest_goes_on(behaviour, failing, reason):
    # Programs take a while to start on a busy machine.
    patience = 1.0 if behaviour == "hang" else 60.0
    matchup = Matchup(HEX, (gtp(behaviour), "random"), patience=patience)
    contest = played(matchup, Schedule(games=2, plies=0 if behaviour == "crash" else 1))
    assert [one.points for one in contest.played] == [0.0, 0.0]
    assert all(one.result.reason is reason for one in contest.played)
    assert all(one.result.text for one in contest.played)
    assert contest.score.failures == ({failing: 2}, {})


def test_one_of_our_own_players_that_fails_loses_too():
    # Pairing does not apply to Hex.
    contest = played(Matchup(HEX, ("random", "pairing")), Schedule(games=2))
    assert [one.points for one in contest.played] == [1.0, 1.0]
    assert contest.score.failures == ({}, {"crashed": 2})


@pytest.mark.extreme
def test_several_processes_play_what_one_plays():
    matchup = Matchup(HEX, ("plain:visits=20", "random"))
    one, several = (played(matchup, Schedule(games=4, seed=2), jobs=jobs) for jobs in (1, 2))
    found = sorted(several.played, key=lambda game: game.fixture.number)
    assert [game.moves for game in one.played] == [game.moves for game in found]


def test_a_test_ends_the_contest_early():
    matchup = Matchup(HEX, ("plain:visits=300", "random"))
    contest = played(matchup, Schedule(games=400, test=SequentialTest(0, 300)))
    assert contest.score.verdict is ContestVerdict.STRONGER
    assert len(contest.played) < 100
    count = len(contest.played)
    contest.run(lambda one, score: None)
    assert len(contest.played) == count


class StopError(Exception):
    """An interruption of a contest."""


def test_an_interrupted_contest_goes_on_where_it_was(tmp_path):
    matchup, schedule = Matchup(HEX, ("plain:visits=20", "random")), Schedule(games=8, seed=3)
    whole = played(matchup, schedule)
    archive = Archive(tmp_path / "new", matchup, schedule)

    def watch(one, score):
        archive.append([one])
        if score.tally.games == 3:
            raise StopError

    with pytest.raises(StopError):
        Contest(matchup, schedule).run(watch)
    archive = Archive(tmp_path / "new", matchup, schedule)
    before = archive.played()
    assert [one.fixture.number for one in before] == [1, 2, 3]
    contest = Contest(matchup, schedule, before)
    contest.run(lambda one, score: archive.append([one]))
    assert contest.score.tally == whole.score.tally
    assert contest_score(archive.played()).tally == whole.score.tally
    for one in whole.played:
        record = load(tmp_path / "new" / f"{one.fixture.number:04}.json")
        assert tuple(record.moves()) == one.moves
        assert record.result == one.result
        assert record.players == tuple(matchup.names[side] for side in one.fixture.sides)


def test_a_line_that_was_cut_short_is_played_again(tmp_path):
    matchup, schedule = Matchup(HEX, ("random", "random")), Schedule(games=4)
    archive = Archive(tmp_path, matchup, schedule)
    Contest(matchup, schedule).run(lambda one, score: archive.append([one]))
    path = tmp_path / "games.jsonl"
    path.write_text(path.read_text()[:-40])
    archive = Archive(tmp_path, matchup, schedule)
    assert len(archive.played()) == 3
    Contest(matchup, schedule, folder=archive).run(lambda one, score: None)
    assert len(Archive(tmp_path, matchup, schedule).played()) == 4


def test_records_of_forfeited_games_are_kept(tmp_path):
    matchup, schedule = Matchup(HEX, (gtp("nonsense"), "random")), Schedule(games=2, plies=1)
    archive = Archive(tmp_path, matchup, schedule)
    Contest(matchup, schedule).run(lambda one, score: archive.append([one]))
    record = load(tmp_path / "0001.json")
    assert record.result is not None
    assert record.result.reason is Reason.FORFEIT
    assert "zz99" in record.result.text
    assert contest_score(archive.played()).failures == ({"illegal": 2}, {})


def test_a_folder_with_another_contest_is_refused(tmp_path):
    Archive(tmp_path, Matchup(HEX, ("random", "random")), Schedule(games=4))
    Archive(tmp_path, Matchup(HEX, ("random", "random")), Schedule(games=40))
    with pytest.raises(InputError, match=r'another contest.*"pairing"'):
        Archive(tmp_path, Matchup(HEX, ("random", "pairing")), Schedule(games=4))
    with pytest.raises(InputError, match="seed is 1, not 2"):
        Archive(tmp_path, Matchup(HEX, ("random", "random")), Schedule(games=4, seed=2))


def test_a_folder_that_cannot_be_used_is_named(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be used"):
        Archive(tmp_path / "file", Matchup(HEX, ("random", "random")), Schedule())
    (tmp_path / "contest.json").write_text("{")
    with pytest.raises(InputError, match="cannot be used"):
        Archive(tmp_path, Matchup(HEX, ("random", "random")), Schedule())


@pytest.mark.parametrize("line", ["{}", "[]", "7", '{"game": 1}', "no", "seats", "opening"])
def test_a_line_that_is_no_game_is_told_with_its_place(tmp_path, line):
    archive = Archive(tmp_path, Matchup(HEX, ("random", "random")), Schedule())
    row = GameTask.numbered(HEX, ["random"], 1, 1).play().as_dict
    rows = {"seats": row | {"colors": ["black"]}, "opening": row | {"opening": "a1 a1"}}
    (tmp_path / "games.jsonl").write_text(json.dumps(rows[line]) if line in rows else line)
    with (tmp_path / "games.jsonl").open("a") as file:
        file.write("\n")
    with pytest.raises(InputError, match=r"games.jsonl, line 1"):
        archive.played()


def test_rows_of_contests_are_those_of_experiments(tmp_path):
    matchup, schedule = Matchup(HEX, ("random", "pairing")), Schedule(games=1)
    archive = Archive(tmp_path, matchup, schedule)
    Contest(matchup, schedule).run(lambda one, score: archive.append([one]))
    lines = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert len(lines) == 2  # games come in pairs
    assert lines[0]["players"] == ["random", "pairing"]
    assert lines[1]["players"] == ["pairing", "random"]
    assert lines[0]["opening"] == lines[1]["opening"]
    for row, game in zip(Results(tmp_path).rows(), archive.played(), strict=True):
        jsonschema.validate(json.loads(json.dumps(row.as_dict)), schema())
        assert tuple(row.record().moves()) == game.moves
        assert sum(row.turns) + len(game.fixture.opening) == row.plies


# --- players in Python --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "jobs"),
    [(bots.last_move, 1), ("tests.lab.bots:last_move", 1), ("tests.lab.bots:last_move", 2)],
)
def test_players_of_ones_own_play_contests(side, jobs, tmp_path):
    matchup, schedule = Matchup(HEX, (side, "random")), Schedule(games=2, plies=0)
    assert matchup.names == ("tests.lab.bots:last_move", "random")
    contest = Contest(matchup, schedule, folder=Archive(tmp_path, matchup, schedule))
    contest.run(lambda one, score: None, jobs)
    assert contest.score.failures == ({}, {})
    first = load(tmp_path / "0001.json")
    assert first.players == matchup.names
    assert first.moves()[0] == HEX.initial().legal_moves[-1]


@pytest.mark.parametrize(
    ("factory", "failing"),
    [(bots.nothing, "illegal"), (bots.outside, "illegal"), (bots.word, "illegal")],
)
def test_a_player_of_ones_own_that_answers_nonsense_loses_that_game(factory, failing):
    contest = played(Matchup(HEX, (factory, "random")), Schedule(games=2, plies=0))
    assert contest.score.failures == ({failing: 2}, {})


@pytest.mark.parametrize(
    ("side", "told"),
    [
        ("tests.lab.bots:missing", "has no attribute 'missing'"),
        ("tests.lab.no_bots:player", "No module named"),
        ("tests.lab.bots:NUMBER", "is not a function or class"),
        ("tests.lab.bots:no_player", "has no method choose"),
        ("tests.lab.bots:broken", "RuntimeError: out of coffee"),
        (bots.no_player, "has no method choose"),
    ],
)
def test_what_makes_no_players_is_refused_before_the_first_game(side, told):
    with pytest.raises(InputError, match=told) as caught:
        Matchup(HEX, (side, "random")).contestants()
    assert caught.value.code == "player/factory"


# --- colours ------------------------------------------------------------------------------------


@pytest.mark.parametrize("swap", ["off", "sides"])
def test_results_are_counted_by_colour(swap):
    game = make_game("hex", {"size": 4, "swap": swap})
    contest = played(
        Matchup(game, ("plain:visits=60", "plain:visits=30")), Schedule(games=8, plies=0)
    )
    score = contest.score
    (one, two), (other_one, other_two) = (
        score.by_color[color] for color in (Color.BLACK, Color.WHITE)
    )
    assert sum((one, two, other_one, other_two)).games == 2 * 8
    assert one.wins + other_one.wins == score.tally.wins
    assert two.wins + other_two.wins == score.tally.losses
    black = sum(game.result.winner is Color.BLACK for game in contest.played)
    assert one.wins + two.wins == black
    assert one.losses + two.losses == 8 - black


def test_colours_are_read_back_from_the_folder(tmp_path):
    matchup, schedule = Matchup(HEX, ("plain:visits=60", "random")), Schedule(games=4)
    contest = Contest(matchup, schedule, folder=Archive(tmp_path, matchup, schedule))
    contest.run(lambda one, score: None)
    again = contest_score(Archive(tmp_path, matchup, schedule).played())
    assert again.by_color == contest.score.by_color


# --- several processes, one folder ----------------------------------------------------------------


def test_a_game_is_claimed_once_until_it_is_played_or_given_back(tmp_path):
    matchup, schedule = Matchup(HEX, ("random", "random")), Schedule(games=4)
    one, other = (Archive(tmp_path, matchup, schedule) for _ in range(2))
    assert one.claims.take("1") == {"1"}
    assert one.claims.take("1") == {"1"}
    assert other.claims.take("12") == {"2"}
    one.claims.close()
    assert other.claims.take("1") == {"1"}
    other.claims.close()
    contest = Contest(matchup, schedule, folder=one)
    contest.run(lambda one, score: None)
    assert other.done() == {"1", "2", "3", "4"}


def test_what_others_have_played_is_not_played_again(tmp_path):
    matchup, schedule = Matchup(HEX, ("random", "random")), Schedule(games=4)
    one, other = (Archive(tmp_path, matchup, schedule) for _ in range(2))
    seen = []

    def watch(game, score):
        seen.append(game.fixture.number)
        if len(seen) == 1:
            # Another process plays two games in the middle of this contest.
            fixtures = list(fixtures_of(HEX, schedule))
            for number in (3, 4):
                assert other.claims.take(str(number))
                contestants = matchup.contestants()
                other.append([play_duel(HEX, fixtures[number - 1], contestants)])
                other.claims.release([str(number)])

    score = Contest(matchup, schedule, folder=one).run(watch)
    assert seen == [1, 2]
    assert score.tally.games == 4
    lines = (tmp_path / "games.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["seed"] % MOST_GAMES for line in lines) == [0, 1, 2, 3]


def test_a_game_that_another_process_gives_back_is_played_here(tmp_path, monkeypatch):
    monkeypatch.setattr("antipodes.lab.sharing._LOOK", 0.01)
    matchup, schedule = Matchup(HEX, ("random", "random")), Schedule(games=4)
    one, other = (Archive(tmp_path, matchup, schedule) for _ in range(2))
    assert other.claims.take("2")
    left = []

    def idle(count):
        left.append(count)
        if len(left) == 3:
            other.claims.close()

    score = Contest(matchup, schedule, folder=one).run(lambda game, score: None, idle=idle)
    assert left == [1, 1, 1]
    assert score.tally.games == 4
