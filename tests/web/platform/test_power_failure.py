"""Law of power that fails: what was acknowledged is on the disk; `make crash` tries more."""

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
        pytest.skip(f"nothing can be recorded: {reason}")
    return library


def test_acknowledged_moves_outlive_power_that_fails_at_any_sync(tmp_path, recorder):
    play = Play(tmp_path, recorder, moves=12, checkpoint_each=5)
    cuts, acknowledged, lost = play.lost(tmp_path, seeds=range(1))
    assert acknowledged == 12
    assert cuts >= acknowledged
    assert lost == []


def test_the_same_test_notices_moves_that_are_lost_because_nothing_is_synced(tmp_path, recorder):
    play = Play(tmp_path, recorder, moves=6, checkpoint_each=0, synchronous="NORMAL")
    assert play.lost(tmp_path)[2]
