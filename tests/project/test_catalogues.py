"""Tests of compiling the catalogues of translations."""

import os
import shutil
from gettext import GNUTranslations

import pytest
from babel.messages.mofile import read_mo

from tools.catalogues import LOCALE, compile_catalogues


@pytest.fixture
def locale(tmp_path):
    """A folder with one small catalogue, as in a fresh clone."""
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text('msgid "pass"\nmsgstr "passen"\n', encoding="utf-8")
    return tmp_path


def translation(mo, text):
    with mo.open("rb") as file:
        return GNUTranslations(file).gettext(text)


def texts(mo):
    """Return all translations, without the header, which names the version of Babel."""
    with mo.open("rb") as file:
        return [(one.context, one.id, one.string) for one in read_mo(file) if one.id]


def test_a_missing_catalogue_is_compiled_once(locale):
    [mo] = compile_catalogues(locale)
    assert translation(mo, "pass") == "passen"
    assert compile_catalogues(locale) == []
    assert sorted(path.name for path in mo.parent.iterdir()) == ["django.mo", "django.po"]


@pytest.mark.parametrize("seconds", [-60, 60], ids=["older", "newer"])
def test_a_changed_catalogue_is_compiled_again_whatever_its_time(locale, seconds):
    [mo] = compile_catalogues(locale)
    po = mo.with_suffix(".po")
    changed_at = po.stat().st_mtime + seconds
    po.write_text('msgid "pass"\nmsgstr "aussetzen"\n', encoding="utf-8")
    os.utime(po, (changed_at, changed_at))
    assert compile_catalogues(locale) == [mo]
    assert translation(mo, "pass") == "aussetzen"


def test_french_has_spaces_that_do_not_end_a_line_before_its_signs(tmp_path):
    folder = tmp_path / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    text = 'msgid "a"\nmsgstr "Qui ? « Moi » : oui ; non !"\n'
    (folder / "django.po").write_text(text, encoding="utf-8")
    [mo] = compile_catalogues(tmp_path)
    assert translation(mo, "a") == "Qui\u202f? «\u00a0Moi\u00a0»\u00a0: oui\u202f; non\u202f!"


def test_the_tests_have_the_catalogues_of_all_languages(tmp_path):
    shutil.copytree(LOCALE, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.mo"))
    for mo in compile_catalogues(tmp_path):
        assert texts(LOCALE / mo.relative_to(tmp_path)) == texts(mo)
