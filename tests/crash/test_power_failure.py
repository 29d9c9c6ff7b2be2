"""Power fails at every moment of many games: what was acknowledged is there afterwards."""

import os
import sys

import pytest

from tests.crash.power import Play, compiled

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs LD_PRELOAD")

MOVES = int(os.environ.get("POWER_MOVES", "60"))
SEEDS = 3  # different ways in which a disk keeps some of what was not synced


@pytest.mark.parametrize("checkpoint_each", [0, 1, 17])
def test_many_acknowledged_moves_outlive_power_at_every_sync(tmp_path, checkpoint_each):
    library, reason = compiled(tmp_path)
    if library is None:
        pytest.skip(f"nothing can be recorded: {reason}")
    play = Play(tmp_path, library, MOVES, checkpoint_each)
    cuts, acknowledged, lost = play.lost(tmp_path, seeds=range(SEEDS))
    print(f"{cuts} cuts, {acknowledged} acknowledged moves")
    assert acknowledged == MOVES
    assert cuts >= acknowledged
    assert lost == []
