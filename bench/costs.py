"""Measure the worst act of each row of docs/costs.toml, and write docs/costs.json.

    python bench/costs.py                    all rows
    python bench/costs.py studies positions  rows whose kind has one of these words

Each act of the site is carried out in the small site of the tests of permissions, and with its
largest things: a game and a position of 600 moves on the largest board of Hex, a study with as many
moves as its limits allow, a tournament of 200 players, an import of 128 kB, a mail with a hundred
commands. For each act the program measures CPU time, the highest memory that Python allocates, and
the bytes that it writes to the database. The pictures that a process of
its own draws, and jobs of workers, are not in it: their limits bound them.
"""

from __future__ import annotations

import base64
import contextlib
import gc
import json
import logging
import os
import sys
import time
import tomllib
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.web.settings"

import django  # noqa: E402 - the settings are chosen first

django.setup()

from django.conf import settings  # noqa: E402 - after Django is set up
from django.db import connection, transaction  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import setup_databases, setup_test_environment  # noqa: E402
from django.urls import reverse  # noqa: E402

from antipodes.games.registry import make_game  # noqa: E402
from antipodes.match import Play, Terms  # noqa: E402
from antipodes.records import Record  # noqa: E402
from antipodes.web.accounts.models import User  # noqa: E402
from antipodes.web.email_play.inbox import receive  # noqa: E402
from antipodes.web.email_play.inbox_task import process_due_mails  # noqa: E402
from antipodes.web.email_play.mail_tokens import make_token  # noqa: E402
from antipodes.web.lobby.consumers import LobbySocket  # noqa: E402
from antipodes.web.matches.consumers import MatchSocket  # noqa: E402
from antipodes.web.matches.messages import read_message  # noqa: E402
from antipodes.web.matches.services import begin_match, carry_out  # noqa: E402
from antipodes.web.platform import limits  # noqa: E402
from antipodes.web.platform.clock import now  # noqa: E402
from antipodes.web.studies import services as studies  # noqa: E402
from antipodes.web.studies.consumers import StudySocket  # noqa: E402
from antipodes.web.studies.edits import COMMENT, MOVES  # noqa: E402
from antipodes.web.tournaments.models import EntryRow  # noqa: E402
from tests.web.email_play.commands.test_column_bounds import LINES  # noqa: E402
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

