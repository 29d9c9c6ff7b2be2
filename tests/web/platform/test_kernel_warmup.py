"""Tests of the kernel warm-up in the background."""

import threading

import pytest

from antipodes.games.kernels import FAMILIES, jit
from antipodes.games.registry import game_ids, make_game
from antipodes.web.platform import kernel_warmup
from antipodes.web.platform.kernel_warmup import Use


@pytest.fixture
def loaded(monkeypatch):
    """Loaded kernels, in order; compiling and loading take no time."""
    order = []
    monkeypatch.setattr(jit, "enabled", lambda: True)
    monkeypatch.setattr(kernel_warmup, "_compiled", lambda: iter(kernel_warmup._ORDER))
    monkeypatch.setattr(kernel_warmup, "load", lambda use, family: order.append((use, family)))
    return order


def test_kernels_for_new_players_are_loaded_first(loaded):
    kernel_warmup.warm_up().join()
    assert loaded[: len(FAMILIES)] == [(Use.PLAY, family) for family in FAMILIES]
    assert sorted(loaded) == sorted((use, family) for use in Use for family in FAMILIES)


def test_no_game_is_cold_where_nothing_is_compiled():
    for game_id in game_ids():
        for use in Use:
            assert not kernel_warmup.is_cold(make_game(game_id), use)


def test_a_game_is_cold_until_its_kernels_are_loaded(loaded, monkeypatch):
    go = threading.Event()
    monkeypatch.setattr(kernel_warmup, "load", lambda use, family: go.wait())
    thread = kernel_warmup.warm_up()
    hexagons = make_game("hex")
    assert kernel_warmup.is_cold(hexagons, Use.PLAY)
    go.set()
    thread.join()
    assert not kernel_warmup.is_cold(hexagons, Use.STUDY)


def test_high_levels_need_the_kernels_for_analysis():
    sphere = make_game("antipod")
    assert kernel_warmup.use_of(sphere, "computer:1") is Use.PLAY
    assert kernel_warmup.use_of(sphere, "computer:9") is Use.STUDY


def test_no_game_stays_cold_when_compiling_fails(loaded, monkeypatch, caplog):
    def fail():
        raise OSError("no room on the disk")

    monkeypatch.setattr(kernel_warmup, "_compiled", fail)
    kernel_warmup.warm_up().join()
    assert not kernel_warmup.is_cold(make_game("antipode"), Use.PLAY)
    assert "no room on the disk" in caplog.text


def test_the_child_process_reports_each_part_in_order(loaded, capsys):
    kernel_warmup.main()
    reported = [tuple(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert reported == loaded == kernel_warmup._ORDER


@pytest.mark.parametrize("family", FAMILIES)
def test_loading_runs_the_search_of_the_usual_levels(family, monkeypatch):
    searched = []

    class Search:
        def run(self, limits):
            searched.append(limits)

    monkeypatch.setattr(kernel_warmup, "make_search", lambda position, knowledge: Search())
    kernel_warmup.load(Use.PLAY, family)
    assert searched
