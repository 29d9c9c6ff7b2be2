"""Functions that raise, for tests to put in the place of others."""


def raising(error):
    """Return a function that raises an error, whatever it is called with."""

    def fail(*_, **__):
        raise error

    return fail
