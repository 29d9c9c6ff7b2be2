"""Laws of the kernels that are made ready in the background."""

import threading

import pytest

from antipodes.games.kernels import FAMILIES, jit
from antipodes.games.registry import game_ids, make_game
from antipodes.web.platform import kernel_warmup
from antipodes.web.platform.kernel_warmup import Use


@pytest.fixture
def loaded(monkeypatch):
    """What was loaded, in order; making and loading take no time."""
    order = []
    monkeypatch.setattr(jit, "enabled", lambda: True)
    monkeypatch.setattr(kernel_warmup, "_made", lambda: iter(kernel_warmup._ORDER))
    monkeypatch.setattr(kernel_warmup, "load", lambda use, family: order.append((use, family)))
    return order


def test_what_newcomers_need_is_made_first(loaded):
    kernel_warmup.warm_up().join()
    assert loaded[: len(FAMILIES)] == [(Use.PLAY, family) for family in FAMILIES]
    assert sorted(loaded) == sorted((use, family) for use in Use for family in FAMILIES)


def test_nobody_waits_where_nothing_is_made():
    for game_id in game_ids():
        for use in Use:
            assert not kernel_warmup.is_cold(make_game(game_id), use)


def test_a_game_is_cold_until_its_own_kernels_are_there(loaded, monkeypatch):
    go = threading.Event()
    monkeypatch.setattr(kernel_warmup, "load", lambda use, family: go.wait())
    thread = kernel_warmup.warm_up()
    hexagons = make_game("hex")
    assert kernel_warmup.is_cold(hexagons, Use.PLAY)
    go.set()
    thread.join()
    assert not kernel_warmup.is_cold(hexagons, Use.STUDY)


def test_levels_above_the_usual_wait_for_all_kernels_where_they_know_more():
    sphere = make_game("antipod")
    assert kernel_warmup.use_of(sphere, "computer:1") is Use.PLAY
    assert kernel_warmup.use_of(sphere, "computer:9") is Use.STUDY


def test_nobody_waits_for_ever_for_what_cannot_be_made(loaded, monkeypatch, caplog):
    def fail():
        raise OSError("no room on the disk")

    monkeypatch.setattr(kernel_warmup, "_made", fail)
    kernel_warmup.warm_up().join()
    assert not kernel_warmup.is_cold(make_game("antipode"), Use.PLAY)
    assert "no room on the disk" in caplog.text


def test_the_other_process_tells_of_each_part_in_its_turn(loaded, capsys):
    kernel_warmup.main()
    told = [tuple(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert told == loaded == kernel_warmup._ORDER


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_loaded_is_what_the_usual_levels_use(family, monkeypatch):
    searched = []

    class Told:
        def run(self, limits):
            searched.append(limits)

    monkeypatch.setattr(kernel_warmup, "make_search", lambda position, knowledge: Told())
    kernel_warmup.load(Use.PLAY, family)
    assert searched
