"""Laws of responses: the site never fails."""

from __future__ import annotations

from collections.abc import Iterator

from antipodes.web.town.person import Witness
from antipodes.web.town.town import Town


def the_site_never_fails(town: Witness) -> Iterator[str]:
    """No answer has a status of 500 or more, but 503 during an outage."""
    for each in town.received:
        if each.status >= 500 and not town.is_excused(each.status):
            yield f"{each.where} was answered with {each.status}"


def nothing_is_logged_as_an_error(town: Town) -> Iterator[str]:
    """The site logs no error, so that no traceback hides, but that its clock was set."""
    errors, town.site.notes.errors = town.site.notes.errors, []
    yield from (error for error in errors if not error.startswith("clock set forward"))


def no_mail_has_a_traceback(town: Witness) -> Iterator[str]:
    """No mail has a traceback in it."""
    for person in town.people:
        for mail in person.mails:
            body = mail.get_body(("plain",))
            if body is not None and "Traceback (most recent" in body.get_content():
                yield f"a mail to {person.name} has a traceback: {mail['Subject']}"
