"""Play by mail under load: from LMTP to the stored reply, optionally with crashes.

    python bench/mail.py                        500 mails with SQLite, then with PostgreSQL
    python bench/mail.py --mails 10000 --kills 40
    python bench/mail.py --database sqlite      with one of them

A worker process of the site receives and processes mail. The benchmark delivers mails by LMTP over
several connections as a mail server does, again if they are not acknowledged. ``--kills`` sets how
often it kills (SIGKILL) and restarts the worker meanwhile. At the end it checks every mail in the
database: moves were played once, chat was posted once, automatic mail was ignored, and every other
mail has one stored reply. E-mails that a killed process had claimed are sent immediately at the
end, not after the quarter of an hour that the site waits.
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
CONNECTIONS = 4  # LMTP connections
MAILS_PER_BOARD = 4  # one mail in five is delivered twice
MAILS_PER_USER = 20  # below the rate limit
SEED = 2003
TIMEOUT = 600.0  # seconds without progress
INTERVAL = 2.0  # seconds between lines about the progress


@dataclass(frozen=True, slots=True)
class Posting:
    """A mail; its kind determines the expected result."""

    message_id: str
    kind: str
    board: int
    sender: str
    to: str
    raw: bytes


@dataclass(slots=True)
class Tally:
    """Counts of deliveries."""

    delivered: int = 0
    retried: int = 0
    refused: list[str] = field(default_factory=list)
    kills: int = 0


class Sink:
    """A mail server that counts the e-mails of the site, by Message-ID."""

    def __init__(self) -> None:
        from aiosmtpd.controller import Controller

        self.seen: Counter[str] = Counter()
        self._controller = Controller(self, hostname="127.0.0.1", port=free_port())
        self._controller.start()

    @property
    def url(self) -> str:
        """The address, for the setting of the site."""
        return f"smtp://127.0.0.1:{self._controller.port}"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        """Count a mail."""
        import email

        self.seen[str(email.message_from_bytes(envelope.content)["Message-ID"])] += 1
        return "250 counted"

    def stop(self) -> None:
        """Stop the server."""
        self._controller.stop()


class Worker:
    """The process that receives and processes mail."""

    def __init__(self, lmtp: int) -> None:
        self.lmtp = lmtp
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process, and wait until it listens."""
        command = [sys.executable, "-m", "antipodes.web.server.worker"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.lmtp)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError("the worker does not start")

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def prepare(count: int) -> list[Posting]:
    """Create users, boards and mails."""
    from antipodes.web.server.upgrades import migrate

    migrate()
    from allauth.account.models import EmailAddress

    from antipodes.clocks import read_control
    from antipodes.games.registry import make_game
    from antipodes.match import Terms
    from antipodes.web.accounts.models import User
    from antipodes.web.email_play.reply_addresses import reply_address
    from antipodes.web.matches.services import begin_match

    boards = max(1, count // MAILS_PER_BOARD)
    people = 2 * max(1, -(-count // (2 * MAILS_PER_USER)))
    names = [f"player-{number}" for number in range(people)]
    users = User.objects.bulk_create(User(username=name) for name in names)
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=f"{user.username}@x.example", verified=True, primary=True)
        for user in users
    )
    game = make_game("hex", {"size": 4, "swap": "off"})
    control = read_control("7d/move")
    postings: list[Posting] = []
    for number in range(boards):
        pair = users[2 * number % people :][:2]
        terms = Terms(game=game, players=tuple(str(user.pk) for user in pair), control=control)
        row = begin_match(terms, pair)
        for kind, user in zip(("move", "chat", "refused", "ignored"), (*pair, *pair), strict=True):
            postings.append(posting(kind, row.pk, user.username, reply_address(user, row)))
        if number % 100 == 99:
            print(f"  {number + 1} of {boards} boards", flush=True)
    return postings


def posting(kind: str, board: int, user: str, to: str) -> Posting:
    """Return a mail of a kind."""
    message_id = f"<{kind}.{board}@bench.example>"
    body = {"move": "a1", "chat": f"chat hello on {board}", "refused": "z99", "ignored": "d4"}[kind]
    lines = [
        f"From: {user} <{user}@x.example>",
        f"To: {to}",
        f"Subject: Re: Hex Board {board} {user}",
        f"Message-ID: {message_id}",
        *(["Auto-Submitted: auto-replied"] if kind == "ignored" else []),
        "",
        body,
        "",
        "> On some day the site wrote:",
        *(["> . . . . . . . . . . ."] * 30),
    ]
    return Posting(
        message_id, kind, board, f"{user}@x.example", to, "\r\n".join(lines).encode() + b"\r\n"
    )


def deliver(postings: list[Posting], lmtp: int, tally: Tally, stopped: threading.Event) -> None:
    """Deliver mails over several connections until each is acknowledged."""
    waiting: queue.Queue[Posting] = queue.Queue()
    for one in postings:
        waiting.put(one)
    lock = threading.Lock()

    def deliver_some() -> None:
        client: smtplib.LMTP | None = None
        while not stopped.is_set():
            try:
                one = waiting.get_nowait()
            except queue.Empty:
                break
            try:
                client = client or smtplib.LMTP("127.0.0.1", lmtp, timeout=60)
                client.sendmail(one.sender, [one.to], one.raw)
            except (smtplib.SMTPServerDisconnected, OSError) as error:
                # Refusals by SMTP code are OSErrors too.
                with lock:
                    requeue(error, one, tally, waiting)
                client = None
                time.sleep(0.05)
            else:
                with lock:
                    tally.delivered += 1
        if client is not None:
            with suppress(OSError):
                client.quit()

    threads = [threading.Thread(target=deliver_some, daemon=True) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def requeue(error: OSError, one: Posting, tally: Tally, waiting: queue.Queue[Posting]) -> None:
    """Put a mail back into the queue unless it was refused permanently."""
    codes = [error.smtp_code] if isinstance(error, smtplib.SMTPResponseException) else []
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
    if any(code >= 500 for code in codes):
        tally.refused.append(f"{one.message_id}: {error}")
        return
    tally.retried += 1
    waiting.put(one)


def processed() -> int:
    """Return the number of processed mails."""
    from antipodes.web.email_play.models import InboundMailRow

    return InboundMailRow.objects.exclude(processed_at=None).count()


def run(postings: list[Posting], options: Any, worker: Worker) -> tuple[Tally, float]:
    """Deliver all mails and wait until they are processed; return the counts and the seconds."""
    tally, stopped = Tally(), threading.Event()
    rng = random.Random(SEED)
    twice = [one for at, one in enumerate(postings) if at % 5 == 0]
    order = rng.sample(postings + twice, len(postings) + len(twice))
    begun = time.monotonic()
    delivering = threading.Thread(
        target=deliver, args=(order, worker.lmtp, tally, stopped), daemon=True
    )
    delivering.start()
    total = len(postings)
    marks = [total * (at + 1) // (options.kills + 1) for at in range(options.kills)]
    printed = progressed = begun
    done = 0
    try:
        while done < total:
            time.sleep(0.05)
            at, before, done = time.monotonic(), done, processed()
            progressed = at if done > before else progressed
            assert at < progressed + TIMEOUT, f"no progress; {done} of {total} mails are processed"
            if marks and done >= marks[0]:
                marks.pop(0)
                time.sleep(rng.random() * 0.2)
                worker.kill()
                tally.kills += 1
                worker.start()
            if at >= printed + INTERVAL:
                printed = at
                print(f"  {done} of {total} processed, {tally.kills} kills", flush=True)
        took = time.monotonic() - begun
        delivering.join(TIMEOUT)
    finally:
        stopped.set()
    return tally, took


def check(postings: list[Posting], sink: Sink) -> dict[str, Any]:
    """Check the result of every mail in the database."""
    from antipodes.web.email_play.models import InboundMailRow
    from antipodes.web.matches.models import ChatLine, MatchRow
    from antipodes.web.matches.snapshots import look_up
    from antipodes.web.notifications.models import EmailRow

    replies: Counter[str] = Counter()
    for headers in EmailRow.objects.values_list("headers", flat=True):
        replies[str(headers.get("In-Reply-To", ""))] += 1
    lines = Counter(ChatLine.objects.values_list("match", "text"))
    slugs = dict(MatchRow.objects.values_list("pk", "slug"))
    wrong = []
    for one in postings:
        if one.kind == "move" and look_up(slugs[one.board]).match.ply != 1:
            wrong.append(f"{one.message_id} was not played once")
        if one.kind == "chat" and lines[one.board, f"hello on {one.board}"] != 1:
            wrong.append(f"{one.message_id} was not posted once")
        if replies[one.message_id] != (one.kind != "ignored"):
            wrong.append(f"{one.message_id} has {replies[one.message_id]} replies")
    return {
        "rows": InboundMailRow.objects.count(),
        "replies": sum(replies[one.message_id] for one in postings),
        "wrong": wrong,
        "sizes": sizes(),
        "sent": len(sink.seen),
        "twice": sum(count > 1 for count in sink.seen.values()),
    }


def sizes() -> list[tuple[int, int]]:
    """Return the bytes of some replies, and of their plain text."""
    from antipodes.web.notifications.models import EmailRow
    from antipodes.web.notifications.outbox import django_message

    found = EmailRow.objects.filter(headers__has_key="In-Reply-To").order_by("pk")[:50]
    return [(len(django_message(row).message().as_bytes()), len(row.text)) for row in found]


def send_the_rest(sink: Sink) -> None:
    """Wait until all e-mails are sent; release the claims of killed processes."""
    from antipodes.web.notifications.models import EmailRow

    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        left = EmailRow.objects.filter(sent_at=None).exclude(due_at=None)
        if not left.exists():
            return
        left.update(due_at=0, claim="")
        print(f"  {len(sink.seen)} e-mails sent, {left.count()} waiting", flush=True)
        time.sleep(INTERVAL)


def measure(options: Any) -> None:
    """Run the benchmark with one database."""
    sink = Sink()
    lmtp = free_port()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "ANTIPODES_DATA": folder,
            "SECRET_KEY": "for benchmarks",
            "EMAIL_URL": sink.url,
            "MAIL_HOST": HOST,
            "MAIL_LMTP": f"127.0.0.1:{lmtp}",
            "ANTIPODES_PLAIN": "1",  # kernels would slow down each restart
        }
        postings = prepare(options.mails)
        worker = Worker(lmtp)
        worker.start()
        try:
            tally, took = run(postings, options, worker)
            send_the_rest(sink)
            report(options, postings, tally, took, check(postings, sink))
        finally:
            worker.kill()
            sink.stop()


def report(
    options: Any, postings: list[Posting], tally: Tally, took: float, found: dict[str, Any]
) -> None:
    """Print the results."""
    kinds = Counter(one.kind for one in postings)
    ignored = kinds["ignored"]
    whole = statistics.median(size for size, _ in found["sizes"])
    plain = statistics.median(text for _, text in found["sizes"])
    rows = [
        ("mails", f"{len(postings)}: " + ", ".join(f"{n} {kind}" for kind, n in kinds.items())),
        ("kills of the worker", tally.kills),
        ("acknowledged by LMTP", f"{tally.delivered}, including {len(postings) // 5} duplicates"),
        ("retried after a crash or 4xx", tally.retried),
        ("refused by LMTP", len(tally.refused)),
        ("stored", f"{found['rows']} of {len(postings)}"),
        ("replies stored", f"{found['replies']} of {len(postings) - ignored}"),
        ("e-mails sent", f"{found['sent']}, of which {found['twice']} twice"),
        ("wrong results", len(found["wrong"])),
        ("from LMTP to stored reply", f"{len(postings) / took:.1f} mails/s ({took:.1f} s)"),
        ("size of a reply", f"{whole / 1000:.1f} kB, of which {plain / 1000:.1f} kB plain text"),
    ]
    print(f"{options.database}:")
    for name, value in rows:
        print(f"  {name:36} {value}")
    for line in (*found["wrong"][:10], *tally.refused[:10]):
        print(f"  WRONG: {line}")


def compare(options: Any) -> None:
    """Run the benchmark with SQLite and PostgreSQL, each in a separate process."""
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
    """Read the arguments and run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mails", type=int, default=500)
    parser.add_argument("--kills", type=int, default=0, help="how often to kill the worker")
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
