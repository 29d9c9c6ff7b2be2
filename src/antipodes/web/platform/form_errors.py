"""Errors of the library in Django's forms."""

from __future__ import annotations

from django import forms

from antipodes.errors import InputError
from antipodes.web.platform.translations import fault_message


def validation_error(error: InputError) -> forms.ValidationError:
    """Return the error of a form that has all faults of an error, in the user's language."""
    return forms.ValidationError([fault_message(fault) for fault in error.faults])


def add_faults(form: forms.Form, error: InputError) -> None:
    """Add the faults of an error to a form."""
    form.add_error(None, validation_error(error))
