"""Tests of the changelog: it follows Keep a Changelog."""

import re

from tests.project.test_layout import ROOT
from tests.upgrades.versions import VERSIONS

KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
RELEASES = re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]


def test_unreleased_changes_come_first_and_every_release_has_a_version_and_a_date():
    assert RELEASES[0].startswith("[Unreleased]\n")
    for release in RELEASES[1:]:
        head = release.splitlines()[0]
        assert re.fullmatch(r"\[\d+\.\d+\.\d+\] - (\d{4}-\d{2}-\d{2}|not published)", head), head


def test_a_release_has_each_kind_of_change_once_in_order():
    for release in RELEASES:
        kinds = re.findall(r"^### (.+)$", release, re.MULTILINE)
        assert kinds == [kind for kind in KINDS if kind in kinds], release[:20]


def test_versions_are_in_descending_order():
    versions = [
        tuple(map(int, v.split("."))) for v in re.findall(r"^## \[(\d.*?)\]", TEXT, re.MULTILINE)
    ]
    assert versions == sorted(versions, reverse=True)


def test_the_database_of_every_release_is_stored_for_the_tests_of_upgrades():
    released = re.findall(r"^## \[(.+)\] - \d", TEXT, re.MULTILINE)
    stored = {path.stem for path in VERSIONS}
    assert [version for version in released if version not in stored] == []
