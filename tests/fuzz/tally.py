"""Counts of fuzzed inputs, and the check of refusals."""

from collections import Counter

from antipodes.errors import InputError

READ: Counter[str] = Counter()
REFUSED: Counter[str] = Counter()


def attempt(kind, call, *arguments, errors=InputError):
    """Call a reader; return what it read, or ``None`` if it refused the input properly.

    A refusal must be an ``InputError`` with faults. Any other exception is a bug, and fails the
    test.
    """
    try:
        found = call(*arguments)
    except errors as error:
        refusal = error
    else:
        READ[kind] += 1
        return found
    REFUSED[kind] += 1
    assert refusal.faults, "a refusal has faults"
    for fault in refusal.faults:
        assert "/" in fault.code, fault
        assert fault.code == fault.code.lower(), fault
        assert fault.message.strip(), fault
        assert len(fault.message) < 2_000, fault
    assert str(refusal).strip()
    return None


def snapshot():
    """Return both counts as data for another process."""
    return {"read": dict(READ), "refused": dict(REFUSED)}


def add(counts):
    """Add the counts of another process."""
    READ.update(counts["read"])
    REFUSED.update(counts["refused"])
