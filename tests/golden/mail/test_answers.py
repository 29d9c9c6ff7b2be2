"""Answers stay as they were: programs parse them."""

import pytest

from .answers import FOLDER, files

NAMES = sorted(path.name for kind in ("txt", "html") for path in FOLDER.glob(f"*.{kind}"))


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_looks_as_it_did(name):
    assert files()[name] == (FOLDER / name).read_text(encoding="utf-8"), (
        "if the change is meant, run `python -m tests.golden.mail.answers` and read the difference"
    )


def test_every_answer_is_frozen():
    assert set(files()) == set(NAMES)
