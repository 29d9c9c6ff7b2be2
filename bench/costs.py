"""Measure the worst act of each row of docs/costs.toml, and write docs/costs.json.

    python bench/costs.py                    all rows
    python bench/costs.py studies positions  rows whose kind has one of these words
    python bench/costs.py --missing          acts that have no measure, added to their rows

Each act of the site is carried out in the small site of the tests of permissions, and with its
largest things: a game and a position of 600 moves on the largest board of Hex, a study with as many
moves as its limits allow, a tournament of 200 players, an import of 128 kB, a mail with a hundred
commands. For each act the program measures CPU time, the highest memory that Python allocates, and
the bytes that it writes to the database. Each act is committed, as on the site, and then the
database is what it was. An act that is always refused here counts as not measured, and needs a
reason in docs/costs.toml. The pictures that a process of its own draws, and jobs of workers, are
not in it: their limits bound them.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gc
import json
import logging
import os
import random
import sqlite3
import sys
import time
import tomllib
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from http.cookies import SimpleCookie
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

Act = Callable[[], bool]  # returns whether it is done

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.web.settings"
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "yes"  # streams read in the thread that is measured

import django  # noqa: E402 - the settings are chosen first

django.setup()

from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes  # noqa: E402 - after set-up
from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import setup_databases, setup_test_environment  # noqa: E402
from django.urls import reverse  # noqa: E402

from antipodes.clocks import DAY  # noqa: E402
from antipodes.games.registry import make_game  # noqa: E402
from antipodes.match import Play, Resign, Terms  # noqa: E402
from antipodes.records import Record  # noqa: E402
from antipodes.web.accounts.models import User  # noqa: E402
from antipodes.web.accounts.session_store import SessionStore  # noqa: E402
from antipodes.web.api import event_stream, match_stream, tournament_stream  # noqa: E402
from antipodes.web.archive import open_data  # noqa: E402
from antipodes.web.archive.models import MonthRow, OptionSetRow  # noqa: E402
from antipodes.web.archive.services import archive_match  # noqa: E402
from antipodes.web.email_play.inbox import receive  # noqa: E402
from antipodes.web.email_play.inbox_task import process_due_mails  # noqa: E402
from antipodes.web.email_play.mail_tokens import make_token  # noqa: E402
from antipodes.web.matches import snapshots  # noqa: E402
from antipodes.web.matches.consumers import MatchSocket  # noqa: E402
from antipodes.web.matches.models import MatchRow  # noqa: E402
from antipodes.web.matches.open_chat_socket import ChatSocket  # noqa: E402
from antipodes.web.matches.services import begin_match, carry_out  # noqa: E402
from antipodes.web.notifications.consumers import NotificationConsumer  # noqa: E402
from antipodes.web.platform import limits  # noqa: E402
from antipodes.web.platform.clock import now  # noqa: E402
from antipodes.web.puzzles import open_data as puzzle_data  # noqa: E402
from antipodes.web.studies import services as studies  # noqa: E402
from antipodes.web.studies.consumers import StudySocket  # noqa: E402
from antipodes.web.studies.edits import MOVES  # noqa: E402
from antipodes.web.studies.schemas import COMMENT  # noqa: E402
from antipodes.web.tournaments.consumers import TournamentSocket  # noqa: E402
from antipodes.web.tournaments.models import EntryRow  # noqa: E402
from tests.web.email_play.commands.test_laws import LINES  # noqa: E402
from tests.web.permission_row import Row, row  # noqa: E402
from tests.web.permission_staff import STAFF  # noqa: E402
from tests.web.permission_table import ROWS  # noqa: E402
from tests.web.permission_world import COLUMNS, World  # noqa: E402

LIMITS = ROOT / "docs/costs.toml"
FOUND = ROOT / "docs/costs.json"
_LARGE = make_game("hex", {"size": 26})
_PLIES = 600
_PLAYERS = 200
_RUNS = 3
_SECRET = "for:measurements"  # noqa: S105 - of no provider
_LINE = ",".join(map(str, range(_PLIES)))
_SGF = "(;GM[11]SZ[26]" + "".join(f";B[{chr(97 + i % 26)}{i // 26 + 1}]" for i in range(400)) + ")"
_LONG = "x" * 200_000
_BY_ANN, _BY_BOB = "---+------", "----+-----"  # of COLUMNS


def _longest_game() -> list[int]:
    """Return the moves of a random game of Antipalos, which ends at the limit of its turns."""
    position = make_game("antipalos").initial()
    chance = random.Random(1)
    moves = []
    while position.outcome is None:
        moves.append(int(chance.choice(position.legal_moves)))
        position = position.play(moves[-1])
    return moves


# Requests that a visitor makes as large as the site allows.
_OFFLINE = json.dumps(
    {"key": "0" * 36, "game": "antipalos", "level": 1, "seat": 0, "moves": _longest_game()}
)
_LARGEST = (
    row("positions", data={"game": "hex", "size": 26, "moves": _LINE}, get="." * 10),
    row("boards", data={"game": "antipalos", "size": 20, "phase_two_limit": 99}, get="." * 10),
    row("boards", data={"game": "antipod", "side": 10}, get="." * 10),
    row("engine-kit", data={"game": "hex", "size": 26}, get="." * 10),
    row("analysis", "hex", data={"size": 26, "moves": _LINE}, get="." * 10),
    row("editor", "hex", data={"size": 26}, get="." * 10),
    row("explorer", data={"game": "hex", "size": 26, "moves": _LINE}, get="." * 10),
    row("practice", data={"game": "hex", "size": 26, "moves": _LINE}, get="." * 10),
    row("import", data={"text": _SGF.replace(")", f"C[{_LONG[:125_000]}])")}, post="." * 10),
    row(
        "new-study",
        data={"title": "Large", "chapter": "", "visibility": "unlisted", "text": _SGF},
        post="+" * 10,
    ),
    row("notes", "large.slug", data={"text": _LONG[:10_000]}, post="+" * 10),
    row("offline-games", data={"sent": _OFFLINE}, post="+" * 10),
    row("account_login", data={"login": "ann", "password": "a wrong one"}, post="." * 10),
    row("account_signup", data={"username": "zoe", "password1": "correct-horse-9"}, post="." * 10),
    # What the small site refuses to everyone.
    row("mfa_activate_totp", data={"code": "123456"}, get=_BY_ANN, post=_BY_ANN),
    row("mfa_deactivate_totp", get=_BY_BOB, post=_BY_BOB),
    row("mfa_view_recovery_codes", get=_BY_BOB),
    row("mfa_generate_recovery_codes", get=_BY_BOB, post=_BY_BOB),
    row("mfa_download_recovery_codes", get=_BY_BOB),
    row("new-token", data={"name": "x" * 60, "scopes": "read", "days": "30"}, post=_BY_ANN),
    row("new-mail-token", data={"name": "x" * 60}, post=_BY_ANN),
    row("oembed", data={"url": "large_page.address"}, get=_BY_ANN),
    row("first-moves-map", "hex", data={"options": "option_set.key"}, get=_BY_ANN),
    row("statistics-csv", "hex", "first-moves", data={"options": "option_set.key"}, get=_BY_ANN),
    row("open-data-file", "month.month", get=_BY_ANN),
    row("puzzle-data", get=_BY_ANN),
)
# What stands for the small things in the rows of the table.
_GREATER = {
    "public.": "large.",
    "over.": "large.",
    "study.": "large_study.",
    "event.": "large_event.",
}


class LargeWorld(World):
    """The small site, with a match, a study and a tournament that are as large as they get."""

    def __init__(self) -> None:
        """Create all rows."""
        super().__init__()
        users = (self.ann, self.bob)
        terms = Terms(game=_LARGE, players=tuple(str(user.pk) for user in users))
        self.large = begin_match(terms, users)
        for ply in range(_PLIES):
            move = Play(seat=ply % 2, ply=ply, key=f"large {ply:04}", move=ply)
            carry_out(self.large.slug, move)
        record = Record(_LARGE)
        node, count = record.root, 0
        while count < MOVES.value - 5:
            children = [node.play(move) for move in islice(node.position.legal_moves, 5)]
            count += len(children)
            for child in children:
                child.comment = "a move"
            node = children[0]
        self.large_study = studies.create_study(self.ann, "Large", "unlisted", record)
        self.large_event = self._event(self.ann, most_players=500)
        players = [User(username=f"player-{number}") for number in range(_PLAYERS)]
        EntryRow.objects.bulk_create(
            EntryRow(tournament=self.large_event, user=user, rating=1500, joined_at=now())
            for user in User.objects.bulk_create(players)
        )
        self.large_page = SimpleNamespace(address=reverse("match", args=[self.large.slug]))
        self._archive(terms, users)
        self._sign_in()
        gc.collect()
        gc.freeze()  # so that each collection before an act is short
        self._saved = sqlite3.connect(":memory:")
        connection.connection.backup(self._saved)

    def _archive(self, terms: Terms, users: tuple[User, ...]) -> None:
        """Make the files and the statistics of finished games and of puzzles."""
        row = begin_match(terms, users)
        for ply in range(_PLIES):
            carry_out(row.slug, Play(seat=ply % 2, ply=ply, key=f"old {ply:04}", move=ply))
        carry_out(row.slug, Resign(seat=0, ply=_PLIES, key="it is enough"))
        # Files have no games that ended a moment ago.
        MatchRow.objects.filter(pk=row.pk).update(ended_at=now() - DAY)
        row.refresh_from_db()
        archive_match(row)
        open_data.update_files()
        puzzle_data.write_file()
        self.month = MonthRow.objects.get()
        self.option_set = OptionSetRow.objects.get()

    def _sign_in(self) -> None:
        """Let ann and bob have signed in lately, bob with codes for a second factor."""
        RecoveryCodes.activate(self.bob)
        for who in ("owner", "player"):
            session = SessionStore(SimpleCookie(self.cookies[who])["sessionid"].value)
            later = time.time() + 1_000_000
            proof = {"method": "password", "at": later, "reauthenticated": True}
            session["account_authentication_methods"] = [proof]
            session["account_authentication_methods_user"] = str(self.people[who].pk)
            session.save()

    @contextlib.contextmanager
    def _rolled_back(self) -> Iterator[None]:  # type: ignore[override] - of each request
        """Let an act change the database for a moment; what it does on commit is done too."""
        limits.limiter().storage.reset()
        snapshots.forget()
        begun = time.thread_time()
        try:
            yield
        finally:
            self.seconds = time.thread_time() - begun
            self._saved.backup(connection.connection)
            snapshots.forget()

    def attempt(self, act: Callable[[], object]) -> Act:
        """Return an act whose changes are undone."""

        def send() -> bool:
            with contextlib.suppress(Exception), self._rolled_back():
                act()
                return True
            return False

        return send


@contextlib.contextmanager
def written() -> Iterator[list[int]]:
    """Count the bytes of all values that are written to the database."""
    found = [0]

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.lstrip().upper().startswith(("INSERT", "UPDATE")):
            rows = params if many else [params or ()]
            found[0] += sum(size_of(value) for values in rows for value in values)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield found


def size_of(value: object) -> int:
    """Return the bytes of a value in the database; a number counts as eight."""
    if isinstance(value, str):
        return len(value.encode("utf-8", "replace"))
    return len(value) if isinstance(value, bytes) else 8


def measured(world: LargeWorld, act: Act, worst: float) -> tuple[float, int, int] | None:
    """Return milliseconds of CPU, bytes of memory and bytes written of an act.

    Only an act that may be slower than ``worst``, the slowest one so far, is repeated. There is no
    answer if the act is refused.
    """
    times: list[float] = []
    stored = 0
    while not times or (len(times) < _RUNS and min(times) > worst):
        gc.collect()
        with written() as found:
            is_done = act()
        times.append(1000 * world.seconds)
        stored = max(stored, found[0])
    tracemalloc.start()
    act()
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (min(times), peak, stored) if is_done else None


def requests_of(world: LargeWorld) -> Iterator[tuple[str, Act]]:
    """Yield each act over HTTP, several times with things of several sizes."""
    for one in (*ROWS, *STAFF, *_LARGEST):
        names = [one.arguments]
        for small, large in _GREATER.items():
            names += [tuple(large + arg.removeprefix(small) for arg in one.arguments)] * any(
                arg.startswith(small) for arg in one.arguments
            )
        act = "admin:*" if one.name.startswith("admin:") else one.name
        for arguments in names:
            tried = Row(one.name, arguments, one.expected, one.data)
            for method, letters in one.expected.items():
                done = [letter for letter in "+." if letter in letters]
                columns = [letters.index(letter) for letter in done or sorted(set(letters) - {"m"})]
                for column in columns:
                    yield act, request(world, tried, method, list(COLUMNS.values())[column])


def request(world: LargeWorld, one: Row, method: str, who: str) -> Act:
    """Return a function that sends a request, and returns whether it succeeds."""

    def send() -> bool:
        # The table says what is refused in the small site only.
        with contextlib.suppress(Exception):
            sent = one.sent(world)
            letter = world.outcome(who, method, one.address(world), sent, by_token=one.by_token)
            return letter in "+.>"
        return False

    return send


def commands_of(world: LargeWorld) -> Iterator[tuple[str, Act]]:
    """Yield each command of a WebSocket, and what is read when it opens."""

    def socket(kind: Any, **attributes: Any) -> Any:
        found = kind.__new__(kind)
        user = {"viewer": world.ann.pk, "user": world.ann, "reload_user": lambda: world.ann}
        vars(found).update(user, **attributes)
        return found

    match = socket(MatchSocket, slug=world.large.slug, seen=None)
    connection = SimpleNamespace(address=None)
    study = socket(
        StudySocket, slug=world.large_study.slug, number=1, edits=0, connection=connection
    )
    chat = socket(ChatSocket, room="tournament", slug=world.large_event.slug)
    notices = socket(NotificationConsumer, language="en", match=None)
    event = socket(TournamentSocket, slug=world.large_event.slug)

    def execute(message: str) -> None:
        match.call_of(json.loads(message))()

    common = {"seat": 0, "ply": _PLIES, "key": "a new key"}
    branches = {"moves": [{"move": 650, "then": [{"move": 651}]}]}
    say = {"command": "chat", "key": "a new key", "text": "x" * 500}
    for command in (
        "resign",
        "abort",
        "claim-flag",
        "claim-win",
        "claim-draw",
        "resume",
        "vacation",
        "back",
        "play",
    ):
        move = {"move": 660} if command == "play" else {}
        message = json.dumps({**common, "command": command, **move})
        yield f"MatchSocket {command}", world.attempt(partial(execute, message))
    for command in ("offer", "accept", "decline"):
        message = json.dumps({**common, "command": command, "kind": "draw"})
        yield f"MatchSocket {command}", world.attempt(partial(execute, message))
    for command, more in (
        ("queue-resignation", {}),
        ("conditional-moves", branches),
        ("chat", say),
    ):
        message = json.dumps({**common, **more, "command": command})
        yield f"MatchSocket {command}", world.attempt(partial(execute, message))
    edits: dict[str, dict[str, Any]] = {
        "add": {"move": 600},
        "comment": {"text": "\U0001f600" * COMMENT.value, "before": ""},
        "mark": {"mark": "good"},
        "shape": {"shape": ["circle", 0], "on": True},
        "promote": {"path": [1]},
        "remove": {"path": [0], "seen": 9_999},
    }
    for kind, more in edits.items():
        edit = {"kind": kind, "path": [], **more}
        yield f"StudySocket {kind}", world.attempt(partial(study._edit, "a new key", edit))
    yield "ChatSocket chat", world.attempt(chat.call_of(say))
    looking = partial(notices._start_viewing, world.ann, world.large.slug)
    yield "NotificationConsumer looking", world.attempt(looking)
    yield "MatchSocket", world.attempt(match._arrive)
    yield "StudySocket", world.attempt(partial(study._study, with_tree=True))
    yield "ChatSocket", world.attempt(chat._history)
    yield "TournamentSocket", world.attempt(event._version)
    yield (
        "NotificationConsumer",
        world.attempt(lambda: (notices._bell(), notices._beginnings(None))),
    )


def streams_of(world: LargeWorld) -> Iterator[tuple[str, Act]]:
    """Yield the beginning of each stream, until it waits for changes."""

    async def here(query: Callable[[], Any]) -> Any:
        return query()

    async def begin(source: Any) -> None:
        async for line in source:
            if isinstance(line, str) or line["type"] in ("match", "ready"):
                return

    for module in (event_stream, match_stream, tournament_stream):
        module.in_database_thread = here
    ann, slug, event = world.ann, world.large.slug, world.large_event.slug
    for act, make in (
        ("api:stream_events", lambda: event_stream.EventStream(ann)),
        ("api:stream_match", lambda: match_stream.MatchStream(slug, ann)),
        ("api:stream_tournament", lambda: tournament_stream.TournamentStream(event, ann)),
    ):
        yield act, world.attempt(lambda make=make: asyncio.run(begin(make().lines())))


def mails_of(world: LargeWorld) -> Iterator[tuple[str, Act]]:
    """Yield each command of mails, and a mail with a hundred of them."""
    token = make_token(world.ann, "for measurements")
    who = f"{world.ann.username} {token}"
    counter = iter(range(10**9))

    def send(text: str) -> None:
        mail = (
            f"From: ann@example.org\nTo: play@play.example\nSubject: multiple\n"
            f"Message-ID: <{next(counter)}@example.org>\n\n{text}\n"
        )
        to = ["play@play.example"]
        receive(mail.encode(), sender="ann@example.org", recipients=to, via="lmtp")
        process_due_mails()

    for verb, lines in LINES.items():
        for line in lines:
            said = line.replace("WHO", who).replace("BOARD", str(world.large.pk))
            for value in ("5", "x" * 10_000):
                yield f"mail {verb}", world.attempt(partial(send, said.replace("{}", value)))
    event = {"RawEmail": "x" * 500_000, "OriginalRecipient": "play@play.example", "Headers": []}
    key = base64.b64encode(settings.ANYMAIL["WEBHOOK_SECRET"].encode()).decode()
    post = partial(
        Client().post,
        reverse("mail-webhook", args=["postmark"]),
        json.dumps(event),
        content_type="application/json",
        headers={"Authorization": f"Basic {key}"},
    )
    yield "mail-webhook", world.attempt(post)
    hundred = f"show {world.large.pk}\n" * 100
    yield "mail multiple", world.attempt(partial(send, hundred))


def main() -> None:
    """Measure, and write the worst act of each row."""
    logging.disable()
    setup_test_environment()
    setup_databases(verbosity=0, interactive=False)
    hasher = "django.contrib.auth.hashers.PBKDF2PasswordHasher"
    settings.PASSWORD_HASHERS = [hasher]
    settings.LOBBY_CHAT = True
    settings.MAIL_WEBHOOK_SECRET = _SECRET
    settings.ANYMAIL = {"WEBHOOK_SECRET": _SECRET}
    settings.MAIL_HOST, settings.SITE_URL = "play.example", "https://antipodes.example"
    rows = tomllib.loads(LIMITS.read_text(encoding="utf-8"))["cost"]
    words = sys.argv[1:]
    adds = words == ["--missing"]
    known: dict[str, Any] = json.loads(FOUND.read_text(encoding="utf-8")) if FOUND.exists() else {}
    chosen = [
        one for one in rows if adds or not words or any(word in one["kind"] for word in words)
    ]
    kinds = {
        act: one["kind"]
        for one in chosen
        for act in set(one["acts"]) - set(known[one["kind"]]["measured"] if adds else ())
    }
    found: dict[str, dict[str, tuple[float, ...]]] = {one["kind"]: {} for one in chosen}
    world = LargeWorld()
    settings.ENGINE_ACCOUNTS = frozenset(User.objects.values_list("username", flat=True))
    for make in (requests_of, commands_of, streams_of, mails_of):
        for act, send in make(world):
            if act in kinds:
                acts = found[kinds[act]]
                after = measured(world, send, max((one[0] for one in acts.values()), default=0))
                if after is not None:
                    acts[act] = tuple(map(max, acts.get(act, (0, 0, 0)), after))
        print(make.__name__, round(time.process_time()), "s", flush=True)
    for kind, acts in found.items():
        print(kind, json.dumps(acts), flush=True)
        if acts:
            known[kind] = worst_of(acts, known[kind] if adds else None)
    missing = {act for act, kind in kinds.items() if act not in found[kind]}
    print("not measured:", sorted(missing))
    order = {one["kind"]: known[one["kind"]] for one in rows if one["kind"] in known}
    FOUND.write_text(json.dumps(order, indent=1) + "\n", encoding="utf-8")


def worst_of(
    acts: dict[str, tuple[float, ...]], known: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the act that is the worst of a row, and how bad it is, in each respect.

    Args:
        acts: the measures of acts.
        known: the worst of other acts of the row.
    """
    found: dict[str, Any] = {}
    for place, name in enumerate(("milliseconds", "memory", "stored")):
        act = max(acts, key=lambda one: acts[one][place])
        found[name] = {"act": act, "worst": round(acts[act][place])}
        if known and known[name]["worst"] >= found[name]["worst"]:
            found[name] = known[name]
    found["measured"] = sorted({*acts, *(known["measured"] if known else ())})
    return found


if __name__ == "__main__":
    main()
