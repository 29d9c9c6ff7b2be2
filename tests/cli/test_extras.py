"""Tests of the extras: commands work without them, or name the missing one."""

import subprocess
import sys

import pytest

from tests.cli.forks import CAN_FORK, Forks
from tests.cli.tools import environment

EXTRAS = {
    "terminal": ("textual", "rich"),
    "site": ("django", "channels", "dotenv", "environ", "limits", "uvicorn"),
    "simulate": ("lxml", "time_machine"),
    "scale": ("redis", "psycopg", "channels_redis"),
    "bot": ("httpx",),
    "lab": ("dask", "distributed", "fpdf"),
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


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """A function that runs a command without any extra: exit code, output, errors."""
    if not CAN_FORK:

        def run(*arguments, data=b""):
            done = without(EXTRAS, *arguments, text=data.decode())
            return done.returncode, done.stdout, done.stderr

        yield run
        return
    names = [name for extra in EXTRAS.values() for name in extra]
    # Packages that all commands have; none of them is imported before the others are blocked.
    imports = BLOCK.format(names=names) + "import numpy, antipodes.games.registry\n"
    forks = Forks(tmp_path_factory.mktemp("bare"), environment(), imports=imports)
    yield forks.call
    forks.end()


@pytest.mark.parametrize(
    ("extra", "arguments"),
    [
        ("terminal", ("play", "hex", "--full-screen")),
        ("site", ("serve",)),
        ("site", ("work",)),
        ("site", ("migrate",)),
        ("site", ("doctor",)),
        ("site", ("simulate",)),
        ("site", ("createsuperuser",)),
        ("site", ("mail", "read")),
        ("bot", ("bot", "--url", "https://x.example", "--token", "t")),
        ("bot", ("tournament", "list", "--url", "https://x.example")),
        ("train", ("train", "plan.toml", "--out", "folder")),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value[:2]),
)
def test_a_missing_extra_is_named_with_the_command_to_install_it(bare, extra, arguments):
    code, _, errors = bare(*arguments)
    assert code == 2, errors
    assert f"install it with: pip install 'antipodes[{extra}]'" in errors
    assert "Traceback" not in errors


def test_mail_is_deferred_while_the_site_is_not_installed(bare):
    to = ("mail", "deliver", "--recipient", "play@x.example")
    code, _, errors = bare(*to, data=b"Subject: x\n\n")
    assert code == 75
    assert "antipodes[site]" in errors


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
def test_other_commands_work_without_any_extra(bare, arguments, text):
    code, output, errors = bare(*arguments, data=text.encode())
    assert code == 0, errors
    assert output


def test_plots_are_svg_alone_without_the_extra_for_pdf(bare, tmp_path):
    arguments = ("--html", str(tmp_path / "report.html"), "--figures", str(tmp_path / "figures"))
    code, _, errors = bare("lab", "report", *arguments)
    assert code == 0, errors
    assert "install it with: pip install 'antipodes[lab]'" in errors
    assert {path.suffix for path in (tmp_path / "figures").iterdir()} == {".svg"}
