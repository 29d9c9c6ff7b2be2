"""A pytest plugin that names the running test in the coverage data, with its fixtures.

Processes that a test starts find the name in their environment.
"""

import os
from collections.abc import Iterator

import pytest
from coverage import Coverage

VARIABLE = "TEST_OF_COVERAGE"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Measure a test by its identifier."""
    coverage = Coverage.current()
    if coverage is None:  # pytest's controller, which runs no test
        return (yield)
    coverage.switch_context(item.nodeid)
    os.environ[VARIABLE] = item.nodeid
    try:
        return (yield)
    finally:
        del os.environ[VARIABLE]
        coverage.switch_context("")
