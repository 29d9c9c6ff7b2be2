"""The log of a site for tests."""


def tracebacks(log: str) -> str:
    """Return a log from its first traceback on, shortened; an empty string if it has none."""
    _, mark, rest = log.partition("Traceback")
    return (mark + rest)[:4_000]
