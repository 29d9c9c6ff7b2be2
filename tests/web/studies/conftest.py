"""Fixtures of the tests of studies."""

import itertools

import pytest

from antipodes.games.registry import make_game
from antipodes.records import Record, from_json, to_json
from antipodes.web.platform.schemas import read_as
from antipodes.web.studies import services
from antipodes.web.studies.chapters import opened
from antipodes.web.studies.schemas import EDIT_MESSAGE

_keys = itertools.count()


@pytest.fixture
def make_study(people):
    """Return a function that makes a study of the first user on a small board of Hex."""

    def make(visibility="private", game_id="hex", **options):
        small = {"size": 4, "swap": "off"} if game_id == "hex" else {}
        game = make_game(game_id, options or small)
        return services.create_study(people[0], "Bridges", visibility, Record(game))

    return make


@pytest.fixture
def study(make_study):
    """A private study of the first user on a small board of Hex."""
    return make_study()


def read_edit(data):
    """Return an edit as the site reads it from a message."""
    return read_as(EDIT_MESSAGE, {"key": "k", "edit": data}, "studies/message").edit


def edit(study, user, kind, path=(), number=1, key=None, **fields):
    data = read_edit({"kind": kind, "path": list(path), **fields})
    services.edit_chapter(study.slug, number, user, key or f"key {next(_keys)}", data)


def record(study, number=1):
    """Return a copy of the record of a chapter."""
    with opened(study.chapters.get(number=number)) as chapter:
        return from_json(to_json(chapter.record))
