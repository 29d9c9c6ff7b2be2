"""Tests of `antipodes doctor`: its findings, advice and exit code."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from django.core import checks
from django.db import OperationalError, connection

from antipodes.cli.doctor_command import doctor_command
from antipodes.clocks import HOUR
from antipodes.web.email_play.inbound.imap import ImapTransport
from antipodes.web.notifications import push
from antipodes.web.notifications.models import EmailRow
from antipodes.web.platform import clock, config, env_file, heartbeats, metrics, write_probe
from antipodes.web.platform.client_addresses import address_of
from antipodes.web.platform.mail_settings import ListenAddress
from antipodes.web.platform.models import ProcessKind
from antipodes.web.server import doctor
from antipodes.web.server.doctor import Finding, Status
from tests.live import database
from tests.raising import raising

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def closed():
    """A port of this machine without a listener."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def found_by(name):
    """Return the worst finding of a check."""
    found, _ = doctor._run(name, doctor._CHECKS[name])
    order = [Status.FAILED, Status.WARNING, Status.OK]
    return min(found, key=lambda one: order.index(one.status))


def test_unreadable_addresses_of_clients_are_a_warning(rf, settings):
    settings.TRUSTED_PROXIES = 1
    assert found_by("proxies").message == "1 trusted"
    before = metrics.unreadable_addresses()
    address_of(rf.get("/", headers={"X-Forwarded-For": "unix:"}))
    heartbeats.ProcessHeartbeat(ProcessKind.WEB)._note()
    heartbeats.ProcessHeartbeat(ProcessKind.WEB)._note()
    found = found_by("proxies")
    assert found.status is Status.WARNING
    assert found.message.startswith(f"{before + 1} times a client's address in X-Forwarded-For")
    assert "antipodes_unreadable_addresses_total" in metrics.exposition().decode()


def test_a_database_that_is_up_to_date_is_ok(folder):
    found = found_by("database")
    assert found.status is Status.OK, found
    assert re.fullmatch(r"\w+ [\d.]+\d, up to date and writable", found.message)


def test_missing_migrations_are_reported_with_the_command(monkeypatch):
    from antipodes.web.platform import schema_version

    monkeypatch.setattr(schema_version, "missing", lambda: ["ops.0003_secrets"])
    found = found_by("database")
    assert (found.status, found.advice) == (Status.FAILED, "antipodes migrate")
    assert "ops.0003_secrets" in found.message


def test_unreachable_redis_is_reported_without_its_password(monkeypatch, closed):
    pytest.importorskip("redis")
    monkeypatch.setenv("REDIS_URL", f"redis://:hidden@127.0.0.1:{closed}/0")
    found = found_by("redis")
    assert found.status is Status.FAILED
    assert "REDIS_URL" in found.advice
    assert "hidden" not in found.message
    monkeypatch.setenv("REDIS_URL", "")
    assert found_by("redis").status is Status.OK


def test_an_unreachable_mail_server_is_reported(settings, closed):
    settings.MAIL_FOLDER, settings.MAIL_IS_SENT = None, True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", closed
    found = found_by("mail out")
    assert found.status is Status.FAILED
    assert f"127.0.0.1:{closed} does not accept mail" in found.message
    assert "EMAIL_URL" in found.advice


def test_missing_mail_server_is_a_warning(settings):
    settings.MAIL_FOLDER, settings.MAIL_IS_SENT = None, False
    assert found_by("mail out").status is Status.WARNING


def test_a_test_mail_is_sent(settings, mailoutbox):
    [found] = doctor._send_test("host@x.example")
    assert found.status is Status.OK
    assert mailoutbox[0].to == ["host@x.example"]
    assert settings.SITE_URL in mailoutbox[0].body


def test_an_inbound_transport_without_listener_is_reported(settings, closed):
    settings.MAIL_HOST, settings.MAIL_LMTP = "x.example", ListenAddress("127.0.0.1", closed)
    found = found_by("mail in")
    assert found.status is Status.FAILED
    assert f"by LMTP at 127.0.0.1:{closed}" in found.message


@pytest.mark.parametrize(("greeting", "status"), [("220 hello", "ok"), ("HTTP/1.1 400", "failed")])
def test_an_inbound_transport_is_checked_by_its_greeting(settings, greeting, status):
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet():
            with server.accept()[0] as client:
                client.sendall(f"{greeting}\r\n".encode())
                client.recv(100)

        thread = threading.Thread(target=greet)
        thread.start()
        settings.MAIL_HOST = "x.example"
        settings.MAIL_LMTP = ListenAddress("127.0.0.1", server.getsockname()[1])
        assert found_by("mail in").status == status
        thread.join(10)


