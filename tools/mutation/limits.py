"""A pytest plugin that runs tests with a mutant in their order, and limits their time."""

import signal
import time

import pytest

LONGEST = 120  # seconds of one test, after which the process ends
ALL = 60.0  # seconds of CPU time, after which no test begins


def pytest_runtest_logstart() -> None:
    """Give each test the same time."""
    signal.alarm(LONGEST)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol() -> bool | None:
    """Leave a test out if the time of all is up."""
    return True if time.process_time() > ALL else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run tests in the order of the command line, and not first those with a database."""
    places = {argument: place for place, argument in enumerate(config.args)}
    last = len(places)
    items.sort(
        key=lambda item: min(
            places.get(item.nodeid, last), places.get(item.nodeid.partition("::")[0], last)
        )
    )
