"""Bots play on a real server: two against each other, and the documented one."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest

from antipodes.cli.bot.host import Bot, BotSettings
from antipodes.cli.site_client import Site, SiteError
from tests.live import database
from tests.live.site import Site as Server

DRAWS = ("agreement", "full-board", "repetition", "move-limit")

pytestmark = pytest.mark.slow

PATIENCE = 180  # seconds for a whole game, on a busy machine
GAMES = {
    "hex": {"size": 4},
    "antipode": {},
    "antipalos": {"ruleset": "mail", "size": 4},
    "cylindrical-hex": {"rows": 4, "columns": 4},
    "antipod": {"side": 4},
}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A running site, and the tokens of its bots."""
    folder = tmp_path_factory.mktemp("bots")
    server = Server(folder / "data", folder / "log")
    server.set_environment(ANTIPODES_PLAIN="1")  # kernels are for the computer's levels
    database.copy_to(server.folder)
    environment = {**os.environ, "ANTIPODES_DATA": str(server.folder)}
    for name in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL"):
        environment.pop(name, None)
    program = [sys.executable, str(Path(__file__).with_name("seed_bots.py")), "deep", "shallow"]
    seeded = subprocess.run(program, env=environment, check=True, capture_output=True, text=True)
    server.start()
    yield server, json.loads(seeded.stdout)
    server.stop()


@pytest.mark.extreme  # some of what the documented bot does, for each game
@pytest.mark.parametrize("game", GAMES)
def test_two_bots_play_a_whole_game(served, game):
    server, tokens = served
    output: list[str] = []
    seek = {"game": game, "options": GAMES[game], "opponent": "anybody", "rated": True}
    bots = [
        Bot(
            Site(server.url(""), tokens["deep"]),
            BotSettings(level="2", accepts="none", seek=seek, stop_after=1),
            output.append,
        ),
        Bot(
            Site(server.url(""), tokens["shallow"]),
            BotSettings(level="1", accepts="open", plays=frozenset({game}), stop_after=1),
            output.append,
        ),
    ]
    threads = [threading.Thread(target=run, args=(bot,), daemon=True) for bot in bots]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive(), output
    headers = {"Authorization": f"Bearer {tokens['deep']}"}
    ended = httpx.get(server.url("/api/v1/matches?state=ended"), headers=headers).json()["matches"]
    last = ended[0]
    assert (last["game"], last["rated"]) == (game, True)
    assert {seat["name"] for seat in last["seats"]} == {"deep", "shallow"}
    view = httpx.get(server.url(f"/api/v1/matches/{last['slug']}")).json()
    assert view["winner"] or view["reason"] in DRAWS, view["result"]
    assert all(seat["name"].endswith("(bot)") for seat in view["seats"])


def start(command, environment):
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True)


def run(bot):
    try:
        bot.greet()
        bot.play()
    finally:
        bot.leave()


def greet(url, token):
    """Connect a bot to a site that refuses it."""
    bot = Bot(Site(url, token), BotSettings(level="1"), print)
    try:
        bot.greet()
    finally:
        bot.leave()


def test_a_wrong_token_or_address_is_reported(served):
    server, _tokens = served
    with pytest.raises(SiteError, match="unknown, expired or revoked"):
        greet(server.url(""), "atp_wrong")
    with pytest.raises(SiteError, match="there is no answer from"):
        greet("http://127.0.0.1:9", "atp_wrong")
    with pytest.raises(SiteError, match="begins with http"):
        Site("example.org", "atp_wrong")


def test_the_documented_bot_plays(served):
    server, tokens = served
    page = (Path(__file__).parents[3] / "docs/bots.md").read_text(encoding="utf-8")
    [program] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len([line for line in program.splitlines() if line]) <= 40
    environment = {**os.environ, "SITE": server.url(""), "TOKEN": tokens["shallow"]}
    bot = start([sys.executable, "-c", program], environment)
    headers = {"Authorization": f"Bearer {tokens['deep']}"}
    with httpx.Client(base_url=server.url("/api/v1/"), headers=headers) as api:
        invitation = {"opponent": "people", "people": ["shallow"], "options": {"size": 3}}
        made = api.post("challenges", json={"game": "hex", **invitation}).raise_for_status().json()
        challenge = f"challenges/{made['challenge']['slug']}"
        wait_for(lambda: api.get(challenge).json()["match"])
        match = f"matches/{api.get(challenge).json()['match']}"
        while (state := api.get(match).json())["result"] is None:
            if state["toMove"] in state["own"]:
                api.post(f"{match}/moves", json={"move": state["legal"][0][0]})
            time.sleep(0.05)
    assert bot.stdout.readline() == f"over: {state['slug']}\n"
    bot.kill()
    bot.communicate()


def test_ctrl_c_ends_the_command_and_cancels_its_challenge(served, tmp_path):
    server, tokens = served
    file = tmp_path / "token"
    file.write_text(tokens["deep"])
    command = [sys.executable, "-m", "antipodes", "bot", "--url", server.url(""), "--token"]
    command += [f"@{file}", "--seek", "hex", "--set", "size=5", "--control", "5m+3s"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    bot = start(command, environment)
    with httpx.Client() as api:  # making one takes longer than a request
        address = server.url("/api/v1/challenges?which=open")
        wait_for(lambda: [one["control"] for one in api.get(address).json()] == ["5m+3s"])
        bot.send_signal(signal.SIGINT)
        out, err = bot.communicate(timeout=60)
        assert (bot.returncode, err) == (0, ""), out + err
        assert "deep (bot) is at" in out
        assert "stopped" in out
        assert api.get(address).json() == []


@pytest.mark.extreme
def test_bots_reconnect_after_a_restart_of_the_server(served):
    server, tokens = served
    output: list[str] = []
    challenge = {"game": "hex", "options": {"size": 4}, "opponent": "computer", "level": 1}
    bot = Bot(
        Site(server.url(""), tokens["deep"]),
        BotSettings(level="1", accepts="none", stop_after=1),
        output.append,
    )
    thread = threading.Thread(target=run, args=(bot,), daemon=True)
    thread.start()
    wait_for(lambda: output)
    server.restart()
    headers = {"Authorization": f"Bearer {tokens['deep']}"}
    challenges = server.url("/api/v1/challenges")
    httpx.post(challenges, json=challenge, headers=headers, timeout=PATIENCE).raise_for_status()
    thread.join(PATIENCE)
    assert not thread.is_alive(), output
    assert any("connection is lost" in line for line in output)


def wait_for(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)
