"""Several seeds are run once each, also by several calls of the command."""

import json

import pytest

from antipodes.errors import InputError
from antipodes.parallel.workers import Workers
from antipodes.web.town import simulation
from antipodes.web.town.simulation import Run, Settings, simulate_seeds

SETTINGS = Settings(seed=3, people=4, events=9)


@pytest.fixture
def runs(monkeypatch):
    """Runs that have been begun, as settings; the process of seed 5 is interrupted once."""
    begun: list[Settings] = []

    def simulate(settings, say):
        begun.append(settings)
        if settings.seed == 5 and len(begun) == 3:
            raise KeyboardInterrupt
        broken = ("no_job_stays",) if settings.seed == 4 else ()
        return Run(broken, ((1, 2),), 0.5, f"summary {settings.seed}")

    monkeypatch.setattr(simulation, "simulate", simulate)
    return begun


def test_an_interrupted_command_goes_on_with_the_seeds_that_are_left(runs, tmp_path):
    results = tmp_path / "results.jsonl"
    with pytest.raises(KeyboardInterrupt):
        list(simulate_seeds(SETTINGS, 4, Workers(), results))
    ended = dict(simulate_seeds(SETTINGS, 4, Workers(), results))
    assert [settings.seed for settings in runs] == [3, 4, 5, 5, 6]
    assert {seed: run.summary for seed, run in ended.items()} == {
        seed: f"summary {seed}" for seed in range(3, 7)
    }
    assert ended[4].broken == ("no_job_stays",)


def test_seeds_of_other_numbers_are_run_again(runs, tmp_path):
    results = tmp_path / "results.jsonl"
    list(simulate_seeds(SETTINGS, 1, Workers(), results))
    list(simulate_seeds(Settings(seed=3, people=5, events=9), 1, Workers(), results))
    assert [settings.people for settings in runs] == [4, 5]
    assert len([json.loads(line) for line in results.read_text().splitlines()]) == 2


def test_a_file_of_something_else_is_refused(tmp_path):
    results = tmp_path / "results.jsonl"
    results.write_text('{"seed": 3}\n')
    with pytest.raises(InputError, match=r"line 1 of .* is no run of the town: '\{\"seed\": 3\}'"):
        list(simulate_seeds(SETTINGS, 1, Workers(), results))
    assert results.read_text() == '{"seed": 3}\n'
