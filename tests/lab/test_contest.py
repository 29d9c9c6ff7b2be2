"""Laws of contests: mirrored openings, failures, resumption, records."""

import itertools
import json
from collections import Counter

import pytest

from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.lab.archive import Archive
from antipodes.lab.contest import Contest, Plan, fixtures_of, standing_of
from antipodes.lab.openings import random_openings, read_openings
from antipodes.lab.ratings import SequentialTest, Verdict
from antipodes.lab.workers import Table
from antipodes.records import Reason, load
from tests.engine.programs import command

GAMES = [
    ("hex", {"size": 4}),
    ("antipod", {"side": 3}),
    ("antipode", {}),
    ("antipalos", {"size": 12, "rods": 2, "seats": "cutthroat3", "phase_two_limit": 2}),
    ("antipalos", {"size": 12, "rods": 2, "seats": "team", "phase_two_limit": 2}),
]
HEX = make_game("hex", {"size": 4})


def played(table, plan, jobs=1, **more):
    """Return a contest that was played."""
    contest = Contest(table, plan, **more)
    contest.run(lambda one, standing: None, jobs)
    return contest


def gtp(behaviour):
    return f"gtp:{command(behaviour)}"


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_both_games_of_a_pair_have_one_opening_and_exchanged_sides(game_id, options):
    game = make_game(game_id, options)
    fixtures = list(fixtures_of(game, Plan(games=12, plies=2)))
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
        for one in fixtures_of(game, Plan(games=4 * colors, plies=0))
        for seat, side in enumerate(one.sides)
    )
    assert len(set(counts.values())) == 1


