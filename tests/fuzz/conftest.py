"""Report the number of inputs that the fuzzers tried, summed over processes."""

import pytest

from tests.fuzz import tally


def pytest_sessionfinish(session):
    """Send the counts of a worker process to the main one."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["fuzz"] = tally.snapshot()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    """Add the counts of a worker process that has ended."""
    counts = getattr(node, "workeroutput", {}).get("fuzz")
    if counts:
        tally.add(counts)


def pytest_terminal_summary(terminalreporter):
    """Print one line for each kind of input, and the sum."""
    kinds = sorted({*tally.READ, *tally.REFUSED})
    if not kinds:
        return
    terminalreporter.section("inputs tried by the fuzzers")
    for kind in kinds:
        read, refused = tally.READ[kind], tally.REFUSED[kind]
        terminalreporter.write_line(f"{kind:<20} {refused:>9} malformed, {read:>9} well-formed")
    refused, read = tally.REFUSED.total(), tally.READ.total()
    terminalreporter.write_line(f"{'all':<20} {refused:>9} malformed, {read:>9} well-formed")
