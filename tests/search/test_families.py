"""A family of kernels that the search does not know is played and analysed."""

import json
import sys
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from antipodes.engine import GtpEngine
from antipodes.games import registry
from antipodes.games.conformance import check_game
from antipodes.games.kernels import FAMILIES, edition
from antipodes.games.registry import game_class, game_ids
from antipodes.search.analysis import analyze
from antipodes.search.factory import make_search
from antipodes.search.families import given_kernels, playout_kernel, search_family
from antipodes.search.interface import Limits, SearchSettings
from antipodes.search.levels import levels
from antipodes.search.plain import PlainSearch
from antipodes.search.players import make_player
from tests.search import corners
from tests.search.corners import Corners

KERNELS = "antipodes.games.kernels.corners"


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    """Register the game, and its kernels as a module of the package of kernels."""
    if KERNELS not in sys.modules:
        spec = spec_from_file_location(KERNELS, Path(__file__).with_name("corners_kernels.py"))
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        sys.modules[KERNELS] = module
        spec.loader.exec_module(module)
    monkeypatch.setitem(registry._GAMES, "corners", "corners:Corners")
    monkeypatch.setitem(sys.modules, "antipodes.games.corners", corners)


def test_the_made_up_game_passes_the_conformance_checks():
    assert check_game(Corners(size=3), games=2, positions=4).games == 2


def test_only_families_with_an_entry_have_a_search_of_their_own():
    assert all(search_family(family) for family in FAMILIES)
    assert search_family("corners") is None
    for knowledge in (True, False):
        search = make_search(Corners().initial(), SearchSettings(threads=2, knowledge=knowledge))
        assert isinstance(search, PlainSearch)
    with pytest.raises(ValueError, match="no kernel for random games"):
        playout_kernel("corners")


@pytest.mark.parametrize("game_id", game_ids())
def test_entries_name_modules_that_exist(game_id):
    game = game_class(game_id)()
    assert callable(playout_kernel(game.family))
    assert all(map(callable, given_kernels(game.family)["step"]))


def test_every_level_plays_a_family_without_a_search():
    for level in levels():
        player = make_player(f"computer:{level.number}", seed=1)
        player.allot(0.05)
        position = Corners().initial()
        while position.outcome is None:
            position = position.play(player.choose(position))


def test_a_family_without_a_search_is_analysed():
    game = Corners(size=3)
    black_has_a_corner = game.initial().play("a1").play("b2")
    result = analyze(black_has_a_corner, limits=Limits(visits=2_000), threats=True)
    assert result.best is not None
    assert black_has_a_corner.format_move(result.best.move) in {"a3", "c1", "c3"}
    assert result.value > 0.9
    json.dumps(result.as_dict())


def test_searches_of_a_family_without_a_search_keep_their_time():
    began = time.monotonic()
    make_search(Corners(size=8).initial()).run(Limits(seconds=0.2))
    analyze(Corners(size=8).initial(), limits=Limits(seconds=0.2), threats=True)
    assert time.monotonic() - began < 5


def test_gtp_plays_and_analyses_a_family_without_a_search():
    engine = GtpEngine(Corners(size=3), lambda: make_player("computer:2", seed=1))
    while (color := (engine.handle_line("to_move") or "")[2:]) != "none":
        assert (engine.handle_line(f"genmove {color}") or "").startswith("= ")
    assert (engine.handle_line("winner") or "").startswith("= ")


def test_kernels_that_the_build_does_not_know_stay_plain():
    kernels = sys.modules[KERNELS]
    assert edition(kernels, "play") is vars(kernels)["play"]
