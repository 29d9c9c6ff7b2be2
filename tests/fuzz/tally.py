"""Counting what the fuzzers tried, and the one way in which input may be refused."""

from collections import Counter

from antipodes.errors import InputError

READ: Counter[str] = Counter()
REFUSED: Counter[str] = Counter()


def attempt(kind, call, *arguments, errors=InputError):
    """Call a reader; return what it read, or ``None`` if it refused the input properly.

    A refusal must be an ``InputError`` that names what is wrong. Any other exception is a bug and
    goes up to the test.
    """
    try:
        found = call(*arguments)
    except errors as error:
        refusal = error
    else:
        READ[kind] += 1
        return found
    REFUSED[kind] += 1
    assert refusal.faults, "a refusal says what is wrong"
    for fault in refusal.faults:
        assert "/" in fault.code, fault
        assert fault.code == fault.code.lower(), fault
        assert fault.message.strip(), fault
        assert len(fault.message) < 2_000, fault
    assert str(refusal).strip()
    return None


def snapshot():
    """Return both counts in a form that processes can exchange."""
    return {"read": dict(READ), "refused": dict(REFUSED)}


def add(counts):
    """Add the counts of another process."""
    READ.update(counts["read"])
    REFUSED.update(counts["refused"])
