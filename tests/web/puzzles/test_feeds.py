"""The feed of puzzles of the day."""

from datetime import timedelta
from xml.etree import ElementTree as ET

import pytest

from antipodes.web.puzzles.daily import daily, today

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


def of_day(day):
    """Return the puzzle of a day."""
    found = daily(day)
    assert found is not None
    return found


def text_in(element, path):
    """Return the text of an element below another one."""
    found = element.findtext(path)
    assert found is not None
    return found


def test_the_atom_feed_lists_the_latest_puzzles_with_pictures(client):
    days = [today() - timedelta(days=count) for count in range(3)]
    puzzles = [of_day(day) for day in days]
    answer = client.get("/puzzles/daily/atom.xml")
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    entries = ET.fromstring(answer.content).findall(f"{ATOM}entry")
    assert len(entries) == 3
    for entry, day, puzzle in zip(entries, days, puzzles, strict=True):
        link = next(one for one in entry.findall(f"{ATOM}link") if one.get("rel") == "alternate")
        assert link.get("href") == f"http://testserver/puzzles/{puzzle.id}/"
        picture = f"http://testserver/puzzles/{puzzle.id}/board.png"
        assert picture in text_in(entry, f"{ATOM}summary")
        assert text_in(entry, f"{ATOM}updated").startswith(day.isoformat())
        assert puzzle.line[0] not in text_in(entry, f"{ATOM}title").split()


def test_the_rss_feed_has_the_same_puzzles(client):
    puzzle = of_day(today())
    answer = client.get("/puzzles/daily/rss.xml")
    items = ET.fromstring(answer.content).findall("channel/item")
    assert [item.findtext("link") for item in items] == [f"http://testserver/puzzles/{puzzle.id}/"]
    assert [one.get("type") for one in items[0].iter("enclosure")] == ["image/png"]


def test_a_reader_that_has_the_feed_gets_304(client):
    first = client.get("/puzzles/daily/atom.xml")
    again = client.get("/puzzles/daily/atom.xml", headers={"if-none-match": first["ETag"]})
    assert again.status_code == 304


def test_the_feed_is_in_the_language_of_the_reader(client):
    german = client.get("/puzzles/daily/atom.xml", headers={"accept-language": "de"})
    english = client.get("/puzzles/daily/atom.xml")
    assert german.content != english.content
    assert german["ETag"] != english["ETag"]
