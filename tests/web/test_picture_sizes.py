"""Every image of every page has a width and a height, so that pages do not move as they load."""

import re
from html import unescape
from pathlib import Path

import pytest

from antipodes.games.registry import game_ids
from antipodes.learn.store import courses
from antipodes.puzzles import store

pytestmark = pytest.mark.django_db

_IMAGE = re.compile(r"<img\b(?:\{[{%].*?[%}]\}|[^>])*>", re.DOTALL)
# What writes both attributes.
_SIZED = re.compile(
    r'width="\d+" height="\d+"|\|(board|captioned|drawing)_size|example_size|map_sizes'
)
# A mail has no style sheet; its picture keeps its shape by the width alone.
_MAILS = {"notifications/mail.html"}


def images(text):
    """Return the tags of images in a page or a template."""
    return _IMAGE.findall(text)


def unsized(page):
    """Return the images of a page that have no width or no height."""
    return [tag for tag in images(page) if not re.search(r'width="\d+" height="\d+"', tag)]


def templates():
    """Return the texts of all templates of pages by their names."""
    root = Path(__file__).parents[2] / "src/antipodes/web/templates"
    found = {str(path.relative_to(root)): path.read_text() for path in root.rglob("*.html")}
    return {name: text for name, text in found.items() if name not in _MAILS}


def test_every_image_of_every_template_has_its_size():
    tags = [(name, tag) for name, text in templates().items() for tag in images(text)]
    assert len(tags) > 30
    assert [(name, tag) for name, tag in tags if not _SIZED.search(tag)] == []


def attribute(tag, name):
    [value] = re.findall(rf'\b{name}="([^"]*)"', tag)
    return unescape(value)


ADDRESSES = [
    *("/", "/rules/", "/learn/", "/puzzles/"),
    *(f"/rules/{game_id}/" for game_id in game_ids()),
    *(f"/learn/{course.id}/" for course in courses()),
    *("/learn/first-game/antipod/", "/learn/first-game/hex/"),
    "/practice/?game=antipode&moves=e2-e2",
    "/practice/?game=cylindrical-hex&rows=11&columns=12",
    "/practice/?game=hex&size=3",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_sizes_of_boards_are_those_of_their_pictures(client, address):
    page = client.get(address).content.decode()
    tags = [tag for tag in images(page) if 'src="' in tag and ".svg" in tag]
    tags = [tag for tag in tags if "/static/" not in tag]
    assert tags
    for tag in tags:
        picture = client.get(attribute(tag, "src")).content.decode()
        box = [float(number) for number in attribute(picture.partition(">")[0], "viewBox").split()]
        shape = int(attribute(tag, "width")) / int(attribute(tag, "height"))
        if int(attribute(tag, "width")) in (72, 112, 180):
            continue  # a small picture in a frame of one shape
        assert shape == pytest.approx(box[2] / box[3], rel=0.01), tag


def test_the_size_of_a_puzzle_and_a_lesson_is_that_of_its_picture(client):
    puzzle, course = store.puzzles("antipod")[0], courses()[0]
    for address in (f"/puzzles/{puzzle.id}/", f"/learn/{course.id}/{course.steps[0].id}/"):
        test_sizes_of_boards_are_those_of_their_pictures(client, address)
