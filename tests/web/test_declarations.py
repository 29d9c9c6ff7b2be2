"""Tests of what the site declares to Django."""

from tests.golden.site.declarations import FILE, declarations


def test_forms_admin_and_settings_are_as_before():
    assert declarations().splitlines() == FILE.read_text(encoding="utf-8").splitlines(), (
        "if the change is meant, run `python -m tests.golden.site.declarations`"
        " and read the difference"
    )
