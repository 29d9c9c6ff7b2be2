"""The feed of puzzles of the day, and their pictures."""

from datetime import timedelta
from xml.etree import ElementTree as ET

import pytest

from antipodes.notation.svg import render_svg
from antipodes.notation.svg.style import CELL
from antipodes.notation.svg.themes import THEMES, on_any_page
from antipodes.puzzles import store
from antipodes.web.puzzles.daily import daily, today
from antipodes.web.puzzles.labels import task_of
from antipodes.web.puzzles.models import DailyRow
from antipodes.web.puzzles.pictures import svg_of

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


def test_a_feed_has_the_last_thirty_days_and_says_what_it_is(client, puzzle):
    day = today()
    of_day(day)
    for age in range(1, 32):
        earlier = {"day": day - timedelta(days=age), "puzzle_id": puzzle.id, "game_id": "hex"}
        DailyRow.objects.create(**earlier)
    for kind in ("atom", "rss"):
        answer = client.get(f"/puzzles/daily/{kind}.xml")
        assert answer.text.count('board.png" length=') + answer.text.count('board.png"/>') == 30
    channel = ET.fromstring(client.get("/puzzles/daily/rss.xml").content)[0]
    items = channel.findall("item")
    texts = {one.tag: one.text for one in channel if one.tag != "item"}
    assert texts == {
        "title": "Antipodes: the puzzle of the day",
        "link": "http://testserver/puzzles/",
        "description": "A position each day in which exactly one move is right.",
        "{http://www.w3.org/2005/Atom}link": None,
        "language": "en-gb",
        "lastBuildDate": f"{day:%a, %d %b %Y} 00:00:00 +0000",
        "ttl": "15",
    }
    page = f"http://testserver/puzzles/{puzzle.id}/"
    title, at = f"Hex: {task_of(puzzle)}", day - timedelta(days=1)
    assert {one.tag: one.text for one in items[1]} == {
        "title": title,
        "link": page,
        "description": f'<p>{title}</p><p><a href="{page}">'
        f'<img src="{page}board.png" alt="{title}" width="480"></a></p>',
        "pubDate": f"{at:%a, %d %b %Y} 00:00:00 +0000",
        "guid": f"{page}#{at.isoformat()}",
        "enclosure": None,
    }
    assert [one.attrib for one in items[1].iter("guid")] == [{"isPermaLink": "false"}]


def test_both_feeds_are_one_to_readers(client):
    found = ET.fromstring(client.get("/puzzles/daily/atom.xml").content)
    assert found.findtext(f"{ATOM}id") == "http://testserver/puzzles/daily/atom.xml"
    links = {one.get("rel"): one.get("href") for one in found.findall(f"{ATOM}link")}
    assert links == {
        "alternate": "http://testserver/puzzles/",
        "self": "http://testserver/puzzles/daily/atom.xml",
    }
    assert found.get("{http://www.w3.org/XML/1998/namespace}lang") == "en-gb"


def test_pictures_of_puzzles_are_cached_for_a_week(client, puzzle, wrong):
    path = f"/puzzles/{puzzle.id}/board"
    drawn = client.get(f"{path}.svg")
    assert drawn.headers["Content-Disposition"] == f'inline; filename="puzzle-{puzzle.id}.svg"'
    moved = client.get(f"{path}.svg", {"moves": wrong})
    for answer in (drawn, moved):
        assert answer.headers["Cache-Control"] == "public, max-age=604800"
        assert "Cookie" in answer.headers["Vary"]
    assert drawn.text == on_any_page(svg_of(puzzle), "sand")
    assert moved.content != drawn.content
    client.cookies["board"] = "slate"
    for answer, parameters in ((drawn, {}), (moved, {"moves": wrong})):
        other = client.get(f"{path}.svg", parameters)
        drawn_cell = THEMES["slate"][CELL]
        assert drawn_cell in other.text
        assert drawn_cell not in answer.text
    assert "<text" in svg_of(puzzle, bare=False)
    assert client.get(f"{path}.svg", {"moves": "a1," * 61}).status_code == 404


@pytest.mark.parametrize("seat", [0, 1])
def test_pictures_of_puzzles_are_seen_by_the_solver(client, seat):
    puzzle = next(one for one in store.puzzles("antipode") if one.position.seat_to_move == seat)
    position = puzzle.position
    assert svg_of(puzzle) == render_svg(position.seen_from(seat), bare=True)
    move = puzzle.line[0]
    after = render_svg(position.play(puzzle.solution).seen_from(seat), bare=True)
    assert client.get(f"/puzzles/{puzzle.id}/board.svg", {"moves": move}).text == on_any_page(
        after, "sand"
    )
