"""Games played once stay as they were: moves, keys, pictures, outcomes."""

import pytest

from antipodes.games.registry import game_ids

from .playthroughs import FOLDER, GAMES, playthrough

SLOW = {"antipalos-14-ladder-team"}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.extreme) if name in SLOW else name for name in GAMES],
)
def test_a_frozen_game_plays_as_it_did(name):
    frozen = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert playthrough(name) == frozen, (
        "if the change is meant, run `python -m tests.golden.playthroughs` and read the difference"
    )


def test_every_game_is_frozen_and_every_file_is_used():
    assert {game_id for game_id, _, _ in GAMES.values()} == set(game_ids())
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)