def test_three_players_take_turns_in_playing_alone():
    game = make_game("antipalos", {"size": 12, "seats": "cutthroat3"})
    sides = {one.sides for one in fixtures_of(game, Plan(games=6, plies=0))}
    assert sides == set(itertools.product((0, 1), repeat=3)) - {(0, 0, 0), (1, 1, 1)}


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_openings_are_reproducible_legal_and_unfinished(game_id, options):
    game = make_game(game_id, options)
    first, again, other = (
        list(itertools.islice(random_openings(game, 3, seed), 4)) for seed in (1, 1, 2)
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
    table = Table(HEX, ("plain:visits=30", "random"))
    first, again = (played(table, Plan(games=6, seed=4)) for _ in range(2))
    assert [one.moves for one in first.played] == [one.moves for one in again.played]


def test_points_belong_to_sides_and_not_to_seats():
    table = Table(HEX, ("plain:visits=300", "random"))
    standing = played(table, Plan(games=10)).standing
    assert standing.tally.wins >= 9
    assert standing.as_first.games == 5
    assert sum(standing.tally.pairs) == 5
    turned = played(Table(HEX, ("random", "plain:visits=300")), Plan(games=10)).standing
    assert turned.tally.losses >= 9


def test_a_swap_of_sides_takes_the_people_along():
    game = make_game("hex", {"size": 4, "swap": "sides"})
    contest = played(Table(game, ("plain:visits=100", "plain:visits=100")), Plan(games=4, plies=0))
    for one in contest.played:
        position = game.initial()
        for move in one.moves:
            position = position.play(move)
        winner = one.fixture.sides[position.seat_of(position.outcome.winner)[0]]
        assert one.points == 1.0 - winner


@pytest.mark.parametrize(("game_id", "options"), GAMES[3:])
def test_several_seats_are_played_by_two_sides(game_id, options):
    game = make_game(game_id, options)
    contest = played(Table(game, ("random", "random")), Plan(games=4, plies=1))
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
    table = Table(HEX, (gtp(behaviour), "random"), patience=1.0)
    contest = played(table, Plan(games=2, plies=0 if behaviour == "crash" else 1))
    assert [one.points for one in contest.played] == [0.0, 0.0]
    assert all(one.result.reason is reason for one in contest.played)
    assert all(one.result.text for one in contest.played)
    assert contest.standing.failures == ({failing: 2}, {})


def test_one_of_our_own_players_that_fails_loses_too():
    # Pairing does not apply to Hex.
    contest = played(Table(HEX, ("random", "pairing")), Plan(games=2))
    assert [one.points for one in contest.played] == [1.0, 1.0]
    assert contest.standing.failures == ({}, {"crashed": 2})


def test_several_processes_play_what_one_plays():
    table = Table(HEX, ("plain:visits=20", "random"))
    one, several = (played(table, Plan(games=4, seed=2), jobs=jobs) for jobs in (1, 2))
    found = sorted(several.played, key=lambda game: game.fixture.number)
    assert [game.moves for game in one.played] == [game.moves for game in found]


def test_a_test_ends_the_contest_early():
    table = Table(HEX, ("plain:visits=300", "random"))
    contest = played(table, Plan(games=400, test=SequentialTest(0, 300)))
    assert contest.standing.verdict is Verdict.STRONGER
    assert len(contest.played) < 100
    count = len(contest.played)
    contest.run(lambda one, standing: None)
    assert len(contest.played) == count


class StopError(Exception):
    """What interrupts a contest."""


def test_an_interrupted_contest_goes_on_where_it_was(tmp_path):
    table, plan = Table(HEX, ("plain:visits=20", "random")), Plan(games=8, seed=3)
    whole = played(table, plan)
    archive = Archive(tmp_path / "new", table, plan)

    def watch(one, standing):
        archive.keep(one)
        if standing.tally.games == 3:
            raise StopError

    with pytest.raises(StopError):
        Contest(table, plan).run(watch)
    archive = Archive(tmp_path / "new", table, plan)
    before = archive.played()
    assert [one.fixture.number for one in before] == [1, 2, 3]
    contest = Contest(table, plan, before)
    contest.run(lambda one, standing: archive.keep(one))
    assert contest.standing.tally == whole.standing.tally
    assert standing_of(archive.played()).tally == whole.standing.tally
    for one in whole.played:
        record = load(tmp_path / "new" / f"{one.fixture.number:04}.json")
        assert tuple(record.moves()) == one.moves
        assert record.result == one.result
        assert record.players == tuple(table.specs[side] for side in one.fixture.sides)


def test_a_line_that_was_cut_short_is_played_again(tmp_path):
    table, plan = Table(HEX, ("random", "random")), Plan(games=4)
    archive = Archive(tmp_path, table, plan)
    Contest(table, plan).run(lambda one, standing: archive.keep(one))
    path = tmp_path / "games.jsonl"
    path.write_text(path.read_text()[:-40])
    found = archive.played()
    assert len(found) == 3
    Contest(table, plan, found).run(lambda one, standing: archive.keep(one))
    assert len(archive.played()) == 4


def test_records_of_forfeited_games_are_kept(tmp_path):
    table, plan = Table(HEX, (gtp("nonsense"), "random")), Plan(games=2, plies=1)
    archive = Archive(tmp_path, table, plan)
    Contest(table, plan).run(lambda one, standing: archive.keep(one))
    record = load(tmp_path / "0001.json")
    assert record.result is not None
    assert record.result.reason is Reason.FORFEIT
    assert "zz99" in record.result.text
    assert standing_of(archive.played()).failures == ({"illegal": 2}, {})


def test_a_folder_with_another_contest_is_refused(tmp_path):
    Archive(tmp_path, Table(HEX, ("random", "random")), Plan(games=4))
    Archive(tmp_path, Table(HEX, ("random", "random")), Plan(games=40))
    with pytest.raises(InputError, match=r'another contest.*"pairing"'):
        Archive(tmp_path, Table(HEX, ("random", "pairing")), Plan(games=4))
    with pytest.raises(InputError, match="seed is 1, not 2"):
        Archive(tmp_path, Table(HEX, ("random", "random")), Plan(games=4, seed=2))


def test_a_folder_that_cannot_be_used_is_named(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be used"):
        Archive(tmp_path / "file", Table(HEX, ("random", "random")), Plan())
    (tmp_path / "contest.json").write_text("{")
    with pytest.raises(InputError, match="cannot be used"):
        Archive(tmp_path, Table(HEX, ("random", "random")), Plan())


@pytest.mark.parametrize("line", ["{}", "[]", "7", '{"game": 1}', "no"])
def test_a_line_that_is_no_game_is_told_with_its_place(tmp_path, line):
    archive = Archive(tmp_path, Table(HEX, ("random", "random")), Plan())
    (tmp_path / "games.jsonl").write_text(line + "\n")
    with pytest.raises(InputError, match=r"games.jsonl, line 1"):
        archive.played()


def test_lines_tell_programs_all_about_a_game(tmp_path):
    table, plan = Table(HEX, ("random", "random")), Plan(games=1)
    archive = Archive(tmp_path, table, plan)
    Contest(table, plan).run(lambda one, standing: archive.keep(one))
    lines = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert len(lines) == 2  # games come in pairs
    assert lines[0]["sides"] == [0, 1]
    assert lines[1]["sides"] == [1, 0]
    assert lines[0]["opening"] == lines[1]["opening"]
