"""Tests of the data folder: its permissions, backups, and errors when it cannot be written."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from antipodes.errors import InvalidOptionsError
from antipodes.web.platform import config, data_files, env_file
from antipodes.web.server import backups
from tests.raising import raising

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("DATABASE_URL", "")
    return config.data_folder()


def mode_of(path):
    return path.stat().st_mode & 0o777


def antipodes(folder, *arguments):
    environment = {**os.environ, "ANTIPODES_DATA": str(folder)}
    for name in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL", "SECRET_KEY"):
        environment.pop(name, None)
    done = subprocess.run(
        [sys.executable, "-m", "antipodes", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.extreme
def test_files_made_by_commands_are_private(tmp_path):
    folder, copy = tmp_path / "data", tmp_path / "copy.zip"
    before = os.umask(0o022)
    try:
        antipodes(folder, "migrate")
        mail = folder / "postmaster/new/a mail"
        mail.parent.mkdir(parents=True)
        mail.write_text("Dear postmaster")
        antipodes(folder, "backup", str(copy))
        restored = tmp_path / "restored"
        antipodes(restored, "restore", str(copy))
    finally:
        os.umask(before)
    assert mode_of(folder) == mode_of(restored) == 0o700
    names = {path.name for path in folder.iterdir() if path.is_file()}
    assert {"site.sqlite3", "secret-key"} <= names
    made = [*restored.rglob("*"), *(path for path in folder.iterdir() if path.is_file()), copy]
    assert {path.name: oct(mode_of(path) & 0o077) for path in made if mode_of(path) & 0o077} == {}
    assert (restored / "postmaster/new/a mail").read_text() == "Dear postmaster"
    assert (restored / "secret-key").read_bytes() == (folder / "secret-key").read_bytes()


def test_files_of_earlier_versions_become_private(folder):
    for name in ("site.sqlite3", "site.sqlite3-wal", "jobs.sqlite3", "secret-key"):
        (folder / name).touch()
        (folder / name).chmod(0o644)
    mine = folder / "notes of the host"
    mine.touch()
    mine.chmod(0o644)
    messages: list[str] = []
    data_files.restrict_permissions(messages.append)
    assert {mode_of(path) for path in folder.iterdir() if path != mine} == {0o600}
    assert mode_of(mine) == 0o644
    assert messages == []


def test_a_chosen_data_folder_is_not_changed_but_reported(folder):
    folder.chmod(0o755)
    messages: list[str] = []
    data_files.restrict_permissions(messages.append)
    assert mode_of(folder) == 0o755
    warning = f"Warning: other users can read {folder}; keep them out: chmod 700 {folder}"
    assert messages == [warning]


def test_a_file_whose_permissions_cannot_be_set_is_reported(folder, monkeypatch):
    (folder / "secret-key").touch()
    (folder / "secret-key").chmod(0o644)
    monkeypatch.setattr(Path, "chmod", raising(OSError(1, "Operation not permitted")))
    messages: list[str] = []
    data_files.restrict_permissions(messages.append)
    [warning] = messages
    assert warning.startswith(f"Warning: others can read {folder / 'secret-key'};")
    assert warning.endswith("cannot be set: Operation not permitted")


def test_an_owner_without_a_name_is_named_by_number(folder, monkeypatch):
    monkeypatch.setattr(Path, "owner", raising(KeyError("uid not found")))
    assert data_files._owner_name(folder) == f"'#{folder.stat().st_uid}'"


def test_a_data_folder_that_cannot_be_written_is_refused(folder, monkeypatch):
    monkeypatch.setattr("tempfile.TemporaryFile", raising(OSError(30, "Read-only file system")))
    with pytest.raises(
        InvalidOptionsError, match=f"{folder} cannot be written: Read-only file sys"
    ):
        data_files.check_writable()


@pytest.mark.parametrize("step", ["touch", "write_text"])
def test_a_secret_that_could_not_be_written_leaves_no_empty_file(folder, monkeypatch, step):
    with monkeypatch.context() as patched:
        patched.setattr(Path, step, raising(OSError(28, "No space left on device")))
        with pytest.raises(OSError, match="No space"):
            config.kept_secret("a-key", lambda: "secret")
    assert list(folder.iterdir()) == []
    assert config.kept_secret("a-key", lambda: "secret") == "secret"
    assert config.kept_secret("a-key", lambda: "another") == "secret"
    assert mode_of(folder / "a-key") == 0o600


def test_a_backup_contains_mail_but_no_other_folders(folder):
    for name in ("postmaster/new/1", "mail/boxes/ann@example.org/new/2", "compressed/a.gz", "lock"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    (folder / "secret-key").touch()
    found = {str(path.relative_to(folder)) for path in backups._files_to_back_up(folder)}
    assert found == {"postmaster/new/1", "mail/boxes/ann@example.org/new/2", "secret-key"}


@pytest.mark.parametrize(
    ("name", "is_safe"),
    [
        ("secret-key", True),
        ("postmaster/new/1700000000.M1P2.host:2,S", True),
        ("../secret-key", False),
        ("postmaster/../../secret-key", False),
        ("/etc/passwd", False),
        ("compressed/site.css", False),
        ("postmaster//new", False),
    ],
)
def test_a_backup_is_unpacked_into_the_data_folder_only(name, is_safe):
    assert backups._is_safe_name(name) is is_safe


def test_the_usual_data_folder_becomes_private(folder, monkeypatch):
    folder.chmod(0o755)
    monkeypatch.setattr(data_files, "data_folder", lambda: folder)
    monkeypatch.delenv("ANTIPODES_DATA")
    messages: list[str] = []
    data_files.restrict_permissions(messages.append)
    assert (mode_of(folder), messages) == (0o700, [])


def test_the_secret_of_the_first_process_is_kept(folder):
    def make():
        (folder / "a-key").write_text("of the other process")
        return "of no use any more"

    assert config.kept_secret("a-key", make) == "of the other process"
    assert [path.name for path in folder.iterdir()] == ["a-key"]


def test_other_commands_than_serve_need_a_database_that_is_not_empty(folder, monkeypatch):
    file = folder / "site.sqlite3"
    for _ in range(2):
        with pytest.raises(InvalidOptionsError, match=f"there is no site in {file},") as refused:
            data_files.require_database()
        assert refused.value.code == "serve/no-site"
        file.touch()
    file.write_text("x")
    data_files.require_database()
    for url in ("sqlite://:memory:", "postgres://ann:tulip@m.org/site"):
        monkeypatch.setenv("DATABASE_URL", url)
        data_files.require_database()


@pytest.mark.parametrize("mode", [0o640, 0o602, 0o710, 0o601])
def test_permissions_of_a_group_or_of_others_are_removed(folder, mode):
    file = folder / "secret-key"
    file.touch()
    file.chmod(mode)
    assert data_files.exposed_files() == [file]
    data_files.restrict_permissions(pytest.fail)
    assert mode_of(file) == mode & 0o700
    assert data_files.exposed_files() == []


def test_exposed_files_are_those_of_the_site_and_of_its_database(folder, tmp_path, monkeypatch):
    database = tmp_path / "elsewhere.sqlite3"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{database}")
    (folder / "alive").mkdir()
    files = [folder / "secret-key", folder / "studies.sqlite3-wal", database]
    wal = database.with_name("elsewhere.sqlite3-wal")
    for file in (*files, wal, folder / "notes"):
        file.touch()
        file.chmod(0o644)
    wal.chmod(0o600)
    assert data_files.exposed_files() == sorted(files)
    monkeypatch.setenv("DATABASE_URL", "postgres://ann:tulip@m.org/site")
    assert data_files.exposed_files() == sorted(files[:2])


@pytest.mark.parametrize(
    ("user", "owner", "is_refused"), [(0, 0, False), (0, 7, True), (7, 8, False)]
)
def test_root_alone_must_own_the_data_folder(folder, monkeypatch, user, owner, is_refused):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(Path, "stat", lambda *_, **__: SimpleNamespace(st_uid=owner, st_mode=0))
    monkeypatch.setattr(Path, "owner", lambda _path: "antipodes")
    if not is_refused:
        data_files.check_owner()
        return
    with pytest.raises(InvalidOptionsError, match="such as sudo -u antipodes") as refused:
        data_files.check_owner()
    assert refused.value.code == "serve/data-folder"


def test_new_files_are_private():
    before = os.umask(0o022)
    try:
        data_files.set_private_umask()
        assert os.umask(0o022) == 0o077
    finally:
        os.umask(before)


@pytest.fixture
def variables(monkeypatch):
    """The variables of a site in its environment file, none of which is set."""
    names = ("ANTIPODES_DATA", "DATABASE_URL", "MAIL_FROM")
    for name in (*names, env_file.VARIABLE):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setattr(env_file, "source", env_file.Source())

    def found():
        return {name: os.environ[name] for name in names if name in os.environ}

    return found


def test_the_environment_file_is_the_named_one_or_the_usual_one_or_none(
    variables, tmp_path, monkeypatch
):
    usual, named = tmp_path / "usual.env", tmp_path / "named.env"
    monkeypatch.setattr(env_file, "DEFAULT", usual)
    env_file.load()
    assert (variables(), env_file.source.file) == ({}, None)
    usual.write_text("MAIL_FROM=usual\n")
    named.write_text("MAIL_FROM=named\n")
    env_file.load("")
    monkeypatch.setenv(env_file.VARIABLE, "")
    env_file.load()
    assert (variables(), env_file.source.file) == ({}, None)
    monkeypatch.setenv(env_file.VARIABLE, str(named))
    env_file.load()
    assert (variables(), env_file.source.file) == ({"MAIL_FROM": "named"}, named)
    monkeypatch.delenv("MAIL_FROM")
    env_file.load(str(usual))
    assert (variables(), env_file.source.file) == ({"MAIL_FROM": "usual"}, usual)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"MAIL_FROM='x'\nMAIL_FROM\n", "line 2 of {file} is not a setting"),
        (b"\n\n='x'\n", "line 3 of {file} is not a setting"),
        (b"MAIL_FROM=\xff\n", "{file} cannot be read: it is not UTF-8 text"),
        (None, "{file} cannot be read: Is a directory"),
    ],
)
def test_an_invalid_environment_file_is_refused_also_where_it_is_the_usual_one(
    variables, tmp_path, monkeypatch, content, message
):
    file = tmp_path / "site.env"
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)
    monkeypatch.setattr(env_file, "DEFAULT", file)
    for named in (None, str(file)):
        with pytest.raises(InvalidOptionsError, match=message.format(file=file)):
            env_file.load(named)
    assert (variables(), env_file.source.file) == ({}, None)


@pytest.mark.parametrize("name", ["ANTIPODES_DATA", "DATABASE_URL", "MAIL_FROM"])
def test_a_file_that_cannot_be_read_matters_unless_a_variable_names_the_site(
    variables, tmp_path, monkeypatch, name
):
    assert not env_file.is_unreadable()
    env_file.source.unreadable = tmp_path / "site.env"
    assert env_file.is_unreadable()
    monkeypatch.setenv(name, "x")
    assert env_file.is_unreadable() is (name == "MAIL_FROM")