@pytest.mark.parametrize(
    ("mib", "status"),
    [(50, "failed"), (100, "warning"), (500, "warning"), (1_024, "ok"), (5_000, "ok")],
)
def test_little_space_on_the_disk_is_reported(folder, monkeypatch, mib, status):
    free = SimpleNamespace(free=mib * 1024 * 1024)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: free)
    found = found_by("disk")
    assert found.status == status
    assert f"{mib} MiB" in found.message


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_keys_that_others_can_read_are_reported_with_the_command(folder):
    assert found_by("keys").status is Status.OK
    (folder / "secret-key").touch(mode=0o600)
    (folder / "secret-key").chmod(0o644)
    found = found_by("keys")
    assert found.status is Status.FAILED
    assert found.advice == f"chmod go= {folder / 'secret-key'}"


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_a_readable_environment_file_is_reported(folder, tmp_path, monkeypatch):
    file = tmp_path / "site.env"
    file.write_text("MAIL_FROM=Club <play@x.example>\n")
    file.chmod(0o644)
    source = env_file.Source()
    source.file = file
    monkeypatch.setattr(env_file, "source", source)
    found, _ = doctor._run("environment file", doctor._environment_file)
    assert [one.status for one in found] == [Status.WARNING, Status.OK]
    assert "line 1" in found[0].message
    assert f"chmod 640 {file}" in found_by("keys").advice
    file.chmod(0o640)
    assert found_by("keys").status is Status.OK


def test_a_check_that_raises_is_a_finding_and_the_others_run(monkeypatch):
    def broken():
        yield doctor.Finding("table", Status.OK, str(1 / 0))

    monkeypatch.setattr(doctor, "_REQUIREMENTS", {})
    monkeypatch.setattr(doctor, "_CHECKS", {"table": broken, "redis": doctor._CHECKS["redis"]})
    found = list(doctor.examine())
    assert [one.name for one in found] == ["versions", "table", "redis"]
    assert found[1].status is Status.FAILED
    assert found[1].message == "ZeroDivisionError: division by zero"
    assert not doctor.is_well(found)


def test_without_a_site_other_checks_are_skipped(tmp_path, monkeypatch):
    monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("DATABASE_URL", "")
    found = list(doctor.examine())
    assert [one.name for one in found] == ["versions", "environment file", "data folder"]
    assert "antipodes migrate" in found[-1].message
    assert not (tmp_path / "data").exists()


