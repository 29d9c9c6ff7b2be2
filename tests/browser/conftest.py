"""Fixtures of the browser tests."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.browser.fixtures import (
    MISSING,
    PICTURES,
    chromium,
    open_browsers,
    pytest_runtest_makereport,
    run_site,
    table,
    window,
)

__all__ = ["pytest_runtest_makereport", "table", "window"]


def pytest_configure(config):
    """Fail at once if there is no browser, rather than in each test."""
    if chromium() is None:
        raise pytest.UsageError(f"the browser tests need Chromium: {MISSING}")
    PICTURES.mkdir(parents=True, exist_ok=True)


def pytest_sessionfinish(session):
    """Write a page with all screenshots."""
    if hasattr(session.config, "workerinput"):
        return
    names = sorted(path.name for path in PICTURES.glob("*.png"))
    shown = "".join(
        f'<figure><figcaption>{name}</figcaption><img src="{quote(name)}" loading="lazy"></figure>'
        for name in names
    )
    style = "<style>img { max-width: 100%; border: 1px solid } figure { margin: 2rem }</style>"
    page = f"<!doctype html><meta charset=utf-8><title>Pictures</title>{style}{shown}"
    (PICTURES / "index.html").write_text(page, encoding="utf-8")


@pytest.fixture(scope="session")
def browsers():
    """Browsers by name, shared by all tests of a process."""
    yield from open_browsers()


@pytest.fixture
def browser(browsers, request):
    """Chromium, or the browser that a test names as a parameter."""
    return browsers(getattr(request, "param", "chromium"))


@pytest.fixture(scope="session")
def site(tmp_path_factory, worker_id):
    """A site shared by all tests of a process."""
    yield from run_site(tmp_path_factory.mktemp("site"), worker_id)


@pytest.fixture
def own_site(tmp_path, request):
    """A site for one test, which may stop or kill it."""
    yield from run_site(tmp_path, request.node.name)
