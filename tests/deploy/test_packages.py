"""Tests of what `make dist` builds: it is complete, and extras are optional.

Dependencies come from the Python Package Index, or from uv's cache.
"""

import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from tools.compiler import native, wasm

ROOT = Path(__file__).resolve().parents[2]
_TIMEOUT = 600  # seconds for building and installing
GAME = ("play", "hex", "--set", "size=3", "--level", "1", "--line")


def run(*command, text="", **more):
    """Run a program outside the checkout's environment."""
    ours = {"VIRTUAL_ENV", "PYTHONPATH", "DJANGO_SETTINGS_MODULE", "SECRET_KEY"}
    clean = {name: value for name, value in os.environ.items() if name not in ours}
    return subprocess.run(
        [str(word) for word in command],
        input=text,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT,
        check=False,
        env=clean | {name: str(value) for name, value in more.items()},
    )


def uv(*arguments):
    done = run(Path(sys.executable).with_name("uv"), *arguments)
    if done.returncode and re.search("error sending request|dns error|Connect", done.stderr):
        pytest.skip("the Python Package Index does not answer")
    assert done.returncode == 0, done.stderr
    return done.stdout


class Environment:
    """A virtual environment with the wheel."""

    def __init__(self, folder, wheel, *more):
        self.folder = folder
        self.python = folder / "bin/python"
        uv("venv", "--seed", "--python", sys.executable, folder)
        uv("pip", "install", "--quiet", "--python", self.python, wheel, *more)

    def call(self, *arguments, text="", **more):
        folder = {"ANTIPODES_DATA": self.folder / "data", "HOME": self.folder}
        return run(self.folder / "bin/antipodes", *arguments, text=text, **folder, **more)

    def can_import(self, name):
        return run(self.python, "-c", f"import {name}").returncode == 0


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder that `make dist` fills."""
    folder = tmp_path_factory.mktemp("dist")
    done = run("make", "--silent", "-C", ROOT, "dist", f"DIST={folder}")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(built):
    [found] = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def plain(wheel, tmp_path_factory):
    """An environment without any extra."""
    return Environment(tmp_path_factory.mktemp("plain") / "env", wheel)


def test_the_source_archive_has_every_file_that_the_checkout_has(built):
    listed = run("git", "-C", ROOT, "ls-files").stdout.splitlines()
    if not listed:
        pytest.skip("this is not a checkout")
    [archive] = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {name for name in listed if (ROOT / name).exists()} - names == set()


def test_a_plain_wheel_plays_without_any_extra(plain):
    for name in ("textual", "rich", "django", "httpx", "redis"):
        assert not plain.can_import(name), name
    done = plain.call(*GAME, text="b2\nquit\n")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("Warning") == 0, done.stderr
    assert plain.call("gtp", "hex", "--level", "1", text="genmove black\nquit\n").returncode == 0


def test_constraints_install_a_site_in_the_tested_versions(built, wheel, tmp_path):
    constraints = built / "constraints.txt"
    site = Environment(tmp_path / "env", f"{wheel}[site]", "--constraint", constraints)
    tested = set(constraints.read_text(encoding="utf-8").splitlines())
    listed = uv("pip", "freeze", "--python", site.python, "--exclude", "antipodes").splitlines()
    others = {line for line in listed if not line.startswith(("antipodes ", "pip==", "setuptools"))}
    assert {line for line in others if not any(known.startswith(line) for known in tested)} == set()
    assert any(line.startswith("django==") for line in others)


def test_the_bill_of_materials_names_each_package_of_the_constraints(built):
    bill = json.loads((built / "sbom.cdx.json").read_text(encoding="utf-8"))
    named = {f"{one['name']}=={one['version']}" for one in bill["components"]}
    lines = (built / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert {line.partition(" ;")[0] for line in lines} <= named


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (("serve",), "site"),
        (("doctor",), "site"),
        (("play", "hex", "--full-screen"), "terminal"),
        (("bot", "--url", "https://x.example", "--token", "t"), "bot"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_plain_wheel_names_the_extra_that_a_command_needs(plain, arguments, extra):
    done = plain.call(*arguments)
    assert done.returncode == 2
    assert f"pip install 'antipodes[{extra}]'" in done.stderr


def test_the_pip_command_in_errors_adds_an_extra(plain):
    """It works without the package on the index, since the installed one satisfies it."""
    command = (plain.python, "-m", "pip", "install", "--dry-run", "antipodes[terminal]")
    done = run(*command)
    assert done.returncode == 0, done.stderr
    assert re.search(r"Would install .*textual", done.stdout), done.stdout
    assert "Requirement already satisfied: antipodes[terminal]" in done.stdout


def test_the_wheel_has_the_native_kernels_and_says_for_which_system(wheel, plain):
    assert wheel.name.endswith(f"-cp311-abi3-{native.this_system()}.whl")
    assert "antipodes/_kernels.abi3.so" in ZipFile(wheel).namelist()
    engine = (wasm.STATIC / "placement.wasm").relative_to(ROOT / "src")
    assert str(engine) in ZipFile(wheel).namelist()
    code = "from antipodes.games.kernels import native; print(native.enabled())"
    assert run(plain.python, "-W", "error", "-c", code).stdout == "True\n"


def test_the_wheel_has_the_compiled_translations_of_each_language(wheel):
    locale = ROOT / "src/antipodes/web/locale"
    languages = {path.name for path in locale.iterdir() if path.is_dir()}
    compiled = [name for name in ZipFile(wheel).namelist() if name.endswith("/django.mo")]
    assert {name.split("/")[-3] for name in compiled} == languages


def test_the_wheel_with_the_site_extra_passes_the_doctor(wheel, tmp_path):
    environment = Environment(tmp_path / "env", f"{wheel}[site]")
    assert not environment.can_import("textual")
    assert not environment.can_import("redis")
    done = environment.call("migrate", DATABASE_URL="", REDIS_URL="")
    assert done.returncode == 0, done.stderr
    done = environment.call("doctor", DATABASE_URL="", REDIS_URL="")
    assert done.returncode == 0, done.stdout + done.stderr
