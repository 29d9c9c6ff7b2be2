"""Law: the files of SQLite keep no name of a deleted account."""

from tests.live import database
from tests.live.site import Site

DELETE = """
from pathlib import Path
from antipodes.web.accounts.account_deletion import clear_database_log, delete_account
from antipodes.web.accounts.models import User
from antipodes.web.platform import config

def files_with_name():
    folder = config.data_folder()
    return sorted(path.name for path in folder.glob("site.sqlite3*") if NAME in path.read_bytes())

NAME = b"zanzibar"
users = [User.objects.create(username=f"zanzibar{n}", email=f"zanzibar{n}@x.org") for n in range(9)]
clear_database_log()
written = files_with_name()
for user in users:
    delete_account(user)
deleted = files_with_name()
clear_database_log()
report([written, deleted, files_with_name()])
"""


def test_a_deleted_name_is_in_no_file_of_the_database(tmp_path):
    site = Site(tmp_path / "site", tmp_path / "log")
    database.copy_to(site.folder)
    written, deleted, cleared = site.ask(DELETE)
    assert written == ["site.sqlite3"]
    assert "site.sqlite3-wal" in deleted
    assert cleared == []
