"""Processing of one mail: authentication, rate limits, its commands, and replies."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from functools import partial

from django.db import transaction

from antipodes.clocks import DAY
from antipodes.errors import Fault, InputError
from antipodes.mail.incoming import Mail, MailVerdict
from antipodes.mail.layout import write_news
from antipodes.mail.layout.replies import refusal_answer
from antipodes.mail.requests import (
    COMMANDS,
    Proof,
    Reading,
    Request,
    Verb,
    move_line,
    read_requests,
    unreadable_faults,
)
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import find_players
from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.commands.emails import confirmation_of
from antipodes.web.email_play.commands.handlers import handle_reply, handler_for
from antipodes.web.email_play.commands.puzzles import thread_at
from antipodes.web.email_play.context import (
    CommandContext,
    EmailContent,
    build_email,
    reply_recipient,
    request_key,
)
from antipodes.web.email_play.inbox import MAX_BYTES
from antipodes.web.email_play.match_commands import read_line
from antipodes.web.email_play.match_emails import board_content, board_report, email_content
from antipodes.web.email_play.models import ConfirmationRow, InboundMailRow, PuzzleThreadRow
from antipodes.web.email_play.reply_addresses import address_owner, personal_addresses
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
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.matches.viewpoints import side_of
from antipodes.web.notifications.emails import address_of
from antipodes.web.notifications.outbox import enqueue
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import TooManyError, rate_limit, take
from antipodes.web.platform.outages import outage_of

logger = logging.getLogger(__name__)

# Mails, not commands; a mail may contain several.
OF_A_USER = rate_limit(
    "mail-of-user", "60/minute;1000/day", per="user", what="mails that are carried out"
)
TOLD_TO_STOP = rate_limit(
    "mail-told-to-stop", "1/hour", per="sender", what="replies that say that a limit is reached"
)

_MAX_OF_STRANGERS = 3  # commands in a mail of an unknown sender; each has a reply
_PUZZLE_WORDS = ("hint", "solution")
# Faults that a mail has if its text cannot be read.
_OF_MISSING_TEXT = {"mail/no-move", "mail/no-words", "mail/no-answer", "mail/text"}
_LEFT_OUT = "…"
_MAX_QUOTED = 4_000  # characters of a mail that a reply quotes

_WORD = re.compile(r"\w[\w.@:/-]{2,}")  # shorter words cannot carry a spammer's text
_COMMAND_WORDS = {word for info in COMMANDS for name in info.names for word in name.split()}
_PROOFS = {info.verb: info.proof for info in COMMANDS}

Outcome = InboundMailRow.Outcome


class _IgnoredError(Exception):
    """A shared limit is reached, and the sender of the mail is unverified: do not reply."""


class MailProcessor:
    """Processes one mail, inside a transaction."""

    def __init__(self, mail: Mail, row: InboundMailRow) -> None:
        """Authenticate the sender by addresses and tokens, and read the commands."""
        self.mail = mail
        self._row = row
        personal = personal_addresses([*row.recipients, *mail.recipients])
        owners = [owner for owner in map(address_owner, personal) if owner is not None]
        confirmations = [found for found in map(confirmation_of, personal) if found is not None]
        threads = [found for found in map(thread_at, personal) if found is not None]
        count = len(owners) + len(confirmations) + len(threads)
        self._has_invalid_address = bool(personal) and count == 0
        # A text belongs to one board, so a mail to several valid addresses is refused.
        self._has_several = count > 1
        self._confirmation = confirmations[0] if confirmations and count == 1 else None
        self._puzzle_thread = threads[0] if threads and count == 1 else None
        self._sender = owners[0] if len(owners) == 1 else None
        self.reading = self._read()
        self._token_owners = {
            request.secret: mail_tokens.user_of(request.secret) for request in self.reading.requests
        }
        self.reader = self._known_sender()
        self._is_answered = False
        self._touched: set[str] = set()

    def _read(self) -> Reading:
        if self._sender is None:
            return read_requests(self.mail)
        board, user = self._sender.row.pk, self._sender.user.username
        return read_requests(self.mail, board=board, user=user, is_legal=self._is_legal)

    def _is_legal(self, request: Request) -> bool:
        """Return whether the first move is legal on the board of the reply address."""
        if self._sender is None or request.board != self._sender.row.pk or not request.words:
            return True
        snapshot = snapshot_of(self._sender.row)
        position, side = snapshot.match.position, side_of(snapshot, self._sender.user)
        try:
            return bool(read_line(position, request.words[:1], side))
        except InputError:
            return False

    def _known_sender(self) -> User | None:
        """Return the sender's account, as far as an address or all tokens of the mail say."""
        if self._sender is not None:
            return self._sender.user
        if self._confirmation is not None:
            return self._confirmation.user
        if self._puzzle_thread is not None:
            return self._puzzle_thread.user
        owners = {owner for owner in self._token_owners.values() if owner is not None}
        return owners.pop() if len(owners) == 1 else None

    def process(self) -> InboundMailRow.Outcome:
        # Before any limit is counted, or forged mail would use up those of the account owner.
        if self.mail.verdict is MailVerdict.FAIL:
            self._warn_of_forgery()
            return Outcome.IGNORED
        try:
            self._check_limits()
        except TooManyError as error:
            return self._reply_to_excess(error)
        except _IgnoredError:
            logger.warning("mail ignored: too many from unknown senders id=%s", self._row.pk)
            return Outcome.IGNORED
        self._warn_of_passwords()
        faults = self._faults_of_mail()
        if faults:
            self._refuse(faults)
            return self._outcome()
        if self._confirmation is not None:
            # Such a reply contains no commands; its meaning depends on the confirmation.
            request = Request(verb=Verb.CONFIRM, text=self.mail.own_text)
            self._handle(0, request, self._confirmation)
            return self._outcome()
        if self._puzzle_thread is not None:
            self._answer_puzzle(self._puzzle_thread)
            return self._outcome()
        if self.reading.faults:
            self._refuse(self.reading.faults)
        limit = None if self._may_quote() else _MAX_OF_STRANGERS
        for index, request in enumerate(self.reading.requests[:limit]):
            self._handle(index, request)
        return self._outcome()

    def fail(self) -> InboundMailRow.Outcome:
        """Tell the sender that an error of the site prevents processing the mail."""
        self._report_failure("mail")
        return Outcome.FAILED

    def _outcome(self) -> InboundMailRow.Outcome:
        return Outcome.ANSWERED if self._is_answered else Outcome.IGNORED

    def _faults_of_mail(self) -> list[Fault]:
        """Return the reasons to refuse the whole mail."""
        if not self._row.is_whole:
            template = "the mail has {size} bytes; the limit is {most}"
            return [Fault.of("mail/too-large", template, size=self._row.size, most=MAX_BYTES)]
        if self._has_several:
            text = "this mail went to several reply addresses; write one mail for each board"
            return [Fault("mail/several-boards", text)]
        if self._has_invalid_address:
            text = "this reply address is no longer valid; reply to a newer mail or use a token"
            return [Fault("mail/address", text)]
        return []

    # Rate limits and warnings.

    def _check_limits(self) -> None:
        """Count the mail against the rate limits.

        Raises:
            TooManyError: the sender has sent too many mails.
            _IgnoredError: unknown senders together have sent too many.
        """
        if self.reader is not None:
            take(OF_A_USER, str(self.reader.pk))
            return
        take_for_sender(OF_A_SENDER, self.mail)
        if self._confirmation is not None or self._is_known_address():
            return  # the number of such senders is limited already
        try:
            take_for_domain(OF_A_DOMAIN, self.mail)
            take_for_all(OF_STRANGERS, self.mail)
        except TooManyError as error:
            raise _IgnoredError from error

    def _reply_to_excess(self, error: TooManyError) -> InboundMailRow.Outcome:
        try:
            if self.reader is not None:
                take(TOLD_TO_STOP, str(self.reader.pk))
            else:
                take_for_sender(TOLD_TO_STOP, self.mail)
        except TooManyError:
            return Outcome.IGNORED
        self._refuse(error.faults)
        return self._outcome()

    def _warn_of_forgery(self) -> None:
        """Warn the owners of the address and tokens in a mail whose sender is forged."""
        for user in {self.reader, *self._token_owners.values()} - {None}:
            lines = [
                (
                    "A mail with your reply address or mail token had a forged sender: the domain"
                    " that it names does not allow the server that sent it."
                ),
                (
                    "It was ignored. If you did not send it, revoke your reply addresses and"
                    " tokens on the page of your account."
                ),
            ]
            self._warn(user, "forged", "A mail in your name was refused", lines)

    def _warn_of_passwords(self) -> None:
        """Warn users if a mail has something like a password after their name.

        It is not compared with their password, so the reply cannot reveal that one is right.
        """
        names = [name for name in self.reading.exposed if name]
        for user in find_players(names)[0] if names else ():
            lines = [
                (
                    "A mail had a command in your name, with a word where the classic server"
                    " expected a password. It was refused, and that word was not stored."
                ),
                (
                    "Never send a password by mail. Use a mail token from the page of your"
                    " account, or reply to mails about your boards. If the word was your"
                    " password, change it now."
                ),
            ]
            self._warn(user, "password", "Please send no password by mail", lines)

    def _warn(self, user: User | None, kind: str, subject: str, lines: Sequence[str]) -> None:
        to = address_of(user) if user is not None else None
        if user is None or to is None:
            return
        # The key allows one warning a day.
        key = f"warning {kind} {user.pk} {now() // DAY}"
        content = EmailContent(subject=subject, text=write_news(lines))
        enqueue(build_email(content, key=key, to=to, user=user))

    # Commands.

    def _answer_puzzle(self, thread: PuzzleThreadRow) -> None:
        """Handle a reply to an e-mail about a puzzle: its first line has the moves."""
        first = move_line(self.mail.own_text, _PUZZLE_WORDS)
        words = (thread.puzzle_id, *first.split())
        if len(words) == 1:
            text = "the first line of your reply is empty; write your move there"
            self._refuse([Fault("mail/no-move", text)])
            return
        self._handle(0, Request(verb=Verb.PUZZLE, words=words), replier=thread.user)

    def _handle(
        self,
        index: int,
        request: Request,
        confirmation: ConfirmationRow | None = None,
        *,
        replier: User | None = None,
    ) -> None:
        """Handle a command or refuse it; the other commands of the mail are independent.

        ``replier`` is the user whom the reply address of a puzzle authenticates.
        """
        row: MatchRow | None = None
        user: User | None = None
        key = request_key(self._row.key, index)
        try:
            if confirmation is not None:
                user = confirmation.user
            else:
                user = replier or self._authenticated(request)
            row = self._match_of(request, user)
            if confirmation is None:
                self._check_proof(request, user)
            with transaction.atomic():
                self._call_handler(request, key, user, row, confirmation)
        except InputError as error:
            self._refuse(error.faults, index=index, user=user, row=row)
        except Exception as error:
            if outage_of(error):
                raise
            logger.exception("mail command failed id=%s verb=%s", self._row.pk, request.verb)
            self._report_failure(str(index))

    def _call_handler(
        self,
        request: Request,
        key: str,
        user: User | None,
        row: MatchRow | None,
        confirmation: ConfirmationRow | None,
    ) -> None:
        handler = handler_for(request.verb, on_board=row is not None)
        if confirmation is not None:
            handler = partial(handle_reply, confirmation=confirmation)
        if handler is None:
            template = "{command} is not for this: it needs {what}"
            what = "a board" if row is None else "no board"
            raise InputError(
                [Fault.of("mail/no-board", template, command=request.verb.value, what=what)]
            )
        context = CommandContext(
            mail=self.mail,
            request=request,
            key=key,
            user=user,
            reader=self.reader,
            row=row,
            original=self._original(),
            touched=self._touched,
        )
        handler(context)
        self._is_answered = True

    def _authenticated(self, request: Request) -> User | None:
        """Return the user whom a token or the reply address authenticates for a command.

        Raises:
            InputError: the token is invalid, or the command is in another user's name.
        """
        user: User | None = None
        if request.secret:
            user = self._token_owners.get(request.secret)
            if user is None:
                raise InputError.single("mail/token", "this mail token is no longer valid")
        elif self._sender is not None and request.board == self._sender.row.pk:
            user = self._sender.user
        named = {request.user.lower()} - {""}
        if request.verb is Verb.CHALLENGE:
            # The names are those of the players in the order of their seats; one is the sender.
            named |= {word.lower() for word in request.words}
        if user is not None and named and user.username.lower() not in named:
            template = "this mail token or reply address is not one of {user}"
            raise InputError([Fault.of("mail/other-user", template, user=request.user)])
        return user

    def _check_proof(self, request: Request, user: User | None) -> None:
        """Check that a command is authenticated if it has to be.

        Raises:
            InputError: it is not.
        """
        if user is not None or _PROOFS.get(request.verb, Proof.USER) is Proof.NONE:
            return
        if self._sender is not None:
            template = (
                "a reply address is valid for its own board {board} only; for this use a mail token"
                " from the page of your account"
            )
            fault = Fault.of("mail/other-board", template, board=self._sender.row.pk)
            raise InputError([fault])
        raise InputError.single(
            "mail/no-proof",
            "this needs proof of who you are: a mail token from the page of your account after"
            " your userid, or a reply to a mail about the board",
        )

    def _match_of(self, request: Request, user: User | None) -> MatchRow | None:
        """Return the match that a command names.

        Raises:
            InputError: there is none with this number, the user may not watch it, or the command
                names another game.
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
            values = {"board": row.pk, "game": row.game_id, "named": request.game}
            raise InputError([Fault.of("mail/other-game", template, **values)])
        return row

    # Replies that no handler writes.

    def _refuse(
        self,
        faults: Sequence[Fault],
        *,
        index: int | str = "mail",
        user: User | None = None,
        row: MatchRow | None = None,
    ) -> None:
        """Reply with the reasons, the board if there is one, and the original text."""
        if row is None and self._sender is not None:
            row, user = self._sender.row, self._sender.user
        report = None
        if row is not None and may_watch(row, user):
            report = board_report(snapshot_of(row), user)
        if not self._may_quote():
            faults = [self._without_own_words(fault) for fault in faults]
        if any(fault.code in _OF_MISSING_TEXT for fault in faults):
            faults = [*faults, *unreadable_faults(self.mail)]
        unique = list(dict.fromkeys(faults))
        answer = refusal_answer(unique, report=report, original=self._original())
        if report is None:
            content = email_content(self._reply_subject(), answer)
        else:
            content = board_content(report, user, answer)
        self._enqueue(content, f"{index} refused", row if report is not None else None)

    def _report_failure(self, index: str) -> None:
        lines = [
            "This could not be carried out because of an error of the site; nothing was changed.",
            "The host of the site is informed.",
        ]
        content = EmailContent(subject=self._reply_subject(), text=write_news(lines))
        self._enqueue(content, f"{index} failed", None)

    def _enqueue(self, content: EmailContent, name: str, about: MatchRow | None) -> None:
        to = reply_recipient(self.reader, self.mail)
        if not to:
            return
        key = f"mail {request_key(self._row.key, 0)} {name}"
        enqueue(build_email(content, key=key, to=to, user=self.reader, about=about, mail=self.mail))
        self._is_answered = True

    def _may_quote(self) -> bool:
        """Return whether a reply may contain words of the mail.

        It may not if the sender is unverified: a spammer could forge the sender to have the site
        send a text to that address.
        """
        is_known = self.reader is not None or self._confirmation is not None
        return is_known or is_verified(self.mail)

    def _reply_subject(self) -> str:
        if not self._may_quote():
            return "Antipodes: your mail"
        return f"Re: {self.reading.blotted(self.mail.subject)}".strip()[:200]

    def _original(self) -> str:
        """Return the text of the mail that a reply quotes, without secrets."""
        if not self._may_quote():
            return ""
        body = self.mail.own_text or self.mail.text
        text = f"Subject: {self.mail.subject}\n\n{body}"
        return self.reading.blotted(text)[:_MAX_QUOTED]

    def _without_own_words(self, fault: Fault) -> Fault:
        """Return a fault without its values, which come from the mail, and words of the mail."""
        if fault.template:
            blanks = dict.fromkeys(fault.values, _LEFT_OUT)
            return Fault(fault.code, fault.template.format_map(blanks))
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
