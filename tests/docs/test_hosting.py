"""Tests of the page for hosts: its table of environment variables is complete."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from antipodes.web.platform import env_file
from tests.docs.pages import DOCS, text_of

ROOT = Path(__file__).resolve().parents[2]

# Read by the command line, and by uvicorn.
ELSEWHERE = {"ANTIPODES_ENV_FILE", "FORWARDED_ALLOW_IPS"}
OF_THE_SYSTEM = {"NOTIFY_SOCKET"}  # set by systemd
SHOW = "import json, os, sys; print(json.dumps({n: os.environ[n] for n in sys.argv[1:]}))"


def is_environment(node):
    text = ast.unparse(node.func)
    return re.fullmatch(r"env\.\w+|os\.environ\.get|config\.env\.\w+", text) is not None


def read_by_the_site():
    texts = [path.read_text("utf-8") for path in (ROOT / "src/antipodes/web").rglob("*.py")]
    return {
        node.args[0].value
        for text in texts
        if re.search(r"\benv(\.|iron\.)", text)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and is_environment(node) and node.args
        if isinstance(node.args[0], ast.Constant)
    }


def test_the_table_of_variables_is_complete():
    table = text_of(DOCS / "hosting.md").partition("## Variables")[2]
    listed = re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) - ELSEWHERE == read_by_the_site() - OF_THE_SYSTEM


def test_the_example_file_has_known_variables_only():
    text = (ROOT / "deploy/antipodes.env.example").read_text(encoding="utf-8")
    named = set(re.findall(r"^#?([A-Z_]+)=", text, re.MULTILINE))
    table = text_of(DOCS / "hosting.md").partition("## Variables")[2]
    listed = set(re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE))
    assert named <= listed | {"POSTGRES_PASSWORD", "REDIS_PASSWORD", "SITE_ADDRESS"}


def example_lines():
    """Return the lines of the example with a value, including commented ones."""
    text = (ROOT / "deploy/antipodes.env.example").read_text(encoding="utf-8")
    return re.findall(r"^#?([A-Z_]+=.*)$", text, re.MULTILINE)


def documented_lines():
    """Return the lines that the page for hosts shows."""
    block = re.search(
        r"^```\n(ANTIPODES_DATA=.*?)^```", text_of(DOCS / "hosting.md"), re.MULTILINE | re.DOTALL
    )
    assert block is not None
    return block[1].splitlines()


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
@pytest.mark.parametrize("lines", [example_lines(), documented_lines()], ids=["example", "page"])
def test_a_shell_and_the_commands_read_the_same_settings(tmp_path, lines, monkeypatch):
    assert any(line.startswith("MAIL_FROM=") for line in lines)
    file = tmp_path / "antipodes.env"
    file.write_text("\n".join(lines) + "\n")
    assert env_file.ambiguous_lines(file) == []
    names = [line.partition("=")[0] for line in lines]
    script = f"set -a; . {file}; exec {sys.executable} -c '{SHOW}' {' '.join(names)}"
    done = subprocess.run(["/bin/sh", "-c", script], capture_output=True, text=True, check=True)
    for name in names:
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setattr(env_file, "source", env_file.Source())
    env_file.load(str(file))
    assert json.loads(done.stdout) == {name: os.environ[name] for name in names}


def test_the_container_image_has_all_files_that_the_documentation_includes():
    image = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8")
    copied = [ROOT / name for name in re.findall(r"^COPY (\S+) /source/", image, re.MULTILINE)]
    for page in DOCS.rglob("*.md"):
        for name in re.findall(r"include\} (\S+)", text_of(page)):
            file = (page.parent / name).resolve()
            assert any(file.is_relative_to(folder) for folder in copied), f"{page.name}: {name}"


def test_containers_have_few_rights():
    image = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^USER (.+)$", image) == ["10001"]
    compose = (ROOT / "deploy/compose.yaml").read_text(encoding="utf-8")
    services = compose.partition("\nservices:\n")[2].partition("\nnetworks:\n")[0]
    for service in re.split(r"(?m)^  (?=\w+:$)", services)[1:]:
        assert re.search(r"<<: \*(site|hardened)\n", service), service
    hardened = compose.partition("x-hardened:")[2].partition("\n\n")[0]
    for line in ("read_only: true", "cap_drop: [ALL]", "no-new-privileges:true", "pids_limit:"):
        assert line in hardened
    assert compose.count("mem_limit:") == 1 + len(re.findall(r"(?m)^    <<: \*hardened", services))
