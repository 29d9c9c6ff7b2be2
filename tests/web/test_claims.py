"""Laws of work that only one engine does at a time."""

import pytest
from django.core.cache import cache

from antipodes.web.platform import job_locks
from antipodes.web.platform.job_locks import claim, claimed


@pytest.fixture(autouse=True)
def empty():
    """Nothing is claimed before and after."""
    cache.clear()
    yield
    cache.clear()


def test_who_comes_second_is_told_and_does_not_free_it():
    with claim("move a") as first:
        with claim("move a") as second, claim("move b") as other:
            assert (first, second, other) == (True, False, True)
        assert claimed(["move a", "move b"]) == {"move a"}
    with claim("move a") as again:
        assert again


def test_what_breaks_is_free_again():
    with pytest.raises(ZeroDivisionError), claim("move a"):
        raise ZeroDivisionError
    assert claimed(["move a"]) == set()


def test_a_process_that_ends_gives_everything_up():
    with claim("move a"):
        job_locks.give_up_all()
        assert claimed(["move a"]) == set()


def test_a_claim_lasts_as_long_as_the_work(monkeypatch):
    monkeypatch.setattr(job_locks, "_LASTS", 1)
    monkeypatch.setattr(job_locks, "_RENEWED", 0.2)
    monkeypatch.setattr(job_locks, "_renewer", None)
    import time

    with claim("move a"):
        time.sleep(1.6)
        assert claimed(["move a"]) == {"move a"}
        monkeypatch.setattr(job_locks, "_RENEWED", 2.0)


def test_without_redis_work_is_done_all_the_same(monkeypatch, caplog):
    from django.db import OperationalError

    def away(*_, **__):
        raise OperationalError("away")

    monkeypatch.setattr(cache, "add", away)
    with claim("move a") as is_alone:
        assert is_alone
    assert "away" in caplog.text
