"""Play by mail under load: from LMTP to stored answer, and with crashes in between.

    python bench/mail.py                        500 mails with SQLite, then with PostgreSQL
    python bench/mail.py --mails 10000 --kills 40
    python bench/mail.py --database sqlite      with one of them

A process that takes and handles mail runs as beside the site, without pages. Mails are brought by
LMTP over several connections, as a server for mail does: what is not acknowledged is brought again.
With ``--kills`` the process is killed (SIGKILL) so often meanwhile, and started again. At the end
the database is asked what became of every single mail: a move and a line of chat exactly once, a
refusal with its reason, silence for mail of programs, and one stored answer for each of the others.
What a killed process had claimed for sending is sent at once at the end, and not after the quarter
of an hour for which the site waits.
"""

from __future__ import annotations

import argparse
import os
import queue
import random
import signal
import smtplib
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HOST = "play.example"
CONNECTIONS = 4  # over which mails come
OF_A_BOARD = 4  # mails about each board; every fifth one of all comes a second time
OF_A_USER = 20  # mails of each, so that nobody sends too many in a minute
SEED = 2003
PATIENCE = 600.0  # seconds without any progress after which something hangs
EACH = 2.0  # seconds between two lines about how far it is


@dataclass(frozen=True, slots=True)
class Posting:
    """A mail, and what has to come of it."""

    name: str  # the Message-ID
    kind: str
    board: int
    sender: str
    to: str
    raw: bytes


@dataclass(slots=True)
class Tally:
    """What was seen while mails were brought."""

    delivered: int = 0
    again: int = 0
    refused: list[str] = field(default_factory=list)
    kills: int = 0


class Sink:
    """A server for mail that counts what the site sends, by Message-ID."""

    def __init__(self) -> None:
        from aiosmtpd.controller import Controller

        self.seen: Counter[str] = Counter()
        self._controller = Controller(self, hostname="127.0.0.1", port=free_port())
        self._controller.start()

    @property
    def url(self) -> str:
        """Where it listens, as the site is told."""
        return f"smtp://127.0.0.1:{self._controller.port}"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        """Count a mail."""
        import email

        self.seen[str(email.message_from_bytes(envelope.content)["Message-ID"])] += 1
        return "250 counted"

    def stop(self) -> None:
        """Stop."""
        self._controller.stop()


