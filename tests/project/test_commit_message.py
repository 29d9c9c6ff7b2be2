"""Tests of the check of commit messages."""

import subprocess

import pytest

from tools.commit_message import faults, main


@pytest.mark.parametrize(
    "message",
    [
        "docs: explain the swap\n",
        "web/api: send a move's number\n\nClients lost count.\n",
        "notifications: report dropped conditional moves",
        "search: bias the first move",
        "tests: pass a seed\n# Please enter the commit message\n# On branch main\n",
        'Revert "docs: explain the swap"',
        "Merge branch 'main'",
        "fixup! docs: explain the swap",
    ],
)
def test_a_good_message_has_no_faults(message):
    assert faults(message) == []


@pytest.mark.parametrize(
    ("message", "part"),
    [
        ("Explain the swap", "has no area"),
        ("", "has no area"),
        ("docs:", "has no area"),
        ("Docs: explain the swap", "has no area"),
        ("docs: explained the swap", "'explained' is not imperative"),
        ("docs: explains the swap", "'explains' is not imperative"),
        ("docs: explaining the swap", "'explaining' is not imperative"),
        ("docs: explain the swap.", "full stop"),
        ("docs: wip", "does not say what"),
        ("docs: x", "does not say what"),
        ("docs: explain the swap" + " again" * 10, "has 82 characters: use at most 72"),
        ("docs: explain the swap\nand more", "second line is not empty"),
    ],
)
def test_a_fault_is_named_with_advice(message, part):
    (fault,) = faults(message)
    assert part in fault


def test_the_hook_fails_for_a_message_with_faults_and_prints_them(tmp_path, capsys):
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text("Added things.\n", encoding="utf-8")
    assert main([str(file)]) == 1
    assert "has no area" in capsys.readouterr().err
    file.write_text("docs: explain the swap\n", encoding="utf-8")
    assert main([str(file)]) == 0


def test_a_range_names_the_commits_that_have_faults(tmp_path, monkeypatch, capsys):
    def git(*words):
        identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    for subject in ("docs: begin", "docs: continue", "no area here"):
        git("commit", "--allow-empty", "-m", subject)
    monkeypatch.chdir(tmp_path)
    assert main(["--range", "HEAD~2..HEAD~1"]) == 0
    assert main(["--range", "HEAD~2..HEAD"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_other_arguments_print_the_usage(capsys):
    assert main([]) == 2
    assert "--range A..B" in capsys.readouterr().err
