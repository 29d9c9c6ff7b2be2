"""Files are replaced in one step."""

import os
import stat

import pytest

from antipodes.files import replace_file
from tests.raising import raising


def test_a_file_is_written_and_replaced(tmp_path):
    path = tmp_path / "a.json"
    replace_file(path, b"old")
    path.chmod(0o640)
    replace_file(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [one.name for one in tmp_path.iterdir()] == ["a.json"]


def test_the_old_file_stays_if_the_new_one_cannot_be_written(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    path.write_bytes(b"old")

    monkeypatch.setattr(os, "fsync", raising(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        replace_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["a.json"]


def test_a_folder_is_not_replaced(tmp_path):
    with pytest.raises(IsADirectoryError):
        replace_file(tmp_path, b"new")
