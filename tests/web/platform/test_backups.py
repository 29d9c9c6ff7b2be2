"""Tests of backups: what they contain, and that a restore changes nothing if it is refused."""

import calendar
import json
import os
import sqlite3
import stat
import time
import zipfile
from contextlib import closing

import pytest

import antipodes
from antipodes.errors import InvalidOptionsError
from antipodes.web.platform import config, schema_version
from antipodes.web.server import backups, serve

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")


@pytest.fixture(autouse=True)
def _site_is_loaded(monkeypatch):
    monkeypatch.setattr(serve, "load", lambda: None)
    monkeypatch.setattr(schema_version, "known", lambda: {"matches.0001_initial"})


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A function that chooses the data folder of a site; by default it has a site."""
    monkeypatch.setenv("DATABASE_URL", "")

    def choose(name, migration="matches.0001_initial"):
        monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path / name))
        folder = config.data_folder()
        if migration:
            fill(folder / "site.sqlite3", migration)
        return folder

    return choose


def fill(file, migration):
    """Make a database with one applied migration."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE django_migrations (app, name)")
        connection.execute("INSERT INTO django_migrations VALUES (?, ?)", migration.split("."))


def write(folder, name, text):
    """Write a file that others could read."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o644)


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def refusal_of(call, *arguments, **more):
    """Return the code of the error that refuses a call."""
    with pytest.raises(InvalidOptionsError) as refused:
        call(*arguments, **more)
    return refused.value.code


def test_a_backup_restores_database_keys_and_mail(site, tmp_path):
    folder, copy = site("first"), tmp_path / "copy.zip"
    write(folder, "secret-key", "secret")
    write(folder, "mail/boxes/ann@example.org/new/1", "Dear Ann")
    write(folder, "mail/boxes/ann@example.org/.read/new/2", "Dear Ann, again")
    write(folder, "compressed/a.gz", "again when needed")
    for name in (".bashrc", ".ssh/id_ed25519", "yesterday.zip"):  # of the user
        write(folder, name, "no data of the site")
    told = backups.back_up(copy)
    assert told == f"{copy}: the database and 3 other files, {copy.stat().st_size} bytes"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with zipfile.ZipFile(copy) as archive:
        text = archive.read("about.json").decode()
    about = json.loads(text)
    assert text == json.dumps(about, indent=1)
    assert about["made_at"] == pytest.approx(time.time(), abs=60)
    assert about["version"] == antipodes.__version__
    assert (about["format"], about["migrations"]) == (1, ["matches.0001_initial"])
    with zipfile.ZipFile(copy, "a") as archive:
        archive.writestr(".bashrc", "of a version that backed it up")
    again = site("second", migration="")
    write(again, ".bashrc", "of the user here")
    told = backups.restore(copy, replace=False)
    assert told == f"{copy} was restored to {again}. Start the site: antipodes serve"
    mail = "mail/boxes/ann@example.org/new/1"
    hidden = "mail/boxes/ann@example.org/.read/new/2"
    assert files(again) - {"lock"} == {"site.sqlite3", "secret-key", mail, hidden, ".bashrc"}
    assert (again / ".bashrc").read_text() == "of the user here"
    assert (again / "secret-key").read_text() == "secret"
    assert (again / mail).read_text() == "Dear Ann"
    assert stat.S_IMODE((again / "secret-key").stat().st_mode) == 0o600
    assert stat.S_IMODE((again / mail).parent.stat().st_mode) == 0o700
    assert backups._migrations(again / "site.sqlite3") == ["matches.0001_initial"]


def test_a_restore_sets_the_files_of_the_previous_site_aside(site, tmp_path):
    folder, copy = site("first"), tmp_path / "copy.zip"
    write(folder, "secret-key", "old")
    backups.back_up(copy)
    write(folder, "secret-key", "new")
    write(folder, "postmaster/new/1", "Dear postmaster")
    write(folder, "notes/1", "of the host")
    write(folder, ".bashrc", "of the user")
    write(folder, "site.sqlite3-wal", "")
    assert refusal_of(backups.restore, copy, replace=False) == "backup/is-there"
    assert (folder / "secret-key").read_text() == "new"
    told = backups.restore(copy, replace=True)
    [aside] = folder.glob("before-*")
    assert f"; the previous files are in {aside}. " in told
    assert stat.S_IMODE(aside.stat().st_mode) == 0o700
    assert {"site.sqlite3", "site.sqlite3-wal", "secret-key", "postmaster/new/1"} <= files(aside)
    assert (aside / "secret-key").read_text() == "new"
    assert (folder / "secret-key").read_text() == "old"
    assert not (folder / "postmaster").exists()
    assert {"notes/1", ".bashrc"} <= files(folder)


def test_a_restore_sets_mail_aside_where_there_is_no_database(site, tmp_path):
    copy = tmp_path / "copy.zip"
    site("first")
    backups.back_up(copy)
    folder = site("second", migration="")
    write(folder, "mail/boxes/ann@example.org/new/1", "Dear Ann")
    backups.restore(copy, replace=False)
    [aside] = folder.glob("before-*")
    assert "mail/boxes/ann@example.org/new/1" in files(aside)


def test_what_is_no_site_is_not_backed_up(site, tmp_path):
    copy = tmp_path / "copy.zip"
    folder = site("first", migration="")
    assert refusal_of(backups.back_up, copy) == "backup/nothing"
    with closing(sqlite3.connect(folder / "site.sqlite3")) as connection:
        connection.execute("CREATE TABLE others (name)")
    assert refusal_of(backups.back_up, copy) == "backup/nothing"
    assert list(tmp_path.glob("copy*")) == []


def test_backups_of_a_folder_are_named_after_their_time_and_the_latest_are_kept(site, tmp_path):
    site("first")
    folder = tmp_path / "backups"
    folder.mkdir()
    others = {"antipodes-20201121-031500.zip.gpg", "before-upgrade.zip"}
    old = [f"antipodes-202011{day}-031500.zip" for day in (19, 21, 20)]
    for name in (*others, *old):
        write(folder, name, "")
    told = backups.back_up(folder, keep=3)
    assert told.endswith("; 1 older ones deleted")
    [new] = files(folder) - others - set(old)
    age = time.time() - calendar.timegm(time.strptime(new, "antipodes-%Y%m%d-%H%M%S.zip"))
    assert 0 <= age < 60
    assert told.startswith(f"{folder / new}: the database and 0 other files")
    assert files(folder) == {*others, *old[1:], new}
    assert "deleted" not in backups.back_up(folder)


def test_a_new_backup_is_kept_if_the_clock_was_set_back(site, tmp_path):
    site("first")
    write(tmp_path, "backups/antipodes-20991121-031500.zip", "")
    backups.back_up(tmp_path / "backups", keep=1)
    [new] = files(tmp_path / "backups")
    assert "2099" not in new


def test_a_backup_that_cannot_be_written_leaves_no_part(site, tmp_path, monkeypatch):
    site("first")

    def full(file, *_):
        file.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backups, "_write", full)
    assert refusal_of(backups.back_up, tmp_path / "copy.zip") == "backup/not-written"
    assert list(tmp_path.glob("copy*")) == []


def test_a_folder_that_cannot_be_written_gets_no_backup(site, tmp_path):
    site("first")
    write(tmp_path, "file", "")
    for target in (tmp_path / "missing/copy.zip", tmp_path / "file/copy.zip"):
        assert refusal_of(backups.back_up, target) == "backup/not-written"


def test_mail_that_is_deleted_during_a_backup_is_left_out(site, tmp_path, monkeypatch):
    folder, copy = site("first"), tmp_path / "copy.zip"
    write(folder, "secret-key", "secret")
    gone = folder / "mail/new/1"
    monkeypatch.setattr(backups, "_files_to_back_up", lambda *_: [gone, folder / "secret-key"])
    backups.back_up(copy)
    with zipfile.ZipFile(copy) as archive:
        assert set(archive.namelist()) == {"about.json", "site.sqlite3", "secret-key"}


def test_only_sqlite_is_backed_up_here(site, tmp_path, monkeypatch):
    site("first")
    monkeypatch.setenv("DATABASE_URL", "postgres://ann:tulip@m.org/site")
    assert refusal_of(backups.back_up, tmp_path / "copy.zip") == "backup/not-sqlite"


def test_a_backup_of_a_newer_version_is_refused(site, tmp_path):
    copy = tmp_path / "copy.zip"
    site("first", migration="matches.0002_more")
    backups.back_up(copy)
    folder = site("second", migration="")
    with pytest.raises(InvalidOptionsError, match=r"has the migration matches\.0002_more"):
        backups.restore(copy, replace=False)
    assert not (folder / "site.sqlite3").exists()
    assert list(folder.glob("restoring-*")) == []


def archive_of(file, **content):
    """Write an archive with some files."""
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in content.items():
            archive.writestr(name.replace("_", "."), text)


@pytest.mark.parametrize(
    "content",
    [
        {"about_json": "{}"},
        {"site_sqlite3": ""},
        {"about_json": "no JSON", "site_sqlite3": ""},
        {"about_json": "{}", "site_sqlite3": "no database" * 100},
        {"about_json": "{}", "site_sqlite3": "", "compressed/site_css": ""},
    ],
)
def test_a_damaged_backup_is_refused(site, tmp_path, content):
    copy = tmp_path / "copy.zip"
    archive_of(copy, **content)
    folder = site("first", migration="")
    before = files(folder)
    assert refusal_of(backups.restore, copy, replace=False) == "backup/damaged"
    copy.write_text("no archive")
    assert refusal_of(backups.restore, copy, replace=False) == "backup/damaged"
    assert refusal_of(backups.restore, tmp_path / "missing", replace=False) == "backup/damaged"
    assert files(folder) - before <= {"lock"}


def test_a_backup_of_a_damaged_database_is_refused(site, tmp_path):
    folder, copy = site("first"), tmp_path / "copy.zip"
    with closing(sqlite3.connect(folder / "site.sqlite3")) as connection, connection:
        connection.execute("CREATE TABLE names (name UNIQUE)")
        connection.executemany("INSERT INTO names VALUES (?)", [(str(n),) for n in range(1_000)])
        connection.execute("PRAGMA writable_schema = 1")
        connection.execute("UPDATE sqlite_master SET sql = '' WHERE name = 'names'")
    archive_of(copy, about_json="{}", site_sqlite3=(folder / "site.sqlite3").read_bytes())
    again = site("second", migration="")
    assert refusal_of(backups.restore, copy, replace=False) == "backup/damaged"
    assert not (again / "site.sqlite3").exists()


def test_a_database_with_wrong_rows_is_damaged(tmp_path):
    copy = tmp_path / "site.sqlite3"
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("CREATE TABLE thing (name)")
        connection.execute("INSERT INTO thing VALUES (NULL)")
        connection.execute("PRAGMA writable_schema = 1")
        connection.execute("UPDATE sqlite_master SET sql = 'CREATE TABLE thing (name NOT NULL)'")
    with pytest.raises(InvalidOptionsError) as error:
        backups._check_database(tmp_path / "copy.zip", copy, {})
    [fault] = error.value.faults
    assert fault.code == "backup/damaged"
    found = "NULL value in thing.name"
    assert fault.message == f"the database in {tmp_path / 'copy.zip'} is damaged: {found}"
