"""A small training; needs PyTorch."""

import json
from typing import Any

import numpy as np
import pytest

from antipodes.errors import InputError
from antipodes.parallel.workers import Workers
from antipodes.search.network.evaluator import FILES, FOLDER, Evaluator
from antipodes.search.network.weights import read_network as network_file
from antipodes.training.boards import board_of
from antipodes.training.plan import Plan
from antipodes.training.quantization import plain_weights, quantize
from tests.raising import raising
from tests.training.test_plan import TEXT

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra train)")

SMALL = TEXT.replace("positions = 100", "positions = 700").replace("batch = 32", "batch = 8")


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(SMALL, encoding="utf-8")
    return Plan.read(path)


def test_a_training_can_be_interrupted_and_resumed(plan, tmp_path, monkeypatch):
    from antipodes.training.run import Training

    monkeypatch.setattr("antipodes.training.run.REPORT", 20)

    folder = tmp_path / "training"
    folder.mkdir()
    with pytest.raises(KeyboardInterrupt):
        Training(plan, folder).run(Workers(), raising(KeyboardInterrupt))
    resumed = Training(plan, folder)
    before = resumed.progress
    assert before.positions > 0
    reports: list[Any] = []
    resumed.run(Workers(), reports.append)
    assert reports[-1].positions >= plan.positions
    assert reports[-1].steps > before.steps
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert sum(line["positions"] for line in lines if "task" in line) == reports[-1].positions
    card = json.loads((folder / "network.json").read_text(encoding="utf-8"))
    assert sum(board["positions"] for board in card["boards"].values()) == reports[-1].positions
    assert card["curve"][-1]["steps"] == reports[-1].steps
    assert (folder / "network.npz").exists()


def test_the_exported_network_is_the_trained_one(plan, tmp_path):
    from antipodes.training.learner import Learner

    learner = Learner(plan)
    board = board_of("hex", 5)
    inputs = np.random.default_rng(1).random((4, 8, 25)).astype(np.float32)
    learner.export(tmp_path / "network.npz", board, inputs)
    policies, values = Evaluator(board.game, 4, tmp_path / "network.npz")(inputs, 4)
    with torch.no_grad():
        expected, logits = learner._network(torch.from_numpy(inputs).unflatten(2, (5, 5)))
    assert np.allclose(policies, expected.numpy(), atol=0.05)
    assert np.allclose(values, logits.sigmoid().numpy(), atol=0.02)


def test_a_folder_of_another_plan_is_refused(plan, tmp_path):
    from antipodes.training.run import Training

    folder = tmp_path / "training"
    folder.mkdir()
    (folder / "plan.toml").write_text(TEXT, encoding="utf-8")
    with pytest.raises(InputError, match="another plan"):
        Training(plan, folder)


def test_a_stage_can_be_played_by_the_network_that_comes_with_the_program(tmp_path):
    from antipodes.training.run import Training

    path = tmp_path / "plan.toml"
    text = SMALL.replace("rate = 0.01\n", 'rate = 0.01\nplayer = "hex"\n')
    path.write_text(text, encoding="utf-8")
    training = Training(Plan.read(path), tmp_path / "training")
    assert next(training._new_tasks()).network == FOLDER / FILES["rhombus"]
    training._positions = 700
    assert next(training._new_tasks()).network.is_relative_to(tmp_path)


@pytest.mark.parametrize(("game_id", "size"), [("hex", 5), ("antipod", 3)])
def test_a_gpu_evaluates_as_the_engine_does(game_id, size, tmp_path):
    from antipodes.training.gpu import GpuEvaluator
    from antipodes.training.model import Network, weights_of

    board = board_of(game_id, size)
    network = Network(channels=8, blocks=2)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    path = tmp_path / "network.npz"
    inputs = np.random.default_rng(1).random((4, 8, board.cells)).astype(np.float32)
    weights = weights_of(network)
    quantize(weights, inputs, board.neighbours, is_for_rhombus=board.is_rhombus).write(path)
    expected = Evaluator(board.game, 4, path)(inputs, 4)
    # Without a GPU the same program runs on the CPU.
    found = GpuEvaluator(board, path, torch.device("cpu"))(inputs, 3)
    for one, other in zip(found, expected, strict=True):
        assert one.flags.c_contiguous
        assert np.allclose(one, other[:3], atol=0.05)


def test_a_network_is_read_with_all_its_weights(tmp_path):
    from antipodes.training.model import read_network, weights_of

    shipped = FOLDER / FILES["rhombus"]
    weights = weights_of(read_network(shipped))
    expected = plain_weights(network_file(shipped))
    assert weights.keys() == expected.keys()
    assert all(np.array_equal(weights[name], expected[name]) for name in weights)


def test_a_network_can_learn_from_the_games_of_another_training(plan, tmp_path, monkeypatch):
    from antipodes.training.run import Training

    with pytest.raises(InputError, match="no games of a training"):
        Training(plan, tmp_path / "other", tmp_path)
    first, second = tmp_path / "first", tmp_path / "second"
    Training(plan, first).run(Workers(), lambda _progress: None)
    path = tmp_path / "wider.toml"
    path.write_text(SMALL.replace("channels = 8", "channels = 16"), encoding="utf-8")
    wider = Plan.read(path)

    monkeypatch.setattr("antipodes.training.run.REPORT", 20)
    with pytest.raises(KeyboardInterrupt):
        Training(wider, second, first).run(Workers(), raising(KeyboardInterrupt))
    reports: list[Any] = []
    Training(wider, second, first).run(Workers(), reports.append)
    assert not (second / "samples").exists()
    cards = [json.loads((one / "network.json").read_text("utf-8")) for one in (first, second)]
    assert cards[0]["boards"] == cards[1]["boards"]
    assert reports[-1].steps == cards[0]["curve"][-1]["steps"]
