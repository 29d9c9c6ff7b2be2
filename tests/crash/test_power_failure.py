"""Test of power failures at every sync during many games: acknowledged moves are not lost."""

import os
import sys

import pytest

from tests.crash.power import Play, compiled

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs LD_PRELOAD")

MOVES = int(os.environ.get("POWER_MOVES", "60"))
SEEDS = 3  # disks that keep different unsynced writes


@pytest.fixture(scope="module")
def recorder(tmp_path_factory):
    library, reason = compiled(tmp_path_factory.mktemp("recorder"))
    if library is None:
        pytest.skip(f"the recorder cannot be compiled: {reason}")
    return library


@pytest.mark.parametrize("checkpoint_each", [0, 1, 17])
def test_acknowledged_moves_survive_a_power_failure_at_every_sync(
    tmp_path, recorder, checkpoint_each
):
    play = Play(tmp_path, recorder, MOVES, checkpoint_each)
    cuts, acknowledged, lost = play.lost(tmp_path, seeds=range(SEEDS))
    print(f"{cuts} cuts, {acknowledged} acknowledged moves")
    assert acknowledged == MOVES
    assert cuts >= acknowledged
    assert lost == []


def test_the_test_notices_moves_lost_without_syncs(tmp_path, recorder):
    play = Play(tmp_path, recorder, moves=6, checkpoint_each=0, synchronous="NORMAL")
    assert play.lost(tmp_path)[2]
