"""Laws of tasks, their results in a folder, and claims on them."""

import json
import platform
from dataclasses import replace

import jsonschema
import pytest

from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.lab.claims import Claims
from antipodes.lab.results import LOCKS, Results
from antipodes.lab.scheduling import run_tasks
from antipodes.lab.schema import schema
from antipodes.lab.tasks import GameRow, GameTask

HEX = make_game("hex", {"size": 3, "swap": "sides"})
TASKS = [GameTask.of(HEX, ["random"], seed) for seed in range(12)]


def known(rows):
    """Return rows without what differs from run to run."""
    return [replace(row, cpu=(), seconds=()) for row in rows]


def test_tasks_of_equal_content_are_one_task():
    assert GameTask.of(make_game("hex", {"swap": "sides", "size": 3}), ["random"], 0) == TASKS[0]
    assert len({task.id for task in TASKS}) == len(TASKS)
    for other in (
        GameTask.of(make_game("hex", {"size": 3, "swap": "off"}), ["random"], 0),
        GameTask.of(HEX, ["random", "pairing"], 0),
        GameTask.of(HEX, ["random"], 0, ["a1"]),
        replace(TASKS[0], version="0.0.1"),
    ):
        assert other.id != TASKS[0].id


def test_the_id_of_a_task_never_changes():
    task = GameTask("hex", '{"size":3}', ("random", "random"), 1, "a1 b2", "0.1.0")
    assert task.id == "2aaa3488029977ef0ad212fc"


def test_a_task_plays_the_same_game_again():
    row = TASKS[0].play()
    assert known([TASKS[0].play()]) == known([row])
    assert str(row.record().result) == f"{str(row.winner).title()} wins by {row.reason}"
    assert row.players == ("random", "random")
    assert len(row.moves.split()) == row.plies


def test_the_opening_is_played_for_the_players():
    row = GameTask.of(HEX, ["random"], 1, ["a1", "b2"]).play()
    assert row.moves.startswith("a1 b2 ")
    assert row.opening == "a1 b2"


def test_a_swap_of_seats_exchanges_the_colours():
    swapped = {row.swapped: row for row in (task.play() for task in TASKS)}
    assert set(swapped) == {True, False}
    assert swapped[True].colors == ("white", "black")
    assert swapped[False].colors == ("black", "white")


@pytest.mark.parametrize("seats", ["two", "cutthroat3", "team"])
def test_each_seat_has_a_player_of_its_own(seats):
    game = make_game("antipalos", {"size": 12, "rods": 2, "seats": seats, "phase_two_limit": 2})
    row = GameTask.of(game, ["random"], 1).play()
    assert len(row.players) == len(row.colors) == len(row.cpu) == game.seats
    assert set(row.colors) == {color.value for color in game.colors}


def test_a_wrong_number_of_players_is_refused():
    with pytest.raises(InputError, match="Hex needs 2 players or one, not 3"):
        GameTask.of(HEX, ["random"] * 3, 1)


def test_a_task_of_another_version_is_not_played():
    with pytest.raises(InputError, match=r"the task is of 0\.0\.1"):
        replace(TASKS[0], version="0.0.1").play()


def test_rows_follow_the_published_schema():
    row = TASKS[0].play()
    jsonschema.validate(json.loads(json.dumps(row.as_dict)), schema())
    assert list(row.as_dict) == list(schema()["properties"])


def test_rows_tell_what_they_were_played_on_and_older_ones_are_read():
    row = TASKS[0].play()
    assert platform.python_version() in row.environment
    assert "kernels" in row.environment
    older = row.as_dict
    del older["environment"]
    jsonschema.validate(json.loads(json.dumps(older)), schema())
    assert GameRow.of(older) == replace(row, environment="")


def test_rows_are_read_as_they_were_written(tmp_path):
    rows = [task.play() for task in TASKS]
    results = Results(tmp_path)
    results.append(rows[:5])
    results.append(rows[5:])
    assert list(Results(tmp_path).rows()) == rows
    assert Results(tmp_path).done() == results.done() == {row.id for row in rows}


def test_a_game_in_two_lines_counts_once(tmp_path):
    row = TASKS[0].play()
    for _ in range(2):
        Results(tmp_path).append([row])
    assert list(Results(tmp_path).rows()) == [row]


def test_merging_adds_what_is_missing_and_again_nothing(tmp_path):
    one, other = (Results(tmp_path / name) for name in ("one", "other"))
    run_tasks(TASKS[:8], one)
    run_tasks(TASKS[4:], other)
    assert one.merge([other]) == 4
    assert one.merge([other]) == 0
    assert one.done() == {task.id for task in TASKS}


def test_tasks_that_were_played_are_not_played_again(tmp_path):
    run_tasks(TASKS[:8], Results(tmp_path))
    new: list[GameRow] = []
    run_tasks([*TASKS, *TASKS], Results(tmp_path), watch=new.extend)
    assert {row.id for row in new} == {task.id for task in TASKS[8:]}
    assert len(new) == 4


def test_tasks_that_others_play_are_waited_for_and_taken_over(tmp_path):
    results = Results(tmp_path)
    other = Claims(tmp_path / LOCKS)
    assert other.take([TASKS[0].id, TASKS[1].id]) == {TASKS[0].id, TASKS[1].id}
    told = []

    def idle(count):
        told.append(count)
        if len(told) == 1:  # the other one finishes a game, then it ends
            Results(tmp_path).append([TASKS[0].play()])
            other.close()

    new: list[GameRow] = []
    run_tasks(TASKS, results, watch=new.extend, idle=idle)
    assert told == [2]
    assert TASKS[0].id not in {row.id for row in new}
    assert results.done() == {task.id for task in TASKS}


def test_names_have_one_owner_and_are_free_again_afterwards(tmp_path):
    one, other = Claims(tmp_path), Claims(tmp_path)
    assert one.take("abc") == set("abc")
    assert other.take("cde") == set("de")
    one.release("b")
    assert other.take("abc") == {"b"}
    one.close()
    assert other.take("abc") == set("abc")


@pytest.mark.parametrize("files", [("json",), (), ("json.x1.part",), ("json", "json.x1.part")])
def test_all_files_of_a_killed_process_are_removed(tmp_path, files):
    claims = Claims(tmp_path)
    (tmp_path / "killed.lock").touch()
    for end in files:
        hidden = "." if end.endswith(".part") else ""
        (tmp_path / f"{hidden}killed.{end}").write_text('["a"]')
    assert claims.take("ab") == {"a", "b"}
    assert not [path.name for path in tmp_path.iterdir() if "killed" in path.name]
    claims.close()


def test_a_process_that_has_not_claimed_anything_yet_has_no_claims(tmp_path):
    one, other = Claims(tmp_path), Claims(tmp_path)
    assert one.take("a") == {"a"}
    [written] = tmp_path.glob("*.json")
    written.unlink()
    assert other.take("a") == {"a"}
    assert written.with_suffix(".lock").exists()


def test_a_line_that_is_no_result_is_told_with_its_place(tmp_path):
    results = Results(tmp_path)
    results.append([TASKS[0].play()])
    with (tmp_path / "games.jsonl").open("a") as file:
        file.write("no\n")
    with pytest.raises(InputError, match=r"games\.jsonl, line 2: cannot be read"):
        Results(tmp_path).done()
