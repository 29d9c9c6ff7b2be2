"""What tests of studies share."""

import pytest

from antipodes.web.study import analyses, efforts, reviews


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Let all work be short."""
    short = {
        name: efforts.Effort(name, name, effort.seconds / 50)
        for name, effort in efforts._BY_NAME.items()
    }
    monkeypatch.setattr(efforts, "_BY_NAME", short)
    # The first analysis may have to compile.
    monkeypatch.setattr(analyses, "PATIENCE", 600_000)
    monkeypatch.setattr(reviews, "_SECONDS", 0.0)
    monkeypatch.setattr(reviews, "_LEAST", 0.01)
