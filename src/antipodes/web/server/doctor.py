"""Checks of `antipodes doctor`: whether a site can run here, with advice where it cannot.

Checks are independent, so that one failure does not hide another; they create and repair nothing.
"""

from __future__ import annotations

import platform
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.utils import make_msgid
from enum import StrEnum
from typing import Any

import django
from django.core.checks import CheckMessage, run_checks
from django.core.checks import messages as levels

import antipodes
from antipodes.clocks import HOUR
from antipodes.errors import InputError
from antipodes.web.platform import config, data_files, env_file
from antipodes.web.platform.mail_settings import ListenAddress
from antipodes.web.server import serve

_TIMEOUT = 10  # seconds for the answer of a server
_MIB = 1024 * 1024
_TOO_LITTLE_SPACE, _LITTLE_SPACE = 100 * _MIB, 1024 * _MIB  # bytes free on the disk
_MAX_SKEW = 10_000  # milliseconds between two clocks
_LATE = HOUR  # milliseconds that an e-mail may wait in the outbox

_START = "start the site, or find out why it does not run: journalctl -u antipodes"


class Status(StrEnum):
    """Result of a check; `antipodes doctor` exits with an error only if a check failed."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of a check, with advice.

    Attributes:
        name: of the check.
        message: describes the result.
        advice: empty if there is nothing to do.
    """

    name: str
    status: Status
    message: str
    advice: str = ""


def examine(send_to: str | None = None) -> Iterator[Finding]:
    """Check the site, and yield findings one by one.

    Args:
        send_to: an address to which a test mail is sent.
    """
    yield _ok("versions", _versions())
    for name, check in _REQUIREMENTS.items():
        findings, is_complete = _run(name, check)
        yield from findings
        if not is_complete:
            return  # the other checks would fail too
    for name, check in _CHECKS.items():
        yield from _run(name, check)[0]
    if send_to is not None:
        yield from _run("test mail", lambda: _send_test(send_to))[0]


def _ok(name: str, message: str) -> Finding:
    return Finding(name, Status.OK, message)


def _run(name: str, check: Callable[[], Iterator[Finding]]) -> tuple[list[Finding], bool]:
    """Return the findings of a check, exceptions included, and whether it ran to its end."""
    findings: list[Finding] = []
    try:
        findings.extend(check())
    except InputError as error:
        findings += [Finding(name, Status.FAILED, one.message) for one in error.faults]
    except Exception as error:  # noqa: BLE001 - the other checks run all the same
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        findings.append(Finding(name, Status.FAILED, reason))
    else:
        return findings, True
    return findings, False


def _versions() -> str:
    return (
        f"Antipodes {antipodes.__version__}, Python {platform.python_version()},"
        f" Django {django.get_version()}"
    )


# --- without these there is no site to check ----------------------------------------------------


def _environment_file() -> Iterator[Finding]:
    name = "environment file"
    env_file.require_readable()
    file = env_file.source.file
    if file is None:
        yield _ok(name, str(env_file.source))
        return
    if lines := env_file.ambiguous_lines(file):
        numbers = ", ".join(map(str, lines))
        message = f"a shell may read line {numbers} of {file} differently from systemd"
        yield Finding(name, Status.WARNING, message, "write NAME='value', in single quotes")
    yield _ok(name, str(file))


def _data_folder() -> Iterator[Finding]:
    data_files.check_owner()
    data_files.require_database()
    data_files.set_private_umask()
    yield _ok("data folder", str(config.named_data_folder()))


def _settings() -> Iterator[Finding]:
    serve.load()
    is_public = bool(config.env.list("ALLOWED_HOSTS", default=[]))
    checked = run_checks(include_deployment_checks=is_public)
    found = [one for one in checked if not one.is_silenced()]
    yield from (_of_django(one) for one in found if one.level >= levels.WARNING)
    if not any(one.level >= levels.ERROR for one in found):
        yield _ok("settings", "valid and consistent")


