"""Tournaments on PostgreSQL whose steps several workers take at the same time."""

import json
import subprocess
import sys

from tests.live import tournaments

SECONDS = 120
FORMATS = {
    "round-robin": {},
    "swiss": {"rounds": 3},
    "rolling-swiss": {"games_each": 2},
    "knockout": {},
    "team-match": {"cycles": 2},
    "tables": {"rounds": 2},
    "ladder": {},
}
LOAD = "from antipodes.web.server.serve import load\nload()\n"


def begin(site, name, code):
    """Run Python code with Django set up in another process."""
    program = site.folder / f"{name}.py"
    program.write_text(f"{LOAD}SECONDS = {SECONDS}\n{code}\n", encoding="utf-8")
    return subprocess.Popen([sys.executable, str(program)], env=site.environment)


def test_two_workers_take_each_step_once(seeded):
    site, _ = seeded
    site.run_code(f"FORMATS = {FORMATS!r}\n{tournaments.MAKE}")
    play = (
        f"CHALLENGES = {tournaments.CHALLENGES}\n{tournaments.PLAY}\nimport time\n"
        "end = time.monotonic() + SECONDS\n"
        "while play_once() and time.monotonic() < end:\n    time.sleep(0.05)"
    )
    processes = [
        begin(site, "first", tournaments.WORK),
        begin(site, "second", tournaments.WORK),
        begin(site, "players", play),
    ]
    assert [one.wait(2 * SECONDS) for one in processes] == [0, 0, 0]
    found = json.loads(site.run_code(f"{tournaments.LOOK}\nimport json\nprint(json.dumps(found))"))
    assert {one["format"]: one["state"] for one in found} == dict.fromkeys(FORMATS, "finished")
    for one in found:
        tournaments.check({**one, "lost": 0})  # the seeded matches belong to no tournament
