"""Tests of workflows and hooks: they call make targets, and actions are pinned."""

import re
import subprocess
import sys

import pytest

from tests.project.test_layout import ROOT, pyproject, relative

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
HOOKS = ROOT / ".pre-commit-config.yaml"
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))

workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=relative)


def targets_of(path):
    """Return the make targets that a file calls, without variables such as RANGE=..."""
    commands = re.findall(r"\bmake ((?:[a-z-]+ ?)+)", path.read_text(encoding="utf-8"))
    return {word for command in commands for word in command.split() if word[0] != "-"}


@pytest.mark.parametrize("path", [*WORKFLOWS, HOOKS], ids=relative)
def test_make_has_the_targets_that_are_called(path):
    assert targets_of(path)
    assert targets_of(path) <= TARGETS


@workflow
def test_actions_are_pinned_to_commits_with_their_version_beside_them(path):
    uses = re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))
    assert uses
    for action in uses:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


def test_an_action_has_one_version_everywhere():
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    pins = set(re.findall(r"uses: ([\w./-]+)@([0-9a-f]{40})", text))
    assert len(pins) == len(dict(pins))


@workflow
def test_workflows_have_no_permissions_and_jobs_only_those_they_need(path):
    text = path.read_text(encoding="utf-8")
    assert re.search(r"^permissions: \{\}$", text, re.MULTILINE)
    jobs = re.split(r"^  [a-z]+:\n", text.partition("\njobs:\n")[2], flags=re.MULTILINE)[1:]
    for job in jobs:
        assert re.search(r"    permissions:\n      contents: (read|write # .+)\n", job)
        assert "    timeout-minutes: " in job


def test_tests_run_on_every_supported_version_of_python():
    text = (ROOT / ".github/workflows/checks.yml").read_text(encoding="utf-8")
    (matrix,) = re.findall(r"python: \[(.+)\]", text)
    project = pyproject()["project"]
    tested = re.findall(r"\d\.\d+", matrix)
    supported = [line.rpartition(" ")[2] for line in project["classifiers"] if ":: 3." in line]
    assert set(supported) <= set(tested)
    assert project["requires-python"] == f">={tested[0]}"


def test_a_release_is_tagged_with_its_version():
    version = pyproject()["project"]["version"]
    for tag, status in ((f"v{version}", 0), ("v99.0.0", 2), ("v$(shell echo)", 2)):
        done = subprocess.run(
            ["make", "release-tag"],
            cwd=ROOT,
            env={"TAG": tag, "PATH": "/usr/bin:/bin"},
            check=False,
        )
        assert done.returncode == status, tag


def test_the_citation_names_this_version_and_its_addresses():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    project = pyproject()["project"]
    assert f"\nversion: {project['version']}\n" in text
    assert f"\nlicense: {project['license']}\n" in text
    assert f"\nurl: {project['urls']['Homepage']}\n" in text
    assert f"\nrepository-code: {project['urls']['Source']}\n" in text


def test_units_and_issue_forms_lead_to_the_documentation_of_the_project():
    docs = pyproject()["project"]["urls"]["Documentation"]
    for path in (ROOT / "deploy/systemd").glob("*.*"):
        assert f"\nDocumentation={docs}hosting.html\n" in path.read_text(encoding="utf-8")
    form = (ROOT / ".github/ISSUE_TEMPLATE/config.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"url: (\S+/docs/)", form)) == {docs}


def test_addresses_in_the_documentation_of_the_project_have_a_page():
    urls = pyproject()["project"]["urls"]
    form = (ROOT / ".github/ISSUE_TEMPLATE/config.yml").read_text(encoding="utf-8")
    named = [*urls.values(), *re.findall(r"url: (\S+)", form)]
    pages = re.findall(rf"{re.escape(urls['Documentation'])}([\w/-]+)\.html", " ".join(named))
    assert "changelog" in pages
    assert [page for page in pages if not (ROOT / f"docs/{page}.md").exists()] == []


@pytest.mark.slow
def test_the_hooks_can_be_installed_and_check_a_message(tmp_path):
    """In a temporary repository, whose .venv is this environment."""
    repository = tmp_path / "clone"
    (repository / "tools").mkdir(parents=True)
    (repository / "tools/commit_message.py").write_bytes(
        (ROOT / "tools/commit_message.py").read_bytes()
    )
    (repository / ".pre-commit-config.yaml").write_bytes(HOOKS.read_bytes())
    (repository / ".venv").symlink_to(sys.prefix)
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "SKIP": "prose"}

    def run(*words, check=True):
        return subprocess.run(
            words, cwd=repository, env=environment, capture_output=True, text=True, check=check
        )

    run("git", "init", "-q", "-b", "main")
    run(".venv/bin/python", "-m", "pre_commit", "install")
    run("git", "add", ".pre-commit-config.yaml")
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    refused = run("git", *identity, "commit", "-m", "Things.", check=False)
    assert refused.returncode != 0
    assert "has no area" in refused.stdout + refused.stderr
    run("git", *identity, "commit", "-q", "-m", "tools: check messages")