class Handler:
    """The process that takes and handles mail."""

    def __init__(self, lmtp: int) -> None:
        self.lmtp = lmtp
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it takes mail."""
        command = [sys.executable, "-m", "antipodes.web.server.worker"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.lmtp)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError("the process that takes mail does not start")

    def kill(self) -> None:
        """End it without a chance to write anything down."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def prepare(count: int) -> list[Posting]:
    """Make people, boards and mails."""
    from antipodes.web.server.upgrades import migrate

    migrate()
    from allauth.account.models import EmailAddress

    from antipodes.clocks import read_control
    from antipodes.games.registry import make_game
    from antipodes.match import Terms
    from antipodes.web.accounts.models import User
    from antipodes.web.email_play.reply_addresses import reply_address
    from antipodes.web.matches.services import begin_match

    boards = max(1, count // OF_A_BOARD)
    people = 2 * max(1, -(-count // (2 * OF_A_USER)))
    names = [f"player-{number}" for number in range(people)]
    users = User.objects.bulk_create(User(username=name) for name in names)
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=f"{user.username}@x.example", verified=True, primary=True)
        for user in users
    )
    game = make_game("hex", {"size": 4, "swap": "off"})
    control = read_control("7d/move")
    found: list[Posting] = []
    for number in range(boards):
        pair = users[2 * number % people :][:2]
        terms = Terms(game=game, players=tuple(str(user.pk) for user in pair), control=control)
        row = begin_match(terms, pair)
        for kind, user in zip(("move", "chat", "refused", "silent"), (*pair, *pair), strict=True):
            found.append(posting(kind, row.pk, user.username, reply_address(user, row)))
        if number % 100 == 99:
            print(f"  {number + 1} of {boards} boards", flush=True)
    return found


def posting(kind: str, board: int, user: str, to: str) -> Posting:
    """Write a mail."""
    name = f"<{kind}.{board}@bench.example>"
    says = {"move": "a1", "chat": f"chat said on {board}", "refused": "z99", "silent": "d4"}[kind]
    lines = [
        f"From: {user} <{user}@x.example>",
        f"To: {to}",
        f"Subject: Re: Hex Board {board} {user}",
        f"Message-ID: {name}",
        *(["Auto-Submitted: auto-replied"] if kind == "silent" else []),
        "",
        says,
        "",
        "> On some day the site wrote:",
        *(["> . . . . . . . . . . ."] * 30),
    ]
    return Posting(
        name, kind, board, f"{user}@x.example", to, "\r\n".join(lines).encode() + b"\r\n"
    )


def bring(postings: list[Posting], lmtp: int, tally: Tally, stopped: threading.Event) -> None:
    """Bring mails over several connections until each is acknowledged."""
    waiting: queue.Queue[Posting] = queue.Queue()
    for one in postings:
        waiting.put(one)
    lock = threading.Lock()

    def work() -> None:
        line: smtplib.LMTP | None = None
        while not stopped.is_set():
            try:
                one = waiting.get_nowait()
            except queue.Empty:
                break
            try:
                line = line or smtplib.LMTP("127.0.0.1", lmtp, timeout=60)
                line.sendmail(one.sender, [one.to], one.raw)
            except (smtplib.SMTPServerDisconnected, OSError) as error:
                # Also a mail that was refused for now: OSError is above all of them.
                with lock:
                    note(error, one, tally, waiting)
                line = None
                time.sleep(0.05)
            else:
                with lock:
                    tally.delivered += 1
        if line is not None:
            with suppress(OSError):
                line.quit()

    threads = [threading.Thread(target=work, daemon=True) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def note(error: OSError, one: Posting, tally: Tally, waiting: queue.Queue[Posting]) -> None:
    """Put a mail back, unless it was refused for good."""
    codes = [error.smtp_code] if isinstance(error, smtplib.SMTPResponseException) else []
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
    if any(code >= 500 for code in codes):
        tally.refused.append(f"{one.name}: {error}")
        return
    tally.again += 1
    waiting.put(one)


def handled() -> int:
    """Return how many mails were handled."""
    from antipodes.web.email_play.models import InboundMailRow

    return InboundMailRow.objects.exclude(processed_at=None).count()


def run(postings: list[Posting], options: Any, handler: Handler) -> tuple[Tally, float]:
    """Bring all mails and wait until they are handled; return what was seen, and the seconds."""
    tally, stopped = Tally(), threading.Event()
    chance = random.Random(SEED)
    twice = [one for at, one in enumerate(postings) if at % 5 == 0]
    order = chance.sample(postings + twice, len(postings) + len(twice))
    begun = time.monotonic()
    bringing = threading.Thread(
        target=bring, args=(order, handler.lmtp, tally, stopped), daemon=True
    )
    bringing.start()
    total = len(postings)
    marks = [total * (at + 1) // (options.kills + 1) for at in range(options.kills)]
    told = moved = begun
    done = 0
    try:
        while done < total:
            time.sleep(0.05)
            at, before, done = time.monotonic(), done, handled()
            moved = at if done > before else moved
            assert at < moved + PATIENCE, f"nothing happens any more; {done} of {total} are handled"
            if marks and done >= marks[0]:
                marks.pop(0)
                time.sleep(chance.random() * 0.2)
                handler.kill()
                tally.kills += 1
                handler.start()
            if at >= told + EACH:
                told = at
                print(f"  {done} of {total} handled, {tally.kills} kills", flush=True)
        took = time.monotonic() - begun
        bringing.join(PATIENCE)
    finally:
        stopped.set()
    return tally, took


def check(postings: list[Posting], sink: Sink) -> dict[str, Any]:
    """Ask the database what became of every mail."""
    from antipodes.web.email_play.models import InboundMailRow
    from antipodes.web.matches.models import ChatLine, MatchRow
    from antipodes.web.matches.snapshots import look_up
    from antipodes.web.notifications.models import EmailRow

    answers: Counter[str] = Counter()
    for headers in EmailRow.objects.values_list("headers", flat=True):
        answers[str(headers.get("In-Reply-To", ""))] += 1
    lines = Counter(ChatLine.objects.values_list("match", "text"))
    slugs = dict(MatchRow.objects.values_list("pk", "slug"))
    wrong = []
    for one in postings:
        if one.kind == "move" and look_up(slugs[one.board]).match.ply != 1:
            wrong.append(f"{one.name} was not played once")
        if one.kind == "chat" and lines[one.board, f"said on {one.board}"] != 1:
            wrong.append(f"{one.name} was not said once")
        if answers[one.name] != (one.kind != "silent"):
            wrong.append(f"{one.name} has {answers[one.name]} answers")
    return {
        "rows": InboundMailRow.objects.count(),
        "answers": sum(answers[one.name] for one in postings),
        "wrong": wrong,
        "sizes": sizes(),
        "sent": len(sink.seen),
        "twice": sum(count > 1 for count in sink.seen.values()),
    }


def sizes() -> list[tuple[int, int]]:
    """Return the bytes of some answers, and how many of them are plain text."""
    from antipodes.web.notifications.models import EmailRow
    from antipodes.web.notifications.outbox import django_message

    found = EmailRow.objects.filter(headers__has_key="In-Reply-To").order_by("pk")[:50]
    return [(len(django_message(row).message().as_bytes()), len(row.text)) for row in found]


def send_the_rest(sink: Sink) -> None:
    """Wait until all letters are sent; what a killed process had claimed is sent now."""
    from antipodes.web.notifications.models import EmailRow

    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        left = EmailRow.objects.filter(sent_at=None).exclude(due_at=None)
        if not left.exists():
            return
        left.update(due_at=0, claim="")
        print(f"  {len(sink.seen)} letters sent, {left.count()} wait", flush=True)
        time.sleep(EACH)


def measure(options: Any) -> None:
    """Measure with one database."""
    sink = Sink()
    lmtp = free_port()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "ANTIPODES_DATA": folder,
            "SECRET_KEY": "for measuring alone",
            "EMAIL_URL": sink.url,
            "MAIL_HOST": HOST,
            "MAIL_LMTP": f"127.0.0.1:{lmtp}",
            "ANTIPODES_JIT": "0",  # a process that is killed often shall not load kernels each time
        }
        postings = prepare(options.mails)
        handler = Handler(lmtp)
        handler.start()
        try:
            tally, took = run(postings, options, handler)
            send_the_rest(sink)
            report(options, postings, tally, took, check(postings, sink))
        finally:
            handler.kill()
            sink.stop()


def report(
    options: Any, postings: list[Posting], tally: Tally, took: float, found: dict[str, Any]
) -> None:
    """Print what was measured."""
    kinds = Counter(one.kind for one in postings)
    silent = kinds["silent"]
    whole = statistics.median(size for size, _ in found["sizes"])
    plain = statistics.median(text for _, text in found["sizes"])
    rows = [
        ("mails", f"{len(postings)}: " + ", ".join(f"{n} {kind}" for kind, n in kinds.items())),
        ("kills of the handling process", tally.kills),
        ("acknowledged by LMTP", f"{tally.delivered}, of which {len(postings) // 5} a second time"),
        ("brought again after a crash or 4xx", tally.again),
        ("refused at the door", len(tally.refused)),
        ("stored", f"{found['rows']} of {len(postings)}"),
        ("answers stored", f"{found['answers']} of {len(postings) - silent}"),
        ("letters sent", f"{found['sent']}, of which {found['twice']} twice"),
        ("lost, done twice or not answered", len(found["wrong"])),
        ("from LMTP to stored answer", f"{len(postings) / took:.1f} mails/s ({took:.1f} s)"),
        ("size of an answer", f"{whole / 1000:.1f} kB, of which {plain / 1000:.1f} kB plain text"),
    ]
    print(f"{options.database}:")
    for name, value in rows:
        print(f"  {name:36} {value}")
    for line in (*found["wrong"][:10], *tally.refused[:10]):
        print(f"  WRONG: {line}")


def compare(options: Any) -> None:
    """Measure with SQLite, then with PostgreSQL, each in a process of its own."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.scale.servers import PostgreSQL, postgresql_programs

    common = [
        sys.executable,
        __file__,
        "--mails",
        str(options.mails),
        "--kills",
        str(options.kills),
    ]
    if options.database in {"both", "sqlite"}:
        environment = {**os.environ, "DATABASE_URL": ""}
        subprocess.run([*common, "--inside", "SQLite"], check=True, env=environment)
    if options.database in {"both", "postgresql"}:
        if postgresql_programs() is None:
            sys.exit("PostgreSQL is not installed: sudo apt install postgresql")
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o755)
            server = PostgreSQL(Path(folder) / "pg/server")
            server.start()
            try:
                environment = {**os.environ, "DATABASE_URL": server.create("mail")}
                subprocess.run([*common, "--inside", "PostgreSQL"], check=True, env=environment)
            finally:
                server.stop("immediate")


def main() -> None:
    """Read what is wanted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mails", type=int, default=500)
    parser.add_argument("--kills", type=int, default=0, help="how often the process is killed")
    parser.add_argument("--database", choices=["both", "sqlite", "postgresql"], default="both")
    parser.add_argument("--inside", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        if options.inside:
            options.database = options.inside
            measure(options)
        else:
            compare(options)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
