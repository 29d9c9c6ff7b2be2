"""Tests of the extras: commands work without them, or name the missing one."""

import subprocess
import sys

import pytest

EXTRAS = {
    "engine": ("numba", "llvmlite"),
    "terminal": ("textual", "rich"),
    "site": ("django", "channels", "dotenv", "environ", "limits", "uvicorn"),
    "scale": ("redis", "psycopg", "channels_redis"),
    "bot": ("httpx",),
    "lab": ("dask", "distributed", "pyarrow"),
    "net": ("openvino",),
    "train": ("torch",),
}
BLOCK = "import sys; sys.modules.update(dict.fromkeys({names!r}, None))\n"
COMMAND = "from antipodes.cli import main; sys.argv[0] = 'antipodes'; sys.exit(main())"


def without(extras, *arguments, text=""):
    """Run a command that cannot import the packages of some extras."""
    names = [name for extra in extras for name in EXTRAS[extra]]
    return subprocess.run(
        [sys.executable, "-c", BLOCK.format(names=names) + COMMAND, *arguments],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("extra", "arguments"),
    [
        ("terminal", ("play", "hex", "--full-screen")),
        ("site", ("serve",)),
        ("site", ("work",)),
        ("site", ("migrate",)),
        ("site", ("doctor",)),
        ("site", ("createsuperuser",)),
        ("site", ("mail", "read")),
        ("bot", ("bot", "--url", "https://x.example", "--token", "t")),
        ("bot", ("tournament", "list", "--url", "https://x.example")),
        ("train", ("train", "plan.toml", "--out", "folder")),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value[:2]),
)
def test_a_missing_extra_is_named_with_the_command_to_install_it(extra, arguments):
    done = without(EXTRAS, *arguments)
    assert done.returncode == 2, done.stderr
    assert f"install it with: pip install 'antipodes[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_mail_is_deferred_while_the_site_is_not_installed():
    done = without(
        EXTRAS, "mail", "deliver", "--recipient", "play@x.example", text="Subject: x\n\n"
    )
    assert done.returncode == 75
    assert "antipodes[site]" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("games",), ""),
        (("play", "hex", "--set", "size=3", "--level", "1", "--line"), "b2\nquit\n"),
        (("perft", "hex", "--set", "size=3", "2"), ""),
        (("gtp", "hex", "--level", "1"), "genmove black\nquit\n"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_other_commands_work_without_any_extra(arguments, text):
    done = without(EXTRAS, *arguments, text=text)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_without_the_network_the_highest_level_searches_as_other_games_do():
    done = without(
        ["net"], "gtp", "hex", "--set", "size=3", "--level", "9", text="genmove b\nquit\n"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("= ")
