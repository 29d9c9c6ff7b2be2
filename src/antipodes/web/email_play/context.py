"""A call: one request of a mail on its way through the mailroom, and who carries it out.

Handlers say with a decorator which command they carry out::

    @carries_out(Verb.HISTORY)
    def history(call: Call) -> None:
        call.answer("Re: history", write_history(...))

A handler changes the database through the services of the site, answers at least once, and raises
an `InputError` to refuse: then nothing of what it did stands, its letters included, and the reason
is answered. Each runs in a savepoint of the one transaction that handles a mail.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from antipodes.errors import InputError
from antipodes.mail.incoming import Mail
from antipodes.mail.requests import Request, Verb
from antipodes.web.accounts.models import User
from antipodes.web.email_play.reply_addresses import command_address, reply_address
from antipodes.web.matches.models import MatchRow
from antipodes.web.notifications.email_message import Attachment, EmailMessage
from antipodes.web.notifications.emails import address_of, headers_of
from antipodes.web.notifications.outbox import enqueue


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
        original: the words of the mail that an answer may quote.
        touched: addresses of the matches that this mail has changed, not yet for certain.
        written: how many letters were written.
    """

    mail: Mail
    request: Request
    arrival: int
    key: str
    user: User | None = None
    reader: User | None = None
    row: MatchRow | None = None
    original: str = ""
    touched: set[str] = field(default_factory=set)
    written: int = 0

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
        enclosures: Sequence[Attachment] = (),
        about: MatchRow | None = None,
    ) -> None:
        """Answer whoever has sent the mail.

        Somebody who is known is answered at a confirmed address of their account, so that the owner
        hears what is done in their name, and nobody else does. Where nobody can be answered,
        nothing is written.

        Args:
            subject: of the letter.
            text: its first part.
            html: the same with pictures.
            enclosures: those pictures.
            about: the match that it is about: then it joins the thread of letters about that, and
                replies of whoever plays there go to the personal address.
        """
        to = answer_address(self.reader, self.mail)
        if to:
            letter = Letter(subject=subject, text=text, html=html, enclosures=tuple(enclosures))
            self._post(to, self.reader, letter, about)

    def tell(
        self,
        user: User,
        subject: str,
        text: str,
        html: str = "",
        enclosures: Sequence[Attachment] = (),
        about: MatchRow | None = None,
    ) -> bool:
        """Write to somebody else, at their confirmed address; return whether they have one."""
        to = address_of(user)
        if to is None:
            return False
        letter = Letter(subject=subject, text=text, html=html, enclosures=tuple(enclosures))
        self._post(to, user, letter, about)
        return True

    def _post(self, to: str, user: User | None, letter: Letter, about: MatchRow | None) -> None:
        mail = self.mail if user == self.reader else None
        key = f"mail {self.key} {self.written}"
        self.written += 1
        enqueue(draft_of(letter, key=key, to=to, user=user, about=about, mail=mail))


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """What a letter says."""

    subject: str
    text: str
    html: str = ""
    enclosures: tuple[Attachment, ...] = ()


def draft_of(
    letter: Letter,
    *,
    key: str,
    to: str,
    user: User | None = None,
    about: MatchRow | None = None,
    mail: Mail | None = None,
) -> EmailMessage:
    """Return a letter of the mailroom as it goes into the outbox.

    Args:
        letter: what it says.
        key: names it among all letters.
        to: the address.
        user: whose address that is, if it is known.
        about: the match that it is about.
        mail: what it answers.
    """
    thread = f"match {about.slug}" if about is not None and user is not None else ""
    message_id, headers = headers_of(
        user,
        key,
        thread=thread,
        answered=None if mail is None else mail.message_id,
        known=() if mail is None else mail.references,
    )
    headers["Reply-To"] = _reply_to(user, about)
    return EmailMessage(
        key=key,
        to=to,
        user=user,
        subject=letter.subject,
        text=letter.text,
        html=letter.html,
        attachments=letter.enclosures,
        message_id=message_id,
        thread=thread,
        headers={name: value for name, value in headers.items() if value},
    )


def _reply_to(user: User | None, about: MatchRow | None) -> str:
    """Return where replies to a letter go: a move is one only by the address of its board."""
    if user is not None and about is not None and about.seats.filter(user=user).exists():
        return reply_address(user, about)
    return command_address()


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
