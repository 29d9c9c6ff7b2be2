"""Tests of ``antipodes train``."""

from importlib.util import find_spec

import pytest

from tests.cli.tools import run
from tests.training.test_plan import TEXT


@pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is installed")
def test_without_pytorch_the_extra_is_named(tmp_path):
    done = run("train", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "out"))
    assert done.exit_code == 2
    assert "pip install 'antipodes[train]'" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed (extra train)")
def test_a_small_training_writes_network_and_card(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text(TEXT, encoding="utf-8")
    done = run("train", str(plan), "--out", str(tmp_path / "out"))
    assert done.exit_code == 0
    assert "of 300 positions" in done.stdout
    assert (tmp_path / "out" / "network.npz").exists()
    assert (tmp_path / "out" / "network.json").exists()


def test_faults_of_a_plan_are_shown_before_anything_is_written(tmp_path):
    pytest.importorskip("torch", reason="PyTorch is not installed (extra train)")
    plan = tmp_path / "plan.toml"
    plan.write_text(TEXT.replace("visits = 8", "visits = -8"), encoding="utf-8")
    done = run("train", str(plan), "--out", str(tmp_path / "out"))
    assert done.exit_code == 2
    assert "visits is -8" in done.stderr
    assert not (tmp_path / "out").exists()
