"""A mail on its way through the mailroom: whose it is, what it may, and what it is answered."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Sequence
from functools import partial

from django.db import transaction

from antipodes.errors import Fault, InputError
from antipodes.mail.incoming import Mail, Verdict
from antipodes.mail.layout import write_news
from antipodes.mail.layout.replies import refusal_answer
from antipodes.mail.requests import COMMANDS, Proof, Reading, Request, Verb, read_requests
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import find_players
from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.commands.confirmations import slip_of
from antipodes.web.email_play.commands.replies import answer_slip
from antipodes.web.email_play.context import (
    Call,
    Letter,
    answer_address,
    draft_of,
    handler_of,
    key_of,
)
from antipodes.web.email_play.inbox import LARGEST
from antipodes.web.email_play.match_emails import board_letter, letter_of, report_of
from antipodes.web.email_play.models import ConfirmationRow, InboundMailRow
from antipodes.web.email_play.reply_addresses import personal_of, who_is
from antipodes.web.email_play.sender_limits import (
    OF_A_DOMAIN,
    OF_A_SENDER,
    OF_STRANGERS,
    is_verified,
    take_for_all,
    take_for_domain,
    take_for_sender,
)
from antipodes.web.matches.access import may_watch
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import standing_of
from antipodes.web.notifications.emails import address_of
from antipodes.web.notifications.outbox import enqueue
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import TooManyError, rate_limit, take
from antipodes.web.platform.outages import OUTAGES

logger = logging.getLogger(__name__)

# How many mails are carried out; one mail may ask for many things.
OF_A_USER = rate_limit(
    "mail-of-user", "60/minute;1000/day", per="user", what="mails that are carried out"
)
TOLD_TO_STOP = rate_limit(
    "mail-told-to-stop", "1/hour", per="sender", what="replies that say that a limit is reached"
)

_MOST_OF_STRANGERS = 3  # requests in a mail whose sender is unknown; each has an answer
_LEFT_OUT = "…"
_MOST_QUOTED = 4_000  # characters of a mail that an answer quotes
_DAY = 86_400_000  # milliseconds

# Words that answers always have: short ones, of which nobody makes a text, and commands.
_WORD = re.compile(r"\w[\w.@:/-]{2,}")
_COMMAND_WORDS = {word for info in COMMANDS for name in info.names for word in name.split()}
_PROOFS = {info.verb: info.proof for info in COMMANDS}

Outcome = InboundMailRow.Outcome


class _NoAnswerError(Exception):
    """A mail is not even refused, since nobody knows whether its sender has written it."""


class Visit:
    """One mail that is being handled, inside a transaction."""

    def __init__(self, mail: Mail, row: InboundMailRow) -> None:
        """Find out for whom the addresses stand that it was sent to, and what it asks for."""
        self.mail = mail
        self._row = row
        personal = personal_of([*row.recipients, *mail.recipients])
        found = [sender for sender in map(who_is, personal) if sender is not None]
        slips = [slip for slip in map(slip_of, personal) if slip is not None]
        self._has_dead_address = bool(personal) and not found and not slips
        self._has_several = len(found) + len(slips) > 1
        self._slip = slips[0] if len(slips) == 1 and not found else None
        self._sender = found[0] if len(found) == 1 else None
        self.reading = self._read()
        self._owners = {
            one.secret: mail_tokens.user_of(one.secret) for one in self.reading.requests
        }
        self.reader = self._known()
        self._is_answered = False
        self._touched: set[str] = set()

    def _read(self) -> Reading:
        if self._sender is None:
            return read_requests(self.mail)
        board, user = self._sender.row.pk, self._sender.user.username
        return read_requests(self.mail, board=board, user=user)

    def _known(self) -> User | None:
        """Return who has written, as far as an address or a token of the mail says."""
        if self._sender is not None:
            return self._sender.user
        return self._owner() if self._slip is None else self._slip.user

    def _owner(self) -> User | None:
        """Return for whom the tokens of the mail stand, if they all stand for one."""
        owners = {owner for owner in self._owners.values() if owner is not None}
        return owners.pop() if len(owners) == 1 else None

    def carry_out(self) -> InboundMailRow.Outcome:
        """Do what the mail asks for; return what became of it."""
        if self.mail.verdict is Verdict.FAIL:
            self._warn_of_forgery()
            return Outcome.SILENT
        try:
            self._take()
        except TooManyError as error:
            return self._tell_to_stop(error)
        except _NoAnswerError:
            logger.warning("mail ignored: too many from unknown senders arrival=%s", self._row.pk)
            return Outcome.SILENT
        self._warn_of_passwords()
        faults = self._faults_of_mail()
        if faults:
            self._refuse(faults)
            return self._outcome()
        if self._slip is not None:
            # What such a reply says is no command; the slip knows what it means.
            self._do(0, Request(verb=Verb.CONFIRM, text=self.mail.own_text), self._slip)
            return self._outcome()
        if self.reading.faults:
            self._refuse(self.reading.faults)
        most = None if self._may_quote() else _MOST_OF_STRANGERS
        for index, request in enumerate(self.reading.requests[:most]):
            self._do(index, request)
        return self._outcome()

    def give_up(self) -> InboundMailRow.Outcome:
        """Say that the mail cannot be handled, through no fault of its sender."""
        self._fail("mail")
        return Outcome.FAILED

    def _outcome(self) -> InboundMailRow.Outcome:
        return Outcome.ANSWERED if self._is_answered else Outcome.SILENT

    def _faults_of_mail(self) -> list[Fault]:
        """Return why nothing of the mail is carried out."""
        if not self._row.is_whole:
            template = "the mail has {size} bytes; at most {most} are read"
            return [Fault.of("mail/too-large", template, size=self._row.size, most=LARGEST)]
        if self._has_several:
            text = "this mail went to several reply addresses; write one mail for each board"
            return [Fault("mail/several-boards", text)]
        if self._has_dead_address:
            text = "this reply address holds no longer; answer a newer letter, or use a mail token"
            return [Fault("mail/address", text)]
        return []

    # Who writes too much, or in another's name.

    def _take(self) -> None:
        """Count the mail.

        Raises:
            TooManyError: its sender has sent too many.
            _NoAnswerError: a limit is reached that senders share.
        """
        if self.reader is not None:
            take(OF_A_USER, str(self.reader.pk))
            return
        take_for_sender(OF_A_SENDER, self.mail)
        if self._slip is not None or self._is_known_address():
            return  # a letter was answered, or there are as many of them as accounts
        try:
            take_for_domain(OF_A_DOMAIN, self.mail)
            take_for_all(OF_STRANGERS, self.mail)
        except TooManyError as error:
            raise _NoAnswerError from error

    def _tell_to_stop(self, error: TooManyError) -> InboundMailRow.Outcome:
        try:
            if self.reader is not None:
                take(TOLD_TO_STOP, str(self.reader.pk))
            else:
                take_for_sender(TOLD_TO_STOP, self.mail)
        except TooManyError:
            return Outcome.SILENT
        self._refuse(error.faults)
        return self._outcome()

    def _warn_of_forgery(self) -> None:
        """Tell whoever owns the address or token of a mail that is not from where it says."""
        owners = {self.reader, *self._owners.values()} - {None}
        for user in owners:
            lines = [
                (
                    "A mail with your reply address or mail token came from somebody who is not who"
                    " the mail says: your mail server's rules do not allow its sender."
                ),
                (
                    "Nothing of it was carried out. If it was not yours, revoke your reply"
                    " addresses and tokens on the page of your account."
                ),
            ]
            self._warn(user, "forged", "A mail in your name was refused", lines)

    def _warn_of_passwords(self) -> None:
        """Tell those beside whose names something stood where a password would be.

        Whether it was their password nobody asks; so nobody is told.
        """
        names = [name for name in self.reading.exposed if name]
        for user in find_players(names)[0] if names else ():
            lines = [
                (
                    "A mail came with a command in your name, and with a word where the classic"
                    " server wanted a password. It was not carried out, and that word was not kept."
                ),
                (
                    "Never send a password by mail. Use a mail token from the page of your"
                    " account, or answer the letters about your boards. If the word was your"
                    " password, change it now."
                ),
            ]
            self._warn(user, "password", "Please send no password by mail", lines)

    def _warn(self, user: User | None, kind: str, subject: str, lines: Sequence[str]) -> None:
        to = address_of(user) if user is not None else None
        if user is None or to is None:
            return
        # The key lets one letter through in a day, whoever writes how often in somebody's name.
        key = f"warning {kind} {user.pk} {now() // _DAY}"
        enqueue(
            draft_of(Letter(subject=subject, text=write_news(lines)), key=key, to=to, user=user)
        )

    # One request.

    def _do(self, index: int, request: Request, slip: ConfirmationRow | None = None) -> None:
        """Carry out a request, or refuse it; the others of the mail do not suffer."""
        row: MatchRow | None = None
        user: User | None = None
        key = key_of(self._row.key, index)
        try:
            user = self._proved(request) if slip is None else slip.user
            row = self._row_of(request, user)
            if slip is None:
                self._check_proof(request, user)
            with transaction.atomic():
                self._hand_over(request, key, user, row, slip)
        except OUTAGES:
            raise
        except InputError as error:
            self._refuse(error.faults, index=index, user=user, row=row)
        except Exception:
            logger.exception("mail %s: %r has failed", self._row.pk, request.verb)
            self._fail(str(index))

    def _hand_over(
        self,
        request: Request,
        key: str,
        user: User | None,
        row: MatchRow | None,
        slip: ConfirmationRow | None,
    ) -> None:
        handler = handler_of(request.verb, on_board=row is not None)
        if slip is not None:
            handler = partial(answer_slip, slip=slip)
        if handler is None:
            template = "{command} is not for this: it needs {what}"
            what = "a board" if row is None else "no board"
            raise InputError(
                [Fault.of("mail/no-board", template, command=request.verb.value, what=what)]
            )
        call = Call(
            mail=self.mail,
            request=request,
            arrival=self._row.pk,
            key=key,
            user=user,
            reader=self.reader,
            row=row,
            original=self._original(),
            touched=self._touched,
        )
        handler(call)
        self._is_answered = True

    def _proved(self, request: Request) -> User | None:
        """Return who has proved to be whom for a request.

        Raises:
            InputError: the proof is none, or that of somebody else.
        """
        user: User | None = None
        if request.secret:
            user = self._owners.get(request.secret)
            if user is None:
                raise InputError.single("mail/token", "this mail token holds no longer")
        elif self._sender is not None and request.board == self._sender.row.pk:
            user = self._sender.user
        named = {request.user.lower()} - {""}
        if request.verb is Verb.CHALLENGE:
            # The names are those of the players in the order of their seats; one is the sender.
            named |= {word.lower() for word in request.words}
        if user is not None and named and user.username.lower() not in named:
            template = "what proves who you are is not of {user}"
            raise InputError([Fault.of("mail/other-user", template, user=request.user)])
        return user

    def _check_proof(self, request: Request, user: User | None) -> None:
        """Refuse what needs proof and has none.

        Raises:
            InputError: it has none.
        """
        if user is not None or _PROOFS.get(request.verb, Proof.USER) is Proof.NONE:
            return
        if self._sender is not None:
            template = (
                "a reply address is good for its own board {board} alone; for this use a mail token"
                " from the page of your account"
            )
            fault = Fault.of("mail/other-board", template, board=self._sender.row.pk)
            raise InputError([fault])
        raise InputError.single(
            "mail/no-proof",
            "this needs proof of who you are: a mail token from the page of your account after"
            " your userid, or an answer to a letter about the board",
        )

    def _row_of(self, request: Request, user: User | None) -> MatchRow | None:
        """Return the match of a request.

        Raises:
            InputError: there is none with this number, or not for them, or of another game.
        """
        if request.board is None:
            return None
        rows = MatchRow.objects.select_related("series")
        row = rows.filter(pk=request.board).first()
        if row is None or not may_watch(row, user):
            fault = Fault.of("mail/no-such-board", "there is no board {board}", board=request.board)
            raise InputError([fault])
        if request.game not in ("", row.game_id):
            template = "board {board} is a game of {game}, not of {named}"
            told = {"board": row.pk, "game": row.game_id, "named": request.game}
            raise InputError([Fault.of("mail/other-game", template, **told)])
        return row

    # Answers that are no handler's.

    def _refuse(
        self,
        faults: Sequence[Fault],
        *,
        index: int | str = "mail",
        user: User | None = None,
        row: MatchRow | None = None,
    ) -> None:
        """Answer with the reasons, the board if there is one, and what was asked."""
        if row is None and self._sender is not None:
            row, user = self._sender.row, self._sender.user
        report = None
        if row is not None and may_watch(row, user):
            report = report_of(standing_of(row), user)
        if not self._may_quote():
            faults = [self._without_own_words(fault) for fault in faults]
        answer = refusal_answer(_each_once(faults), report=report, original=self._original())
        if report is None:
            letter = letter_of(self._answer_subject(), answer)
        else:
            letter = board_letter(report, user, answer)
        self._post(letter, f"{index} refused", row if report is not None else None)

    def _fail(self, index: str) -> None:
        lines = [
            "This could not be carried out because of a fault of the site; nothing was changed.",
            "Whoever runs the site is told.",
        ]
        text = write_news(lines)
        self._post(Letter(subject=self._answer_subject(), text=text), f"{index} failed", None)

    def _post(self, letter: Letter, name: str, about: MatchRow | None) -> None:
        to = answer_address(self.reader, self.mail)
        if not to:
            return
        key = f"mail {key_of(self._row.key, 0)} {name}"
        draft = draft_of(letter, key=key, to=to, user=self.reader, about=about, mail=self.mail)
        enqueue(draft)
        self._is_answered = True

    def _may_quote(self) -> bool:
        """Return whether an answer may have words of the mail.

        Where nobody has proved to stand behind the address, none are: whoever forges an address
        must not have the site send their words there.
        """
        has_proof = self.reader is not None or self._slip is not None
        return has_proof or is_verified(self.mail)

    def _answer_subject(self) -> str:
        if not self._may_quote():
            return "Antipodes: your mail"
        return f"Re: {self.reading.blotted(self.mail.subject)}".strip()[:200]

    def _original(self) -> str:
        """Return the words of the mail that an answer quotes."""
        if not self._may_quote():
            return ""
        said = self.mail.own_text or self.mail.text
        text = f"Subject: {self.mail.subject}\n\n{said}"
        return self.reading.blotted(text)[:_MOST_QUOTED]

    def _without_own_words(self, fault: Fault) -> Fault:
        """Return a fault without its values, which come from the mail, and words of the mail."""
        if fault.template:
            nothing = dict.fromkeys(fault.values, _LEFT_OUT)
            return Fault(fault.code, fault.template.format_map(nothing))
        own = f"{self.mail.subject}\n{self.mail.text}".casefold()

        def shown(word: re.Match[str]) -> str:
            folded = word[0].casefold()
            is_own = folded in own and folded not in _COMMAND_WORDS
            return _LEFT_OUT if is_own else word[0]

        return Fault(fault.code, _WORD.sub(shown, fault.message))

    def _is_known_address(self) -> bool:
        from allauth.account.models import EmailAddress

        rows = EmailAddress.objects.filter(email__iexact=self.mail.sender, verified=True)
        return bool(self.mail.sender) and rows.exists()


def _each_once(faults: Iterable[Fault]) -> list[Fault]:
    return list(dict.fromkeys(faults))