def _of_django(one: CheckMessage) -> Finding:
    status = Status.FAILED if one.level >= levels.ERROR else Status.WARNING
    advice = " ".join((one.hint or "").split())
    return Finding("settings", status, " ".join(f"{one.msg} ({one.id})".split()), advice)


_REQUIREMENTS: dict[str, Callable[[], Iterator[Finding]]] = {
    "environment file": _environment_file,
    "data folder": _data_folder,
    "settings": _settings,
}


# --- the site -----------------------------------------------------------------------------------


def _database() -> Iterator[Finding]:
    from django.db import OperationalError, connection

    from antipodes.web.platform import schema_version, write_probe

    try:
        connection.ensure_connection()
    except OperationalError as error:
        advice = "start it, and check DATABASE_URL"
        yield Finding("database", Status.FAILED, serve.database_unavailable(error).message, advice)
        return
    connection.check_database_version_supported()
    serve.check_tables()
    if missing := schema_version.missing():
        fault = serve.needs_migration(missing)
        yield Finding("database", Status.FAILED, fault.message, "antipodes migrate")
    elif reason := write_probe.failure():
        advice = "make room on the disk, or give the site's user write permission"
        yield Finding("database", Status.FAILED, f"writing {reason}", advice)
    elif connection.vendor == "sqlite" and (damage := _damage()):
        advice = "stop the site and restore a backup: antipodes restore FILE --replace"
        yield Finding("database", Status.FAILED, f"the file is damaged: {damage}", advice)
    else:
        number = ".".join(map(str, connection.get_database_version()))
        yield _ok("database", f"{connection.display_name} {number}, up to date and writable")


def _damage() -> str:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("PRAGMA quick_check(1)")
        found = str(cursor.fetchone()[0])
    return "" if found == "ok" else found


def _redis() -> Iterator[Finding]:
    url = config.redis_url()
    if not url:
        yield _ok("redis", "not used: there is one web process")
        return
    from redis import Redis, RedisError

    shown = config.without_password(url)
    try:
        with Redis.from_url(url, **config.redis_options()) as redis:
            redis.ping()
    except RedisError as error:
        message = f"{shown} does not answer: {' '.join(str(error).split())}"
        yield Finding("redis", Status.FAILED, message, "start it, and check REDIS_URL")
    else:
        yield _ok("redis", f"{shown} answers")


def _processes() -> Iterator[Finding]:
    from antipodes.web.platform import heartbeats
    from antipodes.web.platform.models import ProcessKind

    web, engines = heartbeats.running(ProcessKind.WEB), heartbeats.running(ProcessKind.ENGINE)
    message = f"{web} web processes and {engines} engines run"
    if web and engines:
        yield _ok("processes", message)
    else:
        yield Finding("processes", Status.WARNING, message, _START)


def _proxies() -> Iterator[Finding]:
    from django.conf import settings
    from django.db.models import Sum

    from antipodes.web.platform.models import ProcessRow

    unread = ProcessRow.objects.aggregate(all=Sum("unreadable"))["all"] or 0
    if unread:
        message = (
            f"{unread} times a client's address in X-Forwarded-For could not be read; these clients"
            " share the limits of one address"
        )
        advice = "let the proxy append the client's IP address; TRUSTED_PROXIES is their number"
        yield Finding("proxies", Status.WARNING, message, advice)
    elif settings.TRUSTED_PROXIES:
        yield _ok("proxies", f"{settings.TRUSTED_PROXIES} trusted")
    else:
        yield _ok("proxies", "none: clients connect to the site itself")


