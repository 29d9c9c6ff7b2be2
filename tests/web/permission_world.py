"""A small site for tests of permissions, with a user for each column of the table.

``ann`` is the owner, ``bob`` plays with her, ``cy`` is a member of her club, she has blocked
``eve``, and ``fay`` is suspended. Changes by requests are rolled back.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.cookies import SimpleCookie
from types import SimpleNamespace
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.db import connection, transaction
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.match import Resign, Terms
from antipodes.puzzles import store
from antipodes.records import Record
from antipodes.records.json_format import setup_data
from antipodes.tournaments.swiss import Swiss
from antipodes.web.accounts.api_tokens import Scope, make_token
from antipodes.web.accounts.models import ApiTokenRow, User
from antipodes.web.analysis.models import AnalysisRow
from antipodes.web.challenges.services import GameRequest, Opponent, request_game
from antipodes.web.clubs.models import ClubRow, Entry, InviteLinkRow, MemberRow
from antipodes.web.email_play.mail_tokens import make_token as make_mail_token
from antipodes.web.email_play.models import MailTokenRow
from antipodes.web.matches import snapshots
from antipodes.web.matches.models import ChatLine, MatchRow, WatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matchmaking.models import SeekRow
from antipodes.web.matchmaking.presets import DEFAULT_CLOCK
from antipodes.web.matchmaking.services import seek
from antipodes.web.moderation import reports
from antipodes.web.moderation.audit import record
from antipodes.web.moderation.models import HiddenLineRow, SanctionRow
from antipodes.web.moderation.moderators import MODERATORS
from antipodes.web.notifications import push
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.preferences import token_for
from antipodes.web.notifications.services import notify
from antipodes.web.platform import limits
from antipodes.web.platform.clock import now
from antipodes.web.puzzles import services as puzzle_services
from antipodes.web.puzzles.daily import daily, today
from antipodes.web.puzzles.models import MistakeRow
from antipodes.web.relations import services
from antipodes.web.simuls import services as simul_services
from antipodes.web.simuls.models import SimulRow
from antipodes.web.studies import services as study_services
from antipodes.web.tournaments import services as tournaments
from antipodes.web.tournaments.directing import add_computer
from antipodes.web.tournaments.models import EntryRow, GameRow, PairingRow, TournamentRow
from antipodes.web.tournaments.plans import Plan

# The columns of the table, in this order; each with the letter above it.
COLUMNS = {
    "n": "anonymous",
    "g": "guest",
    "a": "account",
    "o": "owner",
    "p": "player",
    "c": "club",
    "b": "blocked",
    "s": "suspended",
    "m": "moderator",
    "r": "root",
}

_GAME = make_game("hex", {"size": 3})
# Written by every request, also by refused ones.
_NOT_ACTS = ("django_session", "usersessions_usersession", "last_login", "used_at")
_SIGN_IN = ("account_login", "account_signup", "account_reauthenticate", "admin:login")


class World:
    """Users and their matches, clubs, challenges and other things."""

    def __init__(self) -> None:
        """Create all rows."""
        push.public_key()  # otherwise the first page that shows it would store it
        self.people: dict[str, User] = {
            "guest": User.objects.create(username="Guest 4821", is_guest=True),
            "account": User.objects.create(username="dee"),
            "owner": User.objects.create(username="ann"),
            "player": User.objects.create(username="bob"),
            "club": User.objects.create(username="cy"),
            "blocked": User.objects.create(username="eve"),
            "suspended": User.objects.create(username="fay"),
            "moderator": User.objects.create(username="mod", is_staff=True),
            "root": User.objects.create(username="ruth", is_staff=True, is_superuser=True),
        }
        moderators, _ = Group.objects.get_or_create(name=MODERATORS)
        self.people["moderator"].groups.add(moderators)
        self.tokens = {
            who: make_token(user, "a program", list(Scope), None)[1]
            for who, user in self.people.items()
            if not user.is_guest
        }
        self.ann, self.bob, self.cy, self.dee = ann, bob, cy, dee = [
            self.people[who] for who in ("owner", "player", "club", "account")
        ]
        self.club = ClubRow.objects.create(slug="the-club", name="The club", made_at=now())
        MemberRow.objects.create(club=self.club, user=ann, role="owner", since=now())
        MemberRow.objects.create(club=self.club, user=cy, since=now())
        self.hidden = ClubRow.objects.create(
            slug="hidden", name="Hidden", entry="invited", is_public=False, made_at=now()
        )
        MemberRow.objects.create(club=self.hidden, user=ann, role="owner", since=now())
        MemberRow.objects.create(club=self.hidden, user=cy, since=now())
        self.request_club = ClubRow.objects.create(
            slug="the-quiet-club", name="The quiet club", entry=Entry.REQUEST, made_at=now()
        )
        self.link = InviteLinkRow.objects.create(club=self.hidden, by=ann, made_at=now())
        self.search = seek(ann, game_id="hex", board="small", control=DEFAULT_CLOCK, rated=False)
        self.slow_search = seek(ann, game_id="hex", board="large", control="1d/move", rated=False)
        # Long ago, so that each visit is saved.
        SeekRow.objects.filter(pk=self.search.pk).update(seen_at=0)
        empty = Record(_GAME)
        self.study = study_services.create_study(ann, "Open", "unlisted", empty)
        self.hidden_study = study_services.create_study(ann, "Hidden", "private", empty)
        for study in (self.study, self.hidden_study):
            study_services.invite(study, ann, ["bob"], can_write=True)
        self.event = self._event(ann)
        tournaments.join(self.event.pk, bob)
        add_computer(self.event.pk, ann, "2")  # so that it can start
        self.hidden_event = self._event(ann, club=self.hidden, is_private=True)
        self.simul, self.begun_simul = self._simul(), self._simul()
        simul_services.begin(self.begun_simul.slug, ann)
        self.public = self._match(ann, bob)
        self.private = self._match(ann, bob, is_private=True, club=self.club)
        self.over = self._match(ann, bob)
        carry_out(self.over.slug, Resign(seat=0, ply=0, key="it is enough"))
        self.played_event, self.of_event = self._event(ann), self._match(ann, bob)
        pairing = PairingRow(tournament=self.played_event, round=1, table=1)
        pairing.first, pairing.second = (
            EntryRow.objects.create(tournament=self.played_event, user=user, rating=0, joined_at=0)
            for user in (ann, bob)
        )
        pairing.save()
        GameRow.objects.create(pairing=pairing, number=1, match=self.of_event)
        self.open = request_game(ann, GameRequest(game=_GAME, opponent=Opponent.ANYBODY))
        invitation = GameRequest(game=_GAME, opponent=Opponent.PEOPLE, people=(bob,))
        self.invitation = request_game(ann, invitation)
        self.line = self._chat_line(self.public, ann)
        self.private_line = self._chat_line(self.private, ann)
        self.line_of_event = self._line_of_event(self.event, bob)
        self.line_of_hidden_event = self._line_of_event(self.hidden_event, ann)
        services.block(ann, self.people["blocked"])
        self.measure = SanctionRow.objects.create(
            user=self.people["suspended"],
            kind="suspension",
            reason="cheating",
            until=timezone.now() + timedelta(days=3),
        )
        WatchRow.objects.create(match=self.public, user=self.people["account"])
        self.token = ApiTokenRow.objects.get(user=ann)
        make_mail_token(ann, "a mail program")
        self.mail_token = MailTokenRow.objects.get(user=ann)
        self.analysis = AnalysisRow.objects.create(
            user=ann,
            game_id="hex",
            options={},
            moves=[],
            effort="glance",
            asked_at=now(),
            seen_at=now() - 5_000,  # long enough ago that a visit is saved
        )
        puzzles = [one for one in store.puzzles("hex") if one.length == 1]
        self.puzzle, self.tried = puzzles[:2]  # ann has tried the second one
        self.right = SimpleNamespace(move=self.puzzle.line[0])
        self.answer = SimpleNamespace(move=self.puzzle.line[0])
        daily(today())  # otherwise the first page that shows it would store it
        puzzle_services.solution(ann, self.tried)
        self.puzzle_report = puzzle_services.report(ann, self.tried, "wrong")
        self.mistake = MistakeRow.objects.create(
            user=ann,
            match=self.over,
            ply=0,
            game_id="hex",
            options={"size": 3},
            setup=setup_data(_GAME.initial().to_setup()),
            played="a1",
            better="b2",
            before=1,
            after=0,
            state="ready",
            asked_at=now(),
        )
        self.report = reports.report(dee, ann, "insult", match=self.public, line=self.line)

        self.audit = record(self.people["root"], "try", ann)
        self.group = moderators
        HiddenLineRow.objects.create(pk=1, line=self._chat_line(self.over, bob))
        EmailAddress.objects.create(pk=1, user=ann, email="ann@example.org", primary=True)
        secret = {"secret": "none"}
        Authenticator.objects.create(pk=1, user=bob, type="totp", data=secret)
        key = f"sanction {self.report.pk}"
        notice = notify(ann, NotificationKind.MODERATION, key=key, path="/following/", text="hello")
        assert notice is not None
        self.notice = notice
        self.stop = SimpleNamespace(token=token_for(ann))
        self._client = Client()  # shared, since creating one takes longer than a request
        self.cookies = {"anonymous": ""}
        for who, user in self.people.items():
            self._client.cookies = SimpleCookie()
            self._client.force_login(user)
            self.cookies[who] = self._client.cookies.output(header="", sep=";")

    def _simul(self) -> SimulRow:
        """Make a simul of ann that bob and cy have joined."""
        terms = {"game_id": "hex", "board": "small", "control": "10m+5s"}
        row = simul_services.make_simul(self.ann, **terms, host_seat=None)
        for player in (self.bob, self.cy):
            simul_services.join(row.slug, player)
        return row

    @staticmethod
    def _event(host: User, **more: Any) -> TournamentRow:
        rules = {"title": "Cup", "format": Swiss(), "control": read_control("5m+5s")}
        return tournaments.create_tournament(host, Plan(**{**rules, "game": _GAME, **more}))

    @staticmethod
    def _match(*users: User, **more: Any) -> MatchRow:
        terms = Terms(game=_GAME, players=tuple(str(user.pk) for user in users))
        row = begin_match(terms, users)
        for name, value in more.items():
            setattr(row, name, value)
        row.save()
        snapshots.forget()
        return row

    @staticmethod
    def _chat_line(row: MatchRow, user: User) -> ChatLine:
        return ChatLine.objects.create(match=row, room="seated", user=user, text="hello", at=now())

    @staticmethod
    def _line_of_event(row: TournamentRow, user: User) -> ChatLine:
        return ChatLine.objects.create(
            room="tournament", slug=row.slug, user=user, text="hello", at=now()
        )

    def outcome(self, who: str, method: str, address: str, data: Any, *, by_token: bool) -> str:
        """Send a request as one of the users; return a letter for its outcome.

        ``headers`` are those of the response.

        ========  =========================================================
        ``.``     success, no changes
        ``+``     success or redirect, with changes
        ``>``     redirect, no changes
        ``L``     redirect to sign in or sign up
        ``4``     400, 409, 422 or 429
        ``1``     401
        ``x``     403
        ``0``     404
        ``m``     405
        ========  =========================================================
        """
        with self._rolled_back(), _writes() as writes:
            headers = {}
            self._client.cookies = SimpleCookie("" if by_token else self.cookies[who])
            if by_token and who in self.tokens:
                headers["Authorization"] = f"Bearer {self.tokens[who]}"
            send = getattr(self._client, method.lower())
            form = {"content_type": "application/json"} if by_token and method != "GET" else {}
            response = send(address, data, headers=headers, **form)
            self.headers = response.headers
            is_page = response.headers.get("Content-Type", "").startswith("text/html")
            self.page = response.getvalue().decode() if is_page else ""
            found = _letter(response)
            if found in ".>" and writes:
                return "+"
            if found not in ".>" and writes:
                raise AssertionError(f"refused ({response.status_code}), but written: {writes}")
            return found

    @staticmethod
    @contextmanager
    def _rolled_back() -> Iterator[None]:
        limits.limiter().storage.reset()
        snapshots.forget()
        try:
            with transaction.atomic():
                yield
                transaction.set_rollback(True)
        finally:
            snapshots.forget()


@contextmanager
def _writes() -> Iterator[list[str]]:
    """Collect queries that change rows, except those of every request."""
    found: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        is_write = sql.lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE"))
        is_new = sql.lstrip().upper().startswith("INSERT")
        is_write = is_new or (is_write and context["cursor"].rowcount)
        if is_write and not any(name in sql for name in _NOT_ACTS):
            found.append(f"{sql} {params}"[:300])
        return result

    with connection.execute_wrapper(note):
        yield found


def _letter(response: HttpResponseBase) -> str:
    status = response.status_code
    if status in (301, 302, 303):
        location = response.headers["Location"]
        return "L" if any(location.startswith(reverse(name)) for name in _SIGN_IN) else ">"
    if status < 300:
        return "."
    letters = {400: "4", 401: "1", 403: "x", 404: "0", 405: "m", 409: "4", 422: "4", 429: "4"}
    if status not in letters:
        raise AssertionError(f"unexpected status {status}")
    return letters[status]
