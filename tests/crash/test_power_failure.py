"""Test of power failures at every sync during many games: acknowledged moves are not lost."""

import os
import sys

import pytest

from tests.crash.power import Play, compiled

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs LD_PRELOAD")

MOVES = int(os.environ.get("POWER_MOVES", "60"))
SEEDS = 3  # disks that keep different unsynced writes


@pytest.mark.parametrize("checkpoint_each", [0, 1, 17])
def test_acknowledged_moves_survive_a_power_failure_at_every_sync(tmp_path, checkpoint_each):
    library, reason = compiled(tmp_path)
    if library is None:
        pytest.skip(f"the recorder cannot be compiled: {reason}")
    play = Play(tmp_path, library, MOVES, checkpoint_each)
    cuts, acknowledged, lost = play.lost(tmp_path, seeds=range(SEEDS))
    print(f"{cuts} cuts, {acknowledged} acknowledged moves")
    assert acknowledged == MOVES
    assert cuts >= acknowledged
    assert lost == []
