"""Functions that raise, in the place of others, and the errors that functions raise."""

import pytest

from antipodes.errors import InputError


def raising(error):
    """Return a function that raises an error, whatever it is called with."""

    def fail(*_, **__):
        raise error

    return fail


def code_of(action, *args, **named):
    """Return the code of the error with which an action is refused."""
    with pytest.raises(InputError) as caught:
        action(*args, **named)
    return caught.value.code
