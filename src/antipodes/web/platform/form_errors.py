"""Errors of the library in Django's forms."""

from __future__ import annotations

from django import forms

from antipodes.errors import InputError
from antipodes.web.platform.limits import TooManyError
from antipodes.web.platform.translations import fault_message


def validation_error(error: InputError) -> forms.ValidationError:
    """Return the error of a form that has all faults of an error, in the user's language."""
    return forms.ValidationError([fault_message(fault) for fault in error.faults])


def add_faults(form: forms.Form, error: InputError) -> None:
    form.add_error(None, validation_error(error))


class FormFaults:
    """Context manager: catches the faults of an input in its block, and adds them to a form.

    It does not catch ``TooManyError``, to which the middleware responds.

    Attributes:
        found: whether there were any.
    """

    def __init__(self, form: forms.Form) -> None:
        """Name the form that gets the faults."""
        self._form = form
        self.found = False

    def __enter__(self) -> FormFaults:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        if not isinstance(error, InputError) or isinstance(error, TooManyError):
            return False
        add_faults(self._form, error)
        self.found = True
        return True
