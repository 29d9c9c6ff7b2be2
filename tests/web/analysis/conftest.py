"""Fixtures of the tests of analyses."""

import pytest

from antipodes.web.analysis import effort, reviews, services


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Shorten all searches."""
    short = {
        name: effort.Effort(name, name, one.seconds / 50) for name, one in effort._BY_NAME.items()
    }
    monkeypatch.setattr(effort, "_BY_NAME", short)
    # The first analysis may have to compile.
    monkeypatch.setattr(services, "PATIENCE", 600_000)
    monkeypatch.setattr(reviews, "_SECONDS", 0.0)
    monkeypatch.setattr(reviews, "_LEAST", 0.01)


def address_of(analysis):
    """Return the URL of an analysis that was asked for."""
    return f"/analyses/{analysis['slug']}"
