"""The picture of a run has the people, games, mails and answers of each hour."""

import asyncio
from xml.etree import ElementTree as ET

from antipodes.web.town.chronicle import Chronicle


async def told(events):
    chronicle = Chronicle()

    async def games():
        return 7

    for at, who, waits, mails in events:
        await chronicle.note(at, who, waits, mails, games)
    return chronicle


def test_hours_count_people_once_and_mails_since_the_last_event():
    events = [(10, 1, [5.0], 2), (20, 1, [6.0], 2), (30, -1, [], 3), (7_300, 2, [1.0, 3.0], 9)]
    chronicle = asyncio.run(told(events))
    first, third = chronicle.hours[0], chronicle.hours[2]
    assert (first.people, first.games, first.mails, first.waits) == ({1}, 7, 3, [5.0, 6.0])
    assert (third.people, third.mails) == ({2}, 6)


def test_the_picture_has_a_bar_for_each_hour_and_can_be_empty():
    picture = asyncio.run(told([(10, 1, [5.0, 6.0], 2), (7_300, 2, [1.0, 3.0], 9)])).picture()
    svg = ET.fromstring(picture)
    space = "{http://www.w3.org/2000/svg}"
    assert len(svg.findall(f"{space}rect")) == 1 + 3 * 3
    texts = [text.text for text in svg.iter(f"{space}text")]
    assert "Games in progress" in texts
    ET.fromstring(Chronicle().picture())
