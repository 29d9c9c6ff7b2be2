"""Everything runs without the native edition, slower, and says so once."""

import os
import subprocess
import sys

BLOCK = "import sys; sys.modules['antipodes._kernels'] = None\n"
COMMAND = BLOCK + "from antipodes.cli import main; sys.argv[0] = 'antipodes'; sys.exit(main())"
COMMANDS = [
    ["games"],
    ["perft", "hex", "--set", "size=3", "2"],
    ["solve", "hex", "--set", "size=3", "--set", "swap=off"],
    ["analyze", "hex", "--set", "size=4", "--visits", "20"],
]


def run(*arguments, stdin="", ok=True):
    """Run Python without the native edition; return standard output and standard error."""
    found = subprocess.run(
        [sys.executable, *arguments],
        env={key: value for key, value in os.environ.items() if key != "ANTIPODES_PLAIN"},
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in found.stderr, found.stderr
    assert (found.returncode == 0) == ok, found.stderr
    return found.stdout, found.stderr


def test_the_library_plays_and_warns_once():
    script = """
import antipodes
from antipodes.search.players import make_player
for game_id in ("antipod", "antipalos", "antipode", "hex", "cylindrical-hex"):
    position = antipodes.make_game(game_id).initial()
    assert make_player("computer:3", 1).choose(position) in position.legal_moves
game = antipodes.make_game("hex", {"size": 3, "swap": "off"})
print(antipodes.analyze(game.initial(), limits=antipodes.Limits(visits=50)).best.move)
"""
    _, told = run("-c", BLOCK + script)
    assert told.count("make setup") == 1


def test_commands_run_without_the_native_edition():
    """All in one process: most of the time would go to starting it."""
    script = f"""
import contextlib, io
from antipodes.cli import main
for arguments in {COMMANDS}:
    sys.argv = ["antipodes", *arguments]
    with contextlib.redirect_stdout(io.StringIO()) as told:
        try:
            code = main()
        except SystemExit as end:
            code = end.code
    assert not code, (arguments, code)
    assert told.getvalue(), arguments
"""
    run("-c", BLOCK + script)


def test_gtp_plays_without_the_native_edition():
    out, _ = run("-c", COMMAND, "gtp", "hex", "--level", "2", stdin="genmove black\nquit\n")
    assert out.startswith("= ")
