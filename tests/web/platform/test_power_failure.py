"""Tests of power failures: acknowledged moves are on the disk; `make crash` tries more."""

import sys

import pytest

from tests.crash.power import Play, compiled

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs LD_PRELOAD"),
]


@pytest.fixture(scope="module")
def recorder(tmp_path_factory):
    library, reason = compiled(tmp_path_factory.mktemp("recorder"))
    if library is None:
        pytest.skip(f"the recorder cannot be compiled: {reason}")
    return library


def test_acknowledged_moves_survive_a_power_failure_at_any_sync(tmp_path, recorder):
    play = Play(tmp_path, recorder, moves=12, checkpoint_each=5)
    cuts, acknowledged, lost = play.lost(tmp_path, seeds=range(1))
    assert acknowledged == 12
    assert cuts >= acknowledged
    assert lost == []


def test_the_test_notices_moves_lost_without_syncs(tmp_path, recorder):
    play = Play(tmp_path, recorder, moves=6, checkpoint_each=0, synchronous="NORMAL")
    assert play.lost(tmp_path)[2]
