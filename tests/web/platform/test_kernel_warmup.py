"""Tests of the kernel warm-up in the background."""

import io
import json
import subprocess
import sys
import threading
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from antipodes.games import kernels
from antipodes.games.kernels import FAMILIES, jit
from antipodes.games.registry import game_ids, make_game
from antipodes.search import compiling
from antipodes.search.levels import DEFAULT_LEVEL, levels
from antipodes.web.platform import kernel_warmup, pubsub
from antipodes.web.platform.kernel_warmup import Use
from tests.raising import raising


@pytest.fixture
def loaded(monkeypatch):
    """Loaded kernels, in order; compiling and loading take no time."""
    order = []
    monkeypatch.setattr(jit, "enabled", lambda: True)
    monkeypatch.setattr(kernel_warmup, "_compiled", lambda: iter(kernel_warmup._ORDER))
    monkeypatch.setattr(kernel_warmup, "load", lambda use, family: order.append((use, family)))
    monkeypatch.setattr(compiling, "compile_here", lambda _family: None)
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
    monkeypatch.setattr(kernel_warmup, "_compiled", raising(OSError("no room on the disk")))
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

    monkeypatch.setattr(kernel_warmup, "make_search", lambda position, settings: Search())
    kernel_warmup.load(Use.PLAY, family)
    assert searched


@pytest.fixture
def listeners(monkeypatch):
    """The listeners of this process, by kind of message."""
    found: dict[str, Any] = {}
    monkeypatch.setattr(pubsub, "_listeners", found)
    return found


@pytest.fixture
def _nothing_stays_cold():
    yield
    kernel_warmup._cold.clear()


@pytest.mark.usefixtures("_nothing_stays_cold")
def test_a_web_process_waits_for_reports_and_loads_the_rules(loaded, listeners, monkeypatch):
    rules: list[str] = []
    monkeypatch.setattr(kernel_warmup, "are_rules_ready", lambda _family: False)
    monkeypatch.setattr(kernel_warmup, "compiled_rules", rules.append)
    kernel_warmup.listen()
    family = make_game("hex").family
    assert not kernel_warmup.wait_for_all(0)
    kernel_warmup.report_here(Use.PLAY, family)
    assert rules == [family]
    assert not kernel_warmup.is_cold(make_game("hex"), Use.PLAY)
    assert kernel_warmup.is_cold(make_game("hex"), Use.STUDY)
    kernel_warmup.report_here(Use.STUDY, family)
    assert rules == [family]
    assert not kernel_warmup.wait_for_all(0)
    kernel_warmup.report_here(None, "")
    assert kernel_warmup.wait_for_all(0)


@pytest.mark.usefixtures("_nothing_stays_cold")
def test_a_web_process_loads_the_rules_in_the_cache_at_once(loaded, listeners, monkeypatch):
    rules: list[str] = []
    cached = FAMILIES[1:]
    monkeypatch.setattr(kernel_warmup, "are_rules_ready", cached.__contains__)
    monkeypatch.setattr(kernel_warmup, "compiled_rules", rules.append)
    kernel_warmup.listen()
    for thread in threading.enumerate():
        if thread.name == "warm-up":
            thread.join()
    assert rules == [*cached]


@pytest.mark.usefixtures("_nothing_stays_cold")
def test_the_event_loop_of_a_web_process_never_loads_kernels(loaded, listeners, monkeypatch):
    monkeypatch.setattr(kernel_warmup, "are_rules_ready", lambda _family: False)
    kernel_warmup.listen()
    monkeypatch.setattr(
        kernels, "compiled_rules", raising(AssertionError("the event loop would stand still"))
    )
    monkeypatch.setattr(kernels, "_LOADED", {})
    monkeypatch.setattr(kernels._Patience, "calls", 10 * kernels._PATIENCE)
    for family in FAMILIES:
        assert kernels.rules(family) is kernels.plain_rules(family)


def test_without_an_engine_the_kernels_of_rules_are_compiled(loaded, monkeypatch, caplog):
    reports = []

    def report(use, family):
        reports.append((use, family))

    def compiled(*arguments):
        assert arguments == ("rules",)
        yield from kernel_warmup._ORDER[:2]
        raise OSError("no room on the disk")

    monkeypatch.setattr(kernel_warmup, "_compiled", compiled)
    kernel_warmup.warm_up_rules(report)
    assert reports == [*kernel_warmup._ORDER[:2], (None, "")]
    assert "warm-up of rules kernels failed" in caplog.text
    monkeypatch.setattr(jit, "enabled", lambda: False)
    reports.clear()
    kernel_warmup.warm_up_rules(report)
    assert reports == [(None, "")]


def test_a_child_process_compiles_and_ends_with_its_parent(loaded, monkeypatch):
    monkeypatch.setattr("sys.stdout", SimpleNamespace(write=raising(BrokenPipeError)))
    monkeypatch.setattr("os._exit", sys.exit)
    with pytest.raises(SystemExit) as ended:
        kernel_warmup.main()
    assert ended.value.code == 0
    assert len(loaded) == 1


