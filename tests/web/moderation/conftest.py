"""Fixtures of the tests of moderation."""

import pytest

from antipodes.web.matches.models import ChatLine
from antipodes.web.moderation import reports


@pytest.fixture
def lines(begin, people):
    """Return chat lines of both players of a match."""
    row = begin(size=3)
    texts = ["hello", "you fool", "please stop"]
    return [
        ChatLine.objects.create(match=row, room="seated", user=people[n % 2], text=text, at=n)
        for n, text in enumerate(texts)
    ]


@pytest.fixture
def report(lines, people):
    """Return ann's report of a chat line of bob."""
    return reports.report(
        people[0], people[1], "insult", "again!", match=lines[1].match, line=lines[1]
    )
