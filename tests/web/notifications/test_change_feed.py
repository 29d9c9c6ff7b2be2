"""Change feeds: cursors, batches, and rows that are committed late."""

import pytest

from antipodes.web.matches.models import MatchRow
from antipodes.web.notifications import match_events
from antipodes.web.notifications.match_events import Feed
from antipodes.web.notifications.models import CursorRow

pytestmark = pytest.mark.django_db


class Rows:
    """A change feed of a table of matches, whose handler may want some keys again."""

    def __init__(self, monkeypatch):
        self.handed: list[list[int]] = []
        self.again: set[int] = set()
        self.passed = 0.0
        self.feed = Feed("tests", MatchRow, self._handle)
        monkeypatch.setattr("time.monotonic", lambda: self.passed)

    def _handle(self, keys):
        self.handed.append(keys)
        return self.again & set(keys)

    def read(self):
        """Return what one read hands to the handler."""
        self.handed = []
        self.feed.read()
        return self.handed

    def is_pending(self):
        return self.feed.is_pending

    @property
    def position(self):
        return CursorRow.objects.get(name="tests").position


def test_a_feed_advances_its_cursor_when_no_earlier_row_can_come_any_more(begin, monkeypatch):
    rows, first = Rows(monkeypatch), begin()
    assert rows.read() == [[first.pk]]
    rows.passed = 5.0
    second = begin()
    assert rows.read() == [[second.pk]]
    rows.passed = match_events._COMMIT_GRACE
    assert (rows.read(), rows.position) == ([], 0)
    rows.passed += 0.5
    assert (rows.read(), rows.position) == ([], first.pk)
    rows.passed += 5.0
    assert (rows.read(), rows.position) == ([], second.pk)
    assert rows.feed._read == set()
    rows.feed.forget()
    assert rows.read() == []


def test_a_feed_reads_rows_after_its_cursor_again_after_a_restart(begin, monkeypatch):
    rows, first = Rows(monkeypatch), begin()
    rows.read()
    rows.feed.forget()
    assert rows.read() == [[first.pk]]


def test_a_feed_hands_keys_over_again_that_the_handler_wants(begin, monkeypatch):
    rows, first, second = Rows(monkeypatch), begin(), begin()
    assert not rows.is_pending()
    rows.again = {second.pk}
    assert rows.read() == [[first.pk, second.pk]]
    assert rows.is_pending()
    assert rows.read() == [[second.pk]]
    rows.again = set()
    assert rows.read() == [[second.pk]]
    assert not rows.is_pending()
    assert rows.read() == []


def test_a_feed_reads_batches_until_there_are_no_more_rows(begin, monkeypatch):
    monkeypatch.setattr(match_events, "_BATCH", 2)
    keys = [begin().pk for _ in range(5)]
    assert Rows(monkeypatch).read() == [keys[:2], keys[2:4], keys[4:]]


def test_a_feed_does_not_hand_the_same_keys_over_twice_in_one_read(begin, monkeypatch):
    monkeypatch.setattr(match_events, "_BATCH", 2)
    keys = [begin().pk for _ in range(3)]
    rows = Rows(monkeypatch)
    rows.again = set(keys)
    assert rows.read() == [keys[:2]]