def _mail_out() -> Iterator[Finding]:
    from django.conf import settings
    from django.core.mail import get_connection

    if settings.MAIL_FOLDER is not None:
        yield _ok("mail out", "kept on this machine, see antipodes mail read")
        return
    if not settings.MAIL_IS_SENT:
        advice = "set EMAIL_URL, such as EMAIL_URL='smtp+tls://user:password@mail.example.org:587'"
        message = "mail is not sent, but written to the site's log"
        yield Finding("mail out", Status.WARNING, message, advice)
        return
    where = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    try:
        with get_connection(timeout=_TIMEOUT):
            pass
    except OSError as error:  # errors of SMTP are subclasses
        message = f"{where} does not accept mail: {' '.join(str(error).split())}"
        yield Finding("mail out", Status.FAILED, message, "check EMAIL_URL, and that server")
        return
    yield from _late_emails()
    yield _ok("mail out", f"{where} accepts mail from {settings.DEFAULT_FROM_EMAIL}")


def _late_emails() -> Iterator[Finding]:
    from antipodes.web.notifications.models import EmailRow

    before = time.time_ns() // 1_000_000 - _LATE
    late = EmailRow.objects.filter(due_at__gt=0, made_at__lt=before, due_at__lt=before)
    if count := late.count():
        trouble = late.exclude(trouble="").values_list("trouble", flat=True).first() or "no reason"
        message = f"{count} e-mails have been waiting for more than an hour: {trouble}"
        yield Finding("mail out", Status.WARNING, message, _START)


def _send_test(address: str) -> Iterator[Finding]:
    from django.conf import settings
    from django.core.mail import EmailMessage

    headers = {"Message-ID": make_msgid(domain=settings.MAIL_HOST or config.site_host())}
    email = EmailMessage(
        "Test mail from antipodes doctor",
        f"The site {settings.SITE_URL} can send mail to you.\n",
        to=[address],
        headers=headers,
    )
    try:
        email.send()
    except OSError as error:
        message = f"no mail could be sent to {address}: {' '.join(str(error).split())}"
        yield Finding("test mail", Status.FAILED, message, "check EMAIL_URL and MAIL_FROM")
    else:
        yield _ok("test mail", f"sent to {address}; check that it arrives")


def _mail_in() -> Iterator[Finding]:
    from django.conf import settings

    if not settings.MAIL_HOST:
        yield _ok("mail in", "not used: MAIL_HOST is not set")
        return
    for kind, where in (("LMTP", settings.MAIL_LMTP), ("SMTP", settings.MAIL_SMTP)):
        if where is not None:
            yield _listens(kind, where)
    if settings.MAIL_IMAP is not None:
        from antipodes.web.email_play.inbound.imap import ImapTransport

        ImapTransport(settings.MAIL_IMAP).check()
        yield _ok("mail in", f"{settings.MAIL_IMAP} can be read")
    if settings.MAIL_WEBHOOK_SECRET:
        yield _ok("mail in", "webhooks are answered at /mail/webhooks/")
    if settings.MAIL_FOLDER is not None:
        yield _ok("mail in", "kept on this machine, see antipodes mail send")


def _listens(kind: str, where: ListenAddress) -> Finding:
    try:
        greeting = _greeting(where)
    except OSError as error:
        message = f"no server accepts mail by {kind} at {where}: {error.strerror or error}"
        return Finding("mail in", Status.FAILED, message, _START)
    if not greeting.startswith("220"):
        message = f"the server at {where} does not speak {kind}: {greeting[:60]!r}"
        return Finding("mail in", Status.FAILED, message, f"set MAIL_{kind} to a port of its own")
    return _ok("mail in", f"{kind} server at {where}")


def _greeting(where: ListenAddress) -> str:
    """Return the first line that a server sends."""
    family = socket.AF_UNIX if where.path else socket.AF_UNSPEC
    if family is socket.AF_UNIX:
        connection = socket.socket(family)
        connection.settimeout(_TIMEOUT)
        try:
            connection.connect(where.path)
        except OSError:
            connection.close()
            raise
    else:
        connection = socket.create_connection((where.host, where.port), timeout=_TIMEOUT)
    with connection, connection.makefile("r", encoding="utf-8", errors="replace") as lines:
        greeting = lines.readline(1_000)
        connection.sendall(b"QUIT\r\n")
    return greeting