def antipodes(folder, *arguments, **more):
    """Run a command for the site in a folder; return the process, which has ended."""
    clean = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    settings = {**clean, "ANTIPODES_DATA": str(folder), "DATABASE_URL": "", "REDIS_URL": ""}
    command = [sys.executable, "-m", "antipodes", *arguments]
    return subprocess.run(command, env=settings | more, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_exit_code_and_json_tell_that_all_is_well(tmp_path):
    database.copy_to(tmp_path)
    public = {"HTTPS": "true", "ALLOWED_HOSTS": "play.example.org", "SECRET_KEY": ""}
    done = antipodes(tmp_path, "doctor", "--json", **public)
    report = json.loads(done.stdout)
    assert (done.returncode, report["well"]) == (0, True), report
    # Django's deployment checks are among those of a public site.
    settings = {one["status"] for one in report["checks"] if one["name"] == "settings"}
    assert settings == {"ok"}, report
    assert {one["name"] for one in report["checks"]} >= {"settings", *doctor._CHECKS}


@pytest.mark.extreme
def test_wrong_settings_do_not_stop_the_doctor(tmp_path):
    database.copy_to(tmp_path)
    done = antipodes(tmp_path, "doctor", LOG_LEVEL="LOUD")
    assert done.returncode == 1
    assert "FAILED   settings: LOG_LEVEL is 'LOUD'" in done.stdout


def test_the_exit_code_tells_that_a_check_failed(monkeypatch):
    failed = Finding("disk", Status.FAILED, "it is full", "delete something")
    monkeypatch.setattr(doctor, "_REQUIREMENTS", {})
    monkeypatch.setattr(doctor, "_CHECKS", {"disk": lambda: iter([failed])})
    done = CliRunner().invoke(doctor_command, [])
    assert done.exit_code == 1, done.output
    assert "FAILED   disk: it is full" in done.output


def test_what_the_settings_silence_is_no_finding(monkeypatch, settings):
    settings.SILENCED_SYSTEM_CHECKS = ["security.W005"]
    found = [
        checks.Warning("HSTS", id="security.W005"),
        checks.Warning("debug", id="security.W018"),
    ]
    monkeypatch.setattr(doctor, "run_checks", lambda **_: found)
    assert [one.message for one in doctor._settings()] == [
        "debug (security.W018)",
        "valid and consistent",
    ]


def test_every_check_is_documented():
    from tests.docs.pages import DOCS, text_of

    page = text_of(DOCS / "hosting.md")
    for name in ("versions", *doctor._REQUIREMENTS, *doctor._CHECKS):
        assert f"| {name} |" in page


def test_reading_the_settings_does_not_create_the_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("DATABASE_URL", "")
    config.database()
    assert not (tmp_path / "data").exists()


def test_a_database_that_does_not_answer_or_is_full_is_reported(folder, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(connection, "ensure_connection", raising(OperationalError("away")))
        found = found_by("database")
        assert (found.status, found.advice) == (
            Status.FAILED,
            "start it, and check DATABASE_URL",
        )
    with monkeypatch.context() as patched:
        patched.setattr(write_probe, "failure", lambda: "failed: disk full")
        found = found_by("database")
        assert (found.status, found.message) == (Status.FAILED, "writing failed: disk full")


@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite's database is one file")
def test_a_damaged_database_is_reported(folder, monkeypatch):
    monkeypatch.setattr(doctor, "_damage", lambda: "page 3 is lost")
    found = found_by("database")
    assert found.status is Status.FAILED
    assert found.message == "the file is damaged: page 3 is lost"


@pytest.mark.parametrize(
    ("web", "engines", "status"),
    [(2, 1, Status.OK), (0, 1, Status.WARNING), (1, 0, Status.WARNING)],
)
def test_missing_processes_are_a_warning(monkeypatch, web, engines, status):
    counts = {ProcessKind.WEB: web, ProcessKind.ENGINE: engines}
    monkeypatch.setattr(heartbeats, "running", counts.__getitem__)
    found = found_by("processes")
    assert (found.status, found.message) == (
        status,
        f"{web} web processes and {engines} engines run",
    )


def test_late_emails_are_a_warning_with_their_reason(monkeypatch):
    def findings():
        return list(doctor._late_emails())

    monkeypatch.setattr(time, "time_ns", lambda: (3 * HOUR) * 1_000_000)
    before = 3 * HOUR - doctor._LATE
    email = {"to": "ann@example.org", "made_at": before - 1}
    assert findings() == []
    EmailRow.objects.create(key="sent", due_at=None, **email)
    EmailRow.objects.create(key="soon", due_at=before, **email)
    EmailRow.objects.create(key="new", due_at=before - 1, **{**email, "made_at": before})
    assert findings() == []
    EmailRow.objects.create(key="late", due_at=before - 1, **email)
    [found] = findings()
    assert found.status is Status.WARNING
    assert found.message == "1 e-mails have been waiting for more than an hour: no reason"
    EmailRow.objects.create(key="too", due_at=1, trouble="refused", **email)
    assert "2 e-mails" in findings()[0].message
    assert findings()[0].message.endswith(": refused")


def test_a_test_mail_that_cannot_be_sent_is_reported(monkeypatch):
    monkeypatch.setattr("django.core.mail.EmailMessage.send", raising(OSError("no\n route")))
    [found] = doctor._send_test("ann@example.org")
    assert found.status is Status.FAILED
    assert found.message == "no mail could be sent to ann@example.org: no route"


@pytest.mark.parametrize("seconds", [-61, 61])
def test_a_clock_that_differs_from_the_databases_is_reported(monkeypatch, seconds):
    monkeypatch.setattr(clock, "skew", lambda: seconds * 1_000)
    found = found_by("clock")
    assert found.status is Status.FAILED
    assert f"differs from the database's by {seconds:+d} s" in found.message


@pytest.mark.parametrize(
    ("answer", "is_unsynchronised"),
    [("no\n", True), ("yes\n", False), (OSError("broken"), False)],
)
def test_the_system_tells_whether_its_clock_is_synchronised(monkeypatch, answer, is_unsynchronised):
    def run(*_, **__):
        if isinstance(answer, Exception):
            raise answer
        return SimpleNamespace(stdout=answer)

    monkeypatch.setattr(shutil, "which", lambda _name: "/bin/timedatectl")
    monkeypatch.setattr(subprocess, "run", run)
    assert doctor._is_unsynchronised() is is_unsynchronised
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    assert not doctor._is_unsynchronised()


def test_findings_of_settings_have_the_advice_of_django(monkeypatch):
    found = [
        checks.Info("a note"),
        checks.Warning("a  warning", hint="do\n this", id="antipodes.W001"),
    ]
    monkeypatch.setattr(doctor, "run_checks", lambda **_: found)
    warning, well = doctor._settings()
    assert (warning.status, warning.message) == (Status.WARNING, "a warning (antipodes.W001)")
    assert warning.advice == "do this"
    assert (well.status, well.message) == (Status.OK, "valid and consistent")
    found.append(checks.Error("an error", id="antipodes.E001"))
    _, failed = doctor._settings()
    assert (failed.status, failed.message) == (Status.FAILED, "an error (antipodes.E001)")
    assert failed.advice == ""


def checked(name):
    """Return the status, the message and the advice of each finding of a check."""
    found, _ = doctor._run(name, doctor._CHECKS[name])
    return [(one.status, one.message, one.advice) for one in found]


def test_a_test_mail_is_the_last_check_and_sent_only_if_wanted(monkeypatch, mailoutbox):
    monkeypatch.setattr(doctor, "_REQUIREMENTS", {})
    monkeypatch.setattr(doctor, "_CHECKS", {})
    assert [one.name for one in doctor.examine()] == ["versions"]
    assert mailoutbox == []
    assert [one.name for one in doctor.examine("ann@example.org")] == ["versions", "test mail"]
    assert mailoutbox[0].to == ["ann@example.org"]


def test_redis_that_answers_is_ok(monkeypatch):
    redis = pytest.importorskip("redis")
    monkeypatch.setenv("REDIS_URL", "redis://:hidden@127.0.0.1:7/0")
    monkeypatch.setattr(redis.Redis, "ping", lambda _: True)
    [(status, message, advice)] = checked("redis")
    assert (status, advice) == (Status.OK, "")
    assert "hidden" not in message
    assert message == f"{config.without_password(config.redis_url())} answers"


def test_mail_that_stays_on_this_machine_is_ok(settings, tmp_path):
    settings.MAIL_FOLDER, settings.MAIL_IS_SENT = tmp_path, False
    settings.MAIL_HOST, settings.MAIL_LMTP, settings.MAIL_SMTP = "x.example", None, None
    out = "kept on this machine, see antipodes mail read"
    assert checked("mail out") == [(Status.OK, out, "")]
    into = "kept on this machine, see antipodes mail send"
    assert checked("mail in") == [(Status.OK, into, "")]


def test_a_mail_server_that_accepts_mail_is_ok_and_late_mail_is_told(settings):
    settings.MAIL_FOLDER, settings.MAIL_IS_SENT = None, True
    settings.EMAIL_HOST, settings.EMAIL_PORT = "mail.example.org", 587
    settings.DEFAULT_FROM_EMAIL = "play@x.example"
    accepts = (Status.OK, "mail.example.org:587 accepts mail from play@x.example", "")
    assert checked("mail out") == [accepts]
    EmailRow.objects.create(key="late", to="ann@example.org", made_at=1, due_at=1)
    late, well = checked("mail out")
    assert (late[0], late[2]) == (Status.WARNING, doctor._START)
    assert well == accepts


def test_a_mailbox_and_webhooks_are_ways_for_mail_to_come_in(settings, monkeypatch):
    settings.MAIL_HOST, settings.MAIL_LMTP, settings.MAIL_SMTP = "x.example", None, None
    settings.MAIL_FOLDER, settings.MAIL_IMAP, settings.MAIL_WEBHOOK_SECRET = None, None, ""
    assert checked("mail in") == []
    settings.MAIL_WEBHOOK_SECRET = "secret"
    webhooks = (Status.OK, "webhooks are answered at /mail/webhooks/", "")
    assert checked("mail in") == [webhooks]
    signed_in = []
    monkeypatch.setattr(ImapTransport, "check", lambda one: signed_in.append(one.where))
    settings.MAIL_IMAP = "the mailbox"
    assert checked("mail in") == [(Status.OK, "the mailbox can be read", ""), webhooks]
    assert signed_in == ["the mailbox"]


@pytest.mark.skipif(os.name != "posix", reason="needs sockets in the file system")
def test_an_inbound_transport_may_listen_at_a_socket_in_the_file_system(
    settings, tmp_path, monkeypatch
):
    path = tmp_path / "lmtp"
    settings.MAIL_HOST, settings.MAIL_SMTP = "x.example", None
    settings.MAIL_FOLDER, settings.MAIL_IMAP, settings.MAIL_WEBHOOK_SECRET = None, None, ""
    settings.MAIL_LMTP = ListenAddress(path=str(path))
    heard, waits = [], []
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()

        def greet():
            with server.accept()[0] as client:
                client.sendall(b"220 hello\r\n")
                heard.append(client.recv(100))

        thread = threading.Thread(target=greet)
        thread.start()
        monkeypatch.setattr(socket.socket, "settimeout", lambda _, seconds: waits.append(seconds))
        assert checked("mail in") == [(Status.OK, f"LMTP server at unix:{path}", "")]
        thread.join(10)
    assert (heard, waits) == ([b"QUIT\r\n"], [10])


def test_a_clock_that_is_not_synchronised_is_a_warning(monkeypatch):
    monkeypatch.setattr(doctor, "_is_unsynchronised", lambda: True)
    advice = "set the clocks of all machines by NTP, such as: timedatectl set-ntp true"
    message = "this machine's clock is not synchronised by NTP"
    assert checked("clock") == [(Status.WARNING, message, advice)]


@pytest.mark.parametrize("late", [0, 1])
@pytest.mark.parametrize("sign", [-1, 1])
def test_clocks_may_differ_by_ten_seconds(monkeypatch, sign, late):
    monkeypatch.setattr(doctor, "_is_unsynchronised", lambda: False)
    monkeypatch.setattr(clock, "skew", lambda: sign * (10_000 + late))
    assert found_by("clock").status is (Status.FAILED if late else Status.OK)


@pytest.mark.parametrize("late", [0, 1])
def test_heartbeats_may_be_ten_seconds_ahead(monkeypatch, late):
    monkeypatch.setattr(doctor, "_is_unsynchronised", lambda: False)
    monkeypatch.setattr(clock, "skew", lambda: 0)
    monkeypatch.setattr(time, "time_ns", lambda: 5_000_000_000)
    monkeypatch.setattr(heartbeats, "latest", lambda kind: {ProcessKind.WEB: 15_000 + late}[kind])
    message = "this machine's clock was set back; the site's is 10 s ahead"
    found = found_by("clock")
    assert found.status is (Status.WARNING if late else Status.OK)
    assert (found.message == message) is bool(late)


def test_an_invalid_key_of_push_notifications_is_reported(folder, monkeypatch):
    monkeypatch.setenv("VAPID_PRIVATE_KEY", "")
    monkeypatch.setattr(push, "public_key", lambda: "a key")
    monkeypatch.setenv("SECRET_KEY", "")
    where = "SECRET_KEY is in the data folder, the key of push notifications in the database"
    assert checked("keys") == [(Status.OK, where, "")]
    monkeypatch.setenv("SECRET_KEY", "a secret")
    monkeypatch.setenv("VAPID_PRIVATE_KEY", "a key")
    where = "SECRET_KEY is in the environment, the key of push notifications in the environment"
    assert checked("keys") == [(Status.OK, where, "")]
    monkeypatch.setattr(push, "public_key", lambda: "")
    message = "the key of push notifications in the environment is invalid: no pushes are sent"
    assert checked("keys") == [(Status.FAILED, message, "remove VAPID_PRIVATE_KEY")]


@pytest.mark.parametrize(("hosts", "is_public"), [("", False), ("play.example.org", True)])
def test_settings_of_public_sites_are_checked_for_deployment(monkeypatch, hosts, is_public):
    asked: list[dict[str, bool]] = []

    def run_checks(**options):
        asked.append(options)
        return []

    monkeypatch.setenv("ALLOWED_HOSTS", hosts)
    monkeypatch.setattr(doctor, "run_checks", run_checks)
    assert [one.status for one in doctor._settings()] == [Status.OK]
    assert asked == [{"include_deployment_checks": is_public}]


def test_the_first_finding_has_the_versions():
    assert next(doctor.examine()) == doctor.Finding("versions", Status.OK, doctor._versions())
    words = doctor._versions().split(", ")
    assert [word.split()[0] for word in words] == ["Antipodes", "Python", "Django"]


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_a_system_that_fails_to_tell_about_its_clock_may_say_no_all_the_same(tmp_path, monkeypatch):
    program = tmp_path / "timedatectl"
    program.write_text(
        '#!/bin/sh\n[ "$*" = "show --property=NTPSynchronized --value" ] && echo no\nexit 1\n'
    )
    program.chmod(0o700)
    monkeypatch.setattr(shutil, "which", lambda _name: str(program))
    assert doctor._is_unsynchronised()