# Requests that a visitor makes as large as the site allows.
_LARGEST = (
    row("positions", data={"game": "hex", "size": 26, "moves": _LINE}, get="." * 10),
    row("boards", data={"game": "antipalos", "size": 20, "phase_two_limit": 99}, get="." * 10),
    row("boards", data={"game": "antipod", "side": 10}, get="." * 10),
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
    row("account_login", data={"login": "ann", "password": "a wrong one"}, post="." * 10),
    row("account_signup", data={"username": "zoe", "password1": "correct-horse-9"}, post="." * 10),
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


def measured(act: Callable[[], object], worst: float) -> tuple[float, int, int]:
    """Return milliseconds of CPU, bytes of memory and bytes written of an act.

    Only an act that may be slower than ``worst``, the slowest one so far, is repeated.
    """
    times: list[float] = []
    stored = 0
    while not times or (len(times) < _RUNS and min(times) > worst):
        gc.collect()
        begun = time.thread_time()
        with written() as found:
            act()
        times.append(1000 * (time.thread_time() - begun))
        stored = max(stored, found[0])
    tracemalloc.start()
    act()
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return min(times), peak, stored


def requests_of(world: LargeWorld) -> Iterator[tuple[str, Callable[[], object]]]:
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


def request(world: LargeWorld, one: Row, method: str, who: str) -> Callable[[], object]:
    """Return a function that sends a request, whatever the answer."""

    def send() -> None:
        # The table says what is refused in the small site only.
        with contextlib.suppress(Exception):
            sent = one.sent(world)
            world.outcome(who, method, one.address(world), sent, by_token=one.by_token)

    return send


def commands_of(world: LargeWorld) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield each command of a WebSocket."""

    def socket(kind: Any, **attributes: Any) -> Any:
        found = kind.__new__(kind)
        user = {"viewer": world.ann.pk, "user": world.ann, "reload_user": lambda: world.ann}
        vars(found).update(user, **attributes)
        return found

    match = socket(MatchSocket, slug=world.large.slug, seen=None)
    study = socket(StudySocket, slug=world.large_study.slug, number=1, edits=0)
    lobby = socket(LobbySocket)

    def execute(message: str) -> None:
        match._execute(read_message(message))

    common = {"seat": 0, "ply": _PLIES, "key": "a new key"}
    plan = {"plan": [{"move": 650, "then": [{"move": 651}]}]}
    say = {"command": "chat", "key": "a new key", "text": "x" * 500}
    for command in ("resign", "abort", "claim-flag", "resume", "vacation", "back", "play"):
        message = json.dumps({**common, "command": command, "move": 660})
        yield f"MatchSocket {command}", undone(partial(execute, message))
    for command in ("offer", "accept", "decline"):
        message = json.dumps({**common, "command": command, "kind": "draw"})
        yield f"MatchSocket {command}", undone(partial(execute, message))
    for command, more in (("queue-resignation", {}), ("plan", plan), ("chat", say)):
        message = json.dumps({**common, **more, "command": command})
        yield f"MatchSocket {command}", undone(partial(execute, message))
    yield "MatchSocket", undone(match._arrive)
    yield "LobbySocket chat", undone(partial(lobby._say, say))
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
        yield f"StudySocket {kind}", undone(partial(study._edit, "a new key", edit))
    yield "StudySocket", undone(partial(study._study, with_tree=True))


def mails_of(world: LargeWorld) -> Iterator[tuple[str, Callable[[], object]]]:
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
                yield f"mail {verb}", undone(partial(send, said.replace("{}", value)))
    event = {"RawEmail": "x" * 500_000, "OriginalRecipient": "play@play.example", "Headers": []}
    key = base64.b64encode(settings.ANYMAIL["WEBHOOK_SECRET"].encode()).decode()
    post = partial(
        Client().post,
        reverse("mail-webhook", args=["postmark"]),
        json.dumps(event),
        content_type="application/json",
        headers={"Authorization": f"Basic {key}"},
    )
    yield "mail-webhook", undone(post)
    hundred = f"show {world.large.pk}\n" * 100
    yield "mail multiple", undone(partial(send, hundred))


def undone(act: Callable[[], object]) -> Callable[[], object]:
    """Return an act whose changes are rolled back, and which may be refused."""

    def send() -> None:
        limits.limiter().storage.reset()
        with transaction.atomic():
            with contextlib.suppress(Exception):
                act()
            transaction.set_rollback(True)

    return send


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
    chosen = [one for one in rows if not words or any(word in one["kind"] for word in words)]
    kinds = {act: one["kind"] for one in chosen for act in one["acts"]}
    known: dict[str, Any] = json.loads(FOUND.read_text(encoding="utf-8")) if FOUND.exists() else {}
    found: dict[str, dict[str, tuple[float, int, int]]] = {one["kind"]: {} for one in chosen}
    with transaction.atomic():
        world = LargeWorld()
        world.ann.set_password("a long password")
        world.ann.save()
        gc.collect()
        gc.freeze()  # the world, so that each collection before an act is short
        for make in (requests_of, commands_of, mails_of):
            for act, send in make(world):
                if act in kinds:
                    acts = found[kinds[act]]
                    before = acts.get(act, (0.0, 0, 0))
                    after = measured(send, max((one[0] for one in acts.values()), default=0))
                    acts[act] = tuple(map(max, before, after))
            print(make.__name__, round(time.process_time()), "s", flush=True)
        transaction.set_rollback(True)
    for kind, acts in found.items():
        missing = sorted({act for act, one in kinds.items() if one == kind} - set(acts))
        if acts:
            known[kind] = {**worst_of(acts), "unmeasured": missing}
            print(kind, json.dumps(known[kind]))
    order = {one["kind"]: known[one["kind"]] for one in rows if one["kind"] in known}
    FOUND.write_text(json.dumps(order, indent=1) + "\n", encoding="utf-8")


def worst_of(acts: dict[str, tuple[float, int, int]]) -> dict[str, dict[str, object]]:
    """Return the act that is the worst of a row, and how bad it is, in each respect."""
    found = {}
    for place, name in enumerate(("milliseconds", "memory", "stored")):
        act = max(acts, key=lambda one: acts[one][place])
        found[name] = {"act": act, "worst": round(acts[act][place])}
    return found


if __name__ == "__main__":
    main()
