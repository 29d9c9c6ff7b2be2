"""Tests of metrics summed over several processes."""

import errno
import os
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, Counter, Gauge

from antipodes.web.platform import shared_metrics
from antipodes.web.platform.config import METRICS_FOLDER
from antipodes.web.server import serve


class Process:
    """The metrics of one process."""

    def __init__(self, pid):
        self.pid = pid
        self.registry = CollectorRegistry()
        self.moves = Counter("moves", "Moves", ["game"], registry=self.registry)
        self.sockets = Gauge("sockets", "Open sockets", registry=self.registry)

    def share(self, monkeypatch):
        with monkeypatch.context() as patched:
            patched.setattr(os, "getpid", lambda: self.pid)
            shared_metrics.write(self.registry.collect())

    def total(self, monkeypatch):
        with monkeypatch.context() as patched:
            patched.setattr(os, "getpid", lambda: self.pid)
            return {
                (sample.name, *sample.labels.values()): sample.value
                for metric in shared_metrics.total(self.registry.collect())
                for sample in metric.samples
            }


@pytest.fixture
def two(tmp_path, monkeypatch):
    monkeypatch.setenv(METRICS_FOLDER, str(tmp_path))
    found = Process(11), Process(12)
    for number, one in enumerate(found, start=1):
        one.moves.labels("hex").inc(number)
        one.sockets.set(10 * number)
        one.share(monkeypatch)
    return found


def test_every_process_returns_the_sums(two, monkeypatch):
    two[0].moves.labels("hex").inc(5)
    two[0].moves.labels("havannah").inc()
    total = two[0].total(monkeypatch)
    assert total == {("moves_total", "hex"): 8, ("moves_total", "havannah"): 1, ("sockets",): 30}
    assert two[1].total(monkeypatch) == total


def test_counters_survive_their_process_and_gauges_do_not(two, monkeypatch, tmp_path):
    shared_metrics.forget(12)
    shared_metrics.forget(12)
    shared_metrics.forget(13)
    assert two[0].total(monkeypatch) == {("moves_total", "hex"): 3, ("sockets",): 10}
    assert sorted(file.name for file in tmp_path.iterdir()) == ["11.json", "ended.json"]


def test_a_full_disk_keeps_the_previous_values(two, monkeypatch, caplog):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    two[1].moves.labels("hex").inc(100)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", full)
        two[1].share(monkeypatch)
        assert two[1].total(monkeypatch)["moves_total", "hex"] == 103
        assert two[0].total(monkeypatch)["moves_total", "hex"] == 3
    assert "metrics not shared" in caplog.text
    two[1].share(monkeypatch)
    assert two[0].total(monkeypatch)["moves_total", "hex"] == 103


def test_metrics_are_not_mapped_into_memory():
    from prometheus_client import values

    assert values.ValueClass is values.MutexValue
    assert METRICS_FOLDER != "PROMETHEUS_MULTIPROC_DIR"


def test_folders_of_killed_servers_are_removed_but_not_those_in_use(tmp_path, monkeypatch):
    monkeypatch.setattr(serve, "_MEMORY", tmp_path)
    monkeypatch.delenv(METRICS_FOLDER, raising=False)
    stale = tmp_path / "antipodes-metrics-stale"
    stale.mkdir()
    with serve._metrics_folder(), serve._metrics_folder():
        assert not stale.exists()
        assert len(list(tmp_path.iterdir())) == 2
    monkeypatch.delenv(METRICS_FOLDER)
    assert list(tmp_path.iterdir()) == []


def test_counters_of_all_processes_that_have_ended_are_added(two, monkeypatch):
    for pid in (11, 12):
        shared_metrics.forget(pid)
    third = Process(13)
    third.moves.labels("hex").inc(10)
    third.sockets.set(7)
    assert third.total(monkeypatch) == {("moves_total", "hex"): 13, ("sockets",): 7}


def test_files_that_cannot_be_read_are_left_out(two, monkeypatch, tmp_path):
    (tmp_path / "12.json").write_text("[")
    assert two[0].total(monkeypatch) == {("moves_total", "hex"): 1, ("sockets",): 10}


def test_a_process_outside_of_a_server_has_its_own_metrics_alone(two, monkeypatch):
    monkeypatch.delenv(METRICS_FOLDER)
    shared_metrics.forget(12)
    assert two[0].total(monkeypatch) == {("moves_total", "hex"): 1, ("sockets",): 10}


def test_a_total_keeps_types_and_documentation_of_metrics(two):
    found = {
        metric.name: (metric.type, metric.documentation)
        for metric in shared_metrics.total(two[0].registry.collect())
    }
    assert found == {"moves": ("counter", "Moves"), "sockets": ("gauge", "Open sockets")}
