"""A call: one request of a mail on its way through the mailroom, and who carries it out.

Handlers say with a decorator which command they carry out::

    @carries_out(Verb.HISTORY)
    def history(call: Call) -> None:
        call.answer("Re: history", write_history(...))

A handler changes the database through the services of the site, answers at least once, and raises
an `InputError` to refuse: then nothing of what it did stands, and the reason is answered. Each runs
in a savepoint of the one transaction that handles a mail. Letters are kept in the call until it is
carried out; so a refused one sends none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from django.urls import reverse

from antipodes.errors import InputError
from antipodes.mail.incoming import Mail
from antipodes.mail.requests import Request, Verb
from antipodes.web.mailroom.addresses import command_address
from antipodes.web.matches.models import MatchRow
from antipodes.web.notices.letters import absolute, address_of, domain
from antipodes.web.notices.outbox import Draft, Enclosure
from antipodes.web.notices.tokens import token_for
from antipodes.web.people.models import User

_MOST_REFERENCES = 10

# Mail programs and lists know by the first two that a program writes. By the last one another site
# of ours knows, and keeps still.
_OF_A_PROGRAM = {"X-Auto-Response-Suppress": "All"}
SITE_HEADER = "X-Antipodes-Site"


@dataclass(kw_only=True)
class Call:
    """One request that is being carried out.

    Attributes:
        mail: the mail that it stands in.
        request: what is asked for.
        arrival: the number under which the mail was stored.
        key: names this request among all, the same whenever the mail is handled.
        user: who has proved to be whom, for this very request; ``None`` if nobody has.
        reader: who is answered, if it is known; a reply address proves no more than a board, but
            says who reads.
        row: the match of ``request.board``, which the user may watch; ``None`` if none was named.
        letters: what is sent when the request is carried out.
    """

    mail: Mail
    request: Request
    arrival: int
    key: str
    user: User | None = None
    reader: User | None = None
    row: MatchRow | None = None
    letters: list[Draft] = field(default_factory=list)

    @property
    def comment(self) -> str:
        """The words to the other people that go with the request."""
        return self.request.text

    def need_user(self) -> User:
        """Return who has proved to be whom.

        Raises:
            InputError: nobody has.
        """
        if self.user is None:
            raise InputError.single(
                "mail/no-proof",
                "this needs proof of who you are: a mail token from the page of your account, or a"
                " reply to a letter about the board",
            )
        return self.user

    def need_row(self) -> MatchRow:
        """Return the match that the request is about.

        Raises:
            InputError: the request names none.
        """
        if self.row is None:
            raise InputError.single("mail/no-number", "say which board you mean, by its number")
        return self.row

    def answer(
        self,
        subject: str,
        text: str,
        html: str = "",
        enclosures: tuple[Enclosure, ...] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Answer whoever has sent the mail.

        Somebody who is known is answered at a confirmed address of their account, so that nobody
        else hears what a stolen token asks, and its owner does. Where that is no address of theirs,
        or nobody can be answered, nothing is written.
        """
        to = answer_address(self.reader, self.mail)
        if not to:
            return
        self._post(to, self.reader, subject, text, html, enclosures, headers)

    def tell(
        self,
        user: User,
        subject: str,
        text: str,
        html: str = "",
        enclosures: tuple[Enclosure, ...] = (),
        headers: Mapping[str, str] | None = None,
    ) -> bool:
        """Write to somebody else, at their confirmed address; return whether they have one."""
        to = address_of(user)
        if to is None:
            return False
        self._post(to, user, subject, text, html, enclosures, headers)
        return True

    def _post(
        self,
        to: str,
        user: User | None,
        subject: str,
        text: str,
        html: str,
        enclosures: tuple[Enclosure, ...],
        headers: Mapping[str, str] | None,
    ) -> None:
        name = f"mail {self.key} {len(self.letters)}"
        is_answer = user == self.reader
        self.letters.append(
            Draft(
                key=name,
                to=to,
                user=user,
                subject=subject,
                text=text,
                html=html,
                enclosures=enclosures,
                message_id=f"<{name.replace(' ', '.')}@{domain()}>",
                headers={
                    **letter_headers(user, self.mail if is_answer else None),
                    **(headers or {}),
                },
            )
        )


def answer_address(reader: User | None, mail: Mail) -> str:
    """Return where a mail is answered; empty if nowhere."""
    if reader is None:
        return mail.sender
    if is_confirmed(reader, mail.sender):
        return mail.sender
    return address_of(reader) or mail.sender


def is_confirmed(user: User, address: str) -> bool:
    """Return whether somebody has confirmed that an address is theirs."""
    from allauth.account.models import EmailAddress

    rows = EmailAddress.objects.filter(user=user, verified=True, email__iexact=address)
    return bool(address) and rows.exists()


def letter_headers(user: User | None, mail: Mail | None) -> dict[str, str]:
    """Return the headers of a letter: of an answer to a mail, or of one that comes by itself."""
    headers = {
        "Auto-Submitted": "auto-replied" if mail is not None else "auto-generated",
        SITE_HEADER: domain(),
        **_OF_A_PROGRAM,
    }
    if command_address():
        headers["Reply-To"] = command_address()
    if user is not None and not user.is_guest:
        stop = absolute(reverse("unsubscribe", args=[token_for(user)]))
        headers["List-Unsubscribe"] = f"<{stop}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    if mail is not None and mail.message_id:
        known = [one for one in mail.references if one != mail.message_id][-_MOST_REFERENCES:]
        headers["In-Reply-To"] = mail.message_id
        headers["References"] = " ".join([*known, mail.message_id])
    return headers


def key_of(arrival_key: str, index: int) -> str:
    """Return the name of a request, which is the same whenever its mail is handled."""
    return hashlib.sha256(f"{arrival_key} {index}".encode()).hexdigest()[:40]


Handler = Callable[[Call], None]

_on_boards: dict[Verb, Handler] = {}
_elsewhere: dict[Verb, Handler] = {}


def carries_out(*verbs: Verb, on_board: bool | None = None) -> Callable[[Handler], Handler]:
    """Let a function carry out some commands.

    Args:
        verbs: the commands.
        on_board: with true only where the request names a board (``call.row`` is there), with
            false only where it names none; else always. So ``accept`` can mean an offer on a board
            here, and a challenge there.
    """

    def note(handler: Handler) -> Handler:
        for verb in verbs:
            for places, holds in ((_on_boards, True), (_elsewhere, False)):
                if on_board is None or on_board is holds:
                    if verb in places and places[verb] is not handler:
                        raise ValueError(f"{verb} is carried out by {places[verb]} already")
                    places[verb] = handler
        return handler

    return note


def handler_of(verb: Verb, *, on_board: bool) -> Handler | None:
    """Return who carries out a command."""
    return (_on_boards if on_board else _elsewhere).get(verb)
