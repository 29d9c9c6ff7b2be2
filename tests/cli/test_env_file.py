"""Tests of the environment file, and of commands that act on the site that it names."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from antipodes.errors import InvalidOptionsError
from antipodes.web.platform import data_files, env_file
from tests.cli.tools import environment
from tests.live import database
from tests.raising import raising

CLEAR = (
    "ALLOWED_HOSTS",
    "ANTIPODES_DATA",
    "ANTIPODES_ENV_FILE",
    "DATABASE_URL",
    "DJANGO_SETTINGS_MODULE",
    "EMAIL_URL",
    "REDIS_URL",
    "SECRET_KEY",
)


@pytest.fixture
def antipodes(call, tmp_path):
    """A function that runs a command with a minimal environment."""
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "share")}
    given = environment(**dict.fromkeys(CLEAR), **home)

    def run(*arguments, **more):
        return call(*arguments, environment=given | more)

    return run


@pytest.fixture
def unread(monkeypatch):
    """An environment without settings, which is restored after the test."""
    for name in (*CLEAR, "MAIL_FROM"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setattr(env_file, "source", env_file.Source())
    return monkeypatch


@pytest.mark.slow
def test_commands_act_on_the_site_of_the_environment_file(antipodes, tmp_path):
    settings, folder, copy = tmp_path / "site.env", tmp_path / "the data", tmp_path / "copy.zip"
    settings.write_text(f"# ours\nANTIPODES_DATA='{folder}'\nMAIL_FROM='Club <play@x.example>'\n")
    named = ("--env-file", settings)
    database.copy_to(folder)
    code, _, err = antipodes(
        "createsuperuser",
        *named,
        "--username",
        "ann",
        "--email",
        "ann@x.example",
        "--noinput",
        DJANGO_SUPERUSER_PASSWORD="antarctica-tortoise-9",
    )
    assert code == 0, err
    code, _, err = antipodes("backup", copy, ANTIPODES_ENV_FILE=str(settings))
    assert code == 0, err
    # Variables override the file.
    second = tmp_path / "second"
    code, _, err = antipodes("restore", copy, *named, ANTIPODES_DATA=str(second))
    assert code == 0, err
    for site in (folder, second):
        with closing(sqlite3.connect(site / database.NAME)) as connection:
            names = connection.execute(
                "SELECT username FROM accounts_user WHERE is_superuser"
            ).fetchall()
        assert names == [("ann",)]
    assert not (tmp_path / "share").exists(), "the default data folder is not used"


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("backup", "copy.zip"),
        ("createsuperuser", "--noinput"),
        ("doctor",),
        ("mail", "deliver", "--recipient", "play@x.example"),
        ("mail", "listen"),
        ("manage", "check"),
        ("migrate", "--check"),
    ],
    ids=" ".join,
)
def test_only_serve_and_migrate_create_a_database(antipodes, tmp_path, arguments):
    folder = tmp_path / "data"
    code, out, err = antipodes(*arguments, ANTIPODES_DATA=str(folder))
    assert code not in (0, 70), out
    assert "Traceback" not in err
    if arguments != ("mail", "listen"):
        assert f"there is no site in {folder}/site.sqlite3" in out + err
    assert not (folder / "site.sqlite3").exists()
    assert not Path("copy.zip").exists()


def test_backups_are_kept_in_folders_only(antipodes):
    code, _, err = antipodes("backup", "copy.zip", "--keep", "3")
    assert code == 2
    assert "--keep needs a folder, and copy.zip is none." in err


@pytest.mark.parametrize("content", ["empty", "without tables"])
def test_a_backup_of_an_empty_site_is_an_error(antipodes, tmp_path, content):
    folder, copy = tmp_path / "data", tmp_path / "copy.zip"
    folder.mkdir()
    (folder / "site.sqlite3").touch()
    if content == "without tables":
        with closing(sqlite3.connect(folder / "site.sqlite3")) as database:
            database.execute("CREATE TABLE other (x)")
            database.commit()
    code, _, err = antipodes("backup", copy, ANTIPODES_DATA=str(folder))
    assert code == 2
    assert "no site in" in err
    assert list(tmp_path.glob("copy*")) == []


def test_the_file_is_read_as_by_systemd(tmp_path, unread):
    file = tmp_path / "site.env"
    file.write_text(
        "\n# a comment\nANTIPODES_DATA='/srv/the data'\n\n"
        "MAIL_FROM='Club $HOME <play@x.example>'\nREDIS_URL=redis://:a@h:1/0\nEMAIL_URL=\"x y\"\n"
    )
    unread.setenv("REDIS_URL", "redis://from.the.environment")
    env_file.load(str(file))
    assert os.environ["ANTIPODES_DATA"] == "/srv/the data"
    assert os.environ["MAIL_FROM"] == "Club $HOME <play@x.example>"
    assert os.environ["EMAIL_URL"] == "x y"
    assert os.environ["REDIS_URL"] == "redis://from.the.environment"
    assert str(env_file.source) == f"Settings were read from {file}."


def test_a_named_file_must_exist_and_be_valid(tmp_path, unread):
    file = tmp_path / "site.env"
    with pytest.raises(InvalidOptionsError, match=r"site.env cannot be read: No such file"):
        env_file.load(str(file))
    file.write_text("ANTIPODES_DATA='/srv/data'\n\nwhat is this\n")
    with pytest.raises(InvalidOptionsError, match=r"line 3 of .*site.env is not a setting"):
        env_file.load(str(file))


def test_ambiguous_lines_are_found(tmp_path):
    file = tmp_path / "site.env"
    file.write_text(
        "A='x y'\nB=plain/path\n\nMAIL_FROM=Antipodes <play@x.example>\nC=$HOME\nD=\"x y\"\n"
        "E=\"$HOME\"\nexport F=1\nG='a\\b'\n"
    )
    assert env_file.ambiguous_lines(file) == [4, 5, 7, 8, 9]


def test_an_unreadable_file_stops_commands(tmp_path, unread):
    unread.setattr(env_file, "DEFAULT", tmp_path / "antipodes.env")
    with unread.context() as patched:
        patched.setattr(Path, "read_text", raising(PermissionError(13, "Permission denied")))
        env_file.load()
    with pytest.raises(InvalidOptionsError, match=r"may not read it.*sudo -u antipodes"):
        env_file.require_readable()
    assert env_file.is_unreadable()
    # systemd reads it as root and sets the variables.
    unread.setenv("ANTIPODES_DATA", str(tmp_path))
    env_file.require_readable()
    assert not env_file.is_unreadable()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can be another user")
def test_root_does_not_write_to_the_folder_of_another_user(tmp_path, monkeypatch):
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("ANTIPODES_DATA", str(folder))
    data_files.check_owner()
    os.chown(folder, 65_534, 65_534)
    owner = folder.owner()
    with pytest.raises(InvalidOptionsError, match=rf"root would leave files.*sudo -u {owner}"):
        data_files.check_owner()


@pytest.mark.parametrize("error", [OSError("no name"), KeyError("no name")])
def test_a_file_that_may_not_be_read_is_named_with_the_user(monkeypatch, error):
    source = env_file.Source()
    assert str(source) == "No environment file was read: there is no /etc/antipodes.env."
    source.unreadable = Path("/etc/secret.env")
    monkeypatch.setattr("getpass.getuser", lambda: "ann")
    assert str(source) == "/etc/secret.env was not read: user ann may not."
    monkeypatch.setattr("getpass.getuser", raising(error))
    monkeypatch.setattr(os, "geteuid", lambda: 1234, raising=False)
    assert str(source) == "/etc/secret.env was not read: user 1234 may not."
    source.file = Path("/srv/site.env")
    assert str(source) == "Settings were read from /srv/site.env."
