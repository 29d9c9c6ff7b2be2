"""Tests of `tools.release`, which writes a new version number wherever it stands."""

import shutil
import tomllib
from datetime import date

import pytest

from tests.project.test_layout import ROOT
from tools.release import ReleaseError, release

FILES = ("pyproject.toml", "src/antipodes/__init__.py", "CITATION.cff", "uv.lock", "CHANGELOG.md")
DAY = date(2027, 1, 31)


CHANGES = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A game.\n\n## [0.1.0] - x\n"


@pytest.fixture
def checkout(tmp_path):
    for path in FILES:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, tmp_path / path)
    (tmp_path / "CHANGELOG.md").write_text(CHANGES)
    return tmp_path


def texts_of(folder):
    return {path: (folder / path).read_text(encoding="utf-8") for path in FILES}


def test_a_release_changes_the_number_in_all_places_and_nothing_else(checkout):
    before = texts_of(checkout)
    release(checkout, "98.0.0", date(2027, 1, 1))
    (checkout / "CHANGELOG.md").write_text(CHANGES)
    release(checkout, "99.12.3", DAY)
    after = texts_of(checkout)
    assert tomllib.loads(after["pyproject.toml"])["project"]["version"] == "99.12.3"
    packages = tomllib.loads(after["uv.lock"])["package"]
    assert [one["version"] for one in packages if one["name"] == "antipodes"] == ["99.12.3"]
    changed = {
        path: [line for line in after[path].splitlines() if line not in before[path].splitlines()]
        for path in FILES
    }
    assert changed == {
        "pyproject.toml": ['version = "99.12.3"'],
        "src/antipodes/__init__.py": ['__version__ = "99.12.3"'],
        "CITATION.cff": ["version: 99.12.3", "date-released: 2027-01-31"],
        "uv.lock": ['version = "99.12.3"'],
        "CHANGELOG.md": ["## [99.12.3] - 2027-01-31"],
    }


def test_unreleased_changes_become_those_of_the_release(checkout):
    release(checkout, "99.0.0", DAY)
    assert texts_of(checkout)["CHANGELOG.md"] == (
        "# Changelog\n\n## [Unreleased]\n\n## [99.0.0] - 2027-01-31\n\n### Added\n\n- A game.\n\n"
        "## [0.1.0] - x\n"
    )


@pytest.mark.parametrize("version", ["", "1.0", "v1.0.0", "1.0.0rc1", "01.0.0", "0.0.1"])
def test_a_version_that_is_none_or_not_above_the_present_one_changes_nothing(checkout, version):
    before = texts_of(checkout)
    with pytest.raises(ReleaseError, match=r"not a version|is not above"):
        release(checkout, version, DAY)
    assert texts_of(checkout) == before


def test_a_release_without_changes_or_with_a_missing_number_changes_nothing(checkout):
    release(checkout, "98.0.0", DAY)
    text = (checkout / "CITATION.cff").read_text()
    before = texts_of(checkout)
    with pytest.raises(ReleaseError, match="no unreleased changes"):
        release(checkout, "99.0.0", DAY)
    assert texts_of(checkout) == before
    (checkout / "CITATION.cff").write_text(text.replace("\nversion:", "\nnumber:"))
    with pytest.raises(ReleaseError, match=r"CITATION\.cff does not name the version"):
        release(checkout, "99.0.0", DAY)
