"""Fixtures of the smoke tests: a site and a browser for each module.

Playwright keeps an event loop in its thread, which would disturb other tests of the process.
"""

from __future__ import annotations

import pytest

from tests.browser.fixtures import (
    MISSING,
    chromium,
    open_browser,
    pytest_runtest_makereport,
    run_site,
    table,
    window,
)

__all__ = ["pytest_runtest_makereport", "table", "window"]


@pytest.fixture(scope="module")
def browser():
    """The browser; without one, the smoke tests are skipped."""
    if chromium() is None:
        pytest.skip(f"no Chromium found: {MISSING}")
    yield from open_browser()


@pytest.fixture(scope="module")
def site(browser, tmp_path_factory, worker_id):  # no site without a browser
    """A site shared by all smoke tests."""
    yield from run_site(tmp_path_factory.mktemp("site"), f"smoke-{worker_id}")