def _clock() -> Iterator[Finding]:
    from antipodes.web.platform import clock, heartbeats
    from antipodes.web.platform.models import ProcessKind

    advice = "set the clocks of all machines by NTP, such as: timedatectl set-ntp true"
    skew, latest = clock.skew(), heartbeats.latest(ProcessKind.WEB) or 0
    early = latest - time.time_ns() // 1_000_000
    if abs(skew) > _MAX_SKEW:
        message = f"the clock of this machine differs from the database's by {skew / 1_000:+.0f} s"
        yield Finding("clock", Status.FAILED, message, advice)
    elif early > _MAX_SKEW:
        message = f"this machine's clock was set back; the site's is {early // 1_000} s ahead"
        lost = "nothing has to be done; the site's clock loses a hundredth of the time"
        yield Finding("clock", Status.WARNING, message, lost)
    elif _is_unsynchronised():
        message = "this machine's clock is not synchronised by NTP"
        yield Finding("clock", Status.WARNING, message, advice)
    else:
        yield _ok("clock", time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()))


def _is_unsynchronised() -> bool:
    """Return whether the system reports that its clock is not synchronised by NTP."""
    program = shutil.which("timedatectl")
    if program is None:
        return False
    command = [program, "show", "--property=NTPSynchronized", "--value"]
    try:
        done = subprocess.run(  # noqa: S603 - a constant command
            command, capture_output=True, text=True, timeout=_TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.stdout.strip() == "no"


def _disk() -> Iterator[Finding]:
    folder = config.named_data_folder()
    data_files.check_writable()
    free = shutil.disk_usage(folder).free
    message = f"{free // _MIB} MiB are free in {folder}"
    if free >= _LITTLE_SPACE:
        yield _ok("disk", message)
        return
    status = Status.FAILED if free < _TOO_LITTLE_SPACE else Status.WARNING
    yield Finding("disk", status, message, "make room: nothing can be saved on a full disk")


def _keys() -> Iterator[Finding]:
    from antipodes.web.notifications import push

    exposed = [str(path) for path in data_files.exposed_files()]
    if exposed:
        message = f"other users of this machine can read {', '.join(exposed)}"
        advice = f"chmod go= {' '.join(exposed)}"
        yield Finding("keys", Status.FAILED, message, advice)
    file = env_file.source.file
    if file is not None and file.stat().st_mode & 0o007:
        message = f"all users of this machine can read or write {file}, which has passwords"
        advice = f"chown root:antipodes {file}; chmod 640 {file}"
        yield Finding("keys", Status.FAILED, message, advice)
    where = "the environment" if config.env.str("SECRET_KEY", default="") else "the data folder"
    push_key = "the environment" if push.has_configured_key() else "the database"
    if push.public_key():
        yield _ok("keys", f"SECRET_KEY is in {where}, the key of push notifications in {push_key}")
    else:
        message = f"the key of push notifications in {push_key} is invalid: no pushes are sent"
        yield Finding("keys", Status.FAILED, message, "remove VAPID_PRIVATE_KEY")


def as_data(found: list[Finding]) -> dict[str, Any]:
    return {
        "well": is_well(found),
        "checks": [
            {"name": one.name, "status": one.status, "message": one.message, "advice": one.advice}
            for one in found
        ],
    }


def is_well(found: list[Finding]) -> bool:
    """Return whether no check failed."""
    return all(one.status is not Status.FAILED for one in found)


_CHECKS: dict[str, Callable[[], Iterator[Finding]]] = {
    "database": _database,
    "redis": _redis,
    "processes": _processes,
    "proxies": _proxies,
    "mail out": _mail_out,
    "mail in": _mail_in,
    "clock": _clock,
    "disk": _disk,
    "keys": _keys,
}