def test_a_report_is_made_of_each_part_and_of_the_end(loaded):
    reports = []
    kernel_warmup.warm_up(lambda use, family: reports.append((use, family))).join()
    assert reports == [*kernel_warmup._ORDER, (None, "")]


def test_parts_are_read_from_a_child_process_of_this_module(monkeypatch):
    started: list[Any] = []

    @contextmanager
    def popen(command, **options):
        started.append((command, options))
        yield SimpleNamespace(stdout=io.StringIO("play hexagons\nstudy squares\n"))
        started.append("ended")

    monkeypatch.setattr(subprocess, "Popen", popen)
    found = list(kernel_warmup._compiled("rules"))
    assert found == [(Use.PLAY, "hexagons"), (Use.STUDY, "squares")]
    command = [sys.executable, "-m", "antipodes.web.platform.kernel_warmup", "rules"]
    assert started == [(command, {"stdout": subprocess.PIPE, "text": True}), "ended"]


def test_a_child_process_for_rules_compiles_them_alone(loaded, monkeypatch, capsys):
    rules: list[str] = []
    monkeypatch.setattr(kernel_warmup, "compiled_rules", rules.append)
    monkeypatch.setattr(sys, "argv", ["kernel_warmup", "rules"])
    kernel_warmup.main()
    reported = [tuple(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert reported == [(Use.PLAY, family) for family in FAMILIES]
    assert (rules, loaded) == (list(FAMILIES), [])


@pytest.mark.parametrize("family", FAMILIES)
def test_loading_for_study_runs_an_analysis_alone(family, monkeypatch):
    analysed: list[Any] = []
    rules: list[str] = []
    monkeypatch.setattr(kernel_warmup, "compiled_rules", rules.append)
    monkeypatch.setattr(kernel_warmup, "analyze", lambda *one, **more: analysed.append((one, more)))
    monkeypatch.setattr(kernel_warmup, "winning_moves", lambda _: pytest.fail("not for study"))
    kernel_warmup.load(Use.STUDY, family)
    [((position,), options)] = analysed
    assert (position.game.family, position.ply) == (family, 0)
    assert options == {"limits": kernel_warmup._FEW, "threats": True}
    assert rules == [family]


def test_players_that_do_not_search_need_no_kernels():
    assert kernel_warmup.use_of(make_game("hex"), "pairing") is None


def test_where_nothing_is_compiled_the_end_alone_is_reported(loaded, monkeypatch):
    monkeypatch.setattr(jit, "enabled", lambda: False)
    reports = []
    kernel_warmup.warm_up(lambda use, family: reports.append((use, family))).join()
    assert (reports, loaded) == ([(None, "")], [])
    assert kernel_warmup.wait_for_all(0)


@pytest.mark.parametrize("pipe", [io.StringIO(), None], ids=["worker", "web process"])
def test_a_worker_reports_kernels_to_its_server(monkeypatch, pipe):
    monkeypatch.setattr(pubsub, "_pipe", pipe)
    kernel_warmup.report_to_server(Use.PLAY, "hex")
    if pipe is not None:
        assert json.loads(pipe.getvalue()) == ["!warm", {"use": "play", "family": "hex"}]


def test_the_child_process_compiles_the_rest_of_the_modules_with_the_kernels_for_study(
    loaded, monkeypatch
):
    monkeypatch.setattr(compiling, "compile_here", loaded.append)
    kernel_warmup.main()
    expected: list[Any] = []
    for use, family in kernel_warmup._ORDER:
        expected += [(use, family), *([family] if use is Use.STUDY else [])]
    assert loaded == expected


@pytest.mark.parametrize("family", FAMILIES)
def test_loading_for_play_uses_what_the_usual_levels_know(family, monkeypatch):
    searched, rules, won = list[Any](), list[str](), list[Any]()

    def make_search(position, settings):
        assert (position.game.family, position.ply) == (family, 0)
        return SimpleNamespace(run=lambda limits: searched.append((settings.knowledge, limits)))

    monkeypatch.setattr(kernel_warmup, "make_search", make_search)
    monkeypatch.setattr(kernel_warmup, "compiled_rules", rules.append)
    monkeypatch.setattr(kernel_warmup, "winning_moves", won.append)
    monkeypatch.setattr(kernel_warmup, "analyze", lambda *_, **__: pytest.fail("not for play"))
    kernel_warmup.load(Use.PLAY, family)
    game = make_game(next(one for one in game_ids() if make_game(one).family == family))
    skills = [level.skill(game) for level in levels()[:DEFAULT_LEVEL]]
    known = {skill.knowledge for skill in skills}
    known |= {False} if any(skill.haste for skill in skills) else set()
    assert sorted(searched) == [(one, kernel_warmup._FEW) for one in sorted(known)]
    assert (rules, len(won)) == ([family], 1)
