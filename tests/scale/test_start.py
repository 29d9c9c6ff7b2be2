"""Tests of starting several processes, of invalid settings, and of probes."""

import subprocess
import sys
import urllib.error
import urllib.request

import pytest


def refused(done, text):
    assert done.returncode == 2
    assert text in done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def test_engines_elsewhere_need_a_database_that_can_be_shared(empty_site):
    for command in (("work",), ("serve", "--no-worker", "--port", "0")):
        message = refused(empty_site.call(*command, DATABASE_URL="", REDIS_URL=""), "SQLite")
        assert "DATABASE_URL=postgres://" in message
        assert "REDIS_URL=redis://" in message


def test_a_database_without_tables_is_refused_until_it_has_them(empty_site):
    refused(empty_site.call("serve", "--no-worker", "--port", "0"), "antipodes migrate")
    refused(empty_site.call("work"), "antipodes migrate")
    check = empty_site.call("migrate", "--check")
    assert check.returncode == 1
    assert "matches.0001_initial: can be applied while the site runs" in check.stdout
    assert empty_site.call("migrate").returncode == 0
    assert empty_site.call("migrate", "--check").returncode == 0


def test_tables_of_another_version_are_refused_by_each_command(empty_site):
    assert empty_site.call("migrate").returncode == 0
    empty_site.run_code(
        "from django.db import connection\n"
        "connection.cursor().execute('ALTER TABLE simuls_simulrow RENAME control TO clock')"
    )
    difference = "the table simuls_simulrow has no column control"
    for command in (("serve", "--port", "0"), ("work",), ("migrate",), ("migrate", "--check")):
        refused(empty_site.call(*command), difference)
    done = empty_site.call("doctor")
    assert done.returncode == 1
    assert difference in done.stdout


def test_a_key_that_machines_do_not_share_is_refused(empty_site):
    refused(empty_site.call("serve", "--port", "0", SECRET_KEY=""), "SECRET_KEY")


def test_a_database_that_does_not_answer_is_named_without_its_password(empty_site):
    url = "postgres://host:hidden@127.0.0.1:9/nothing"
    message = refused(empty_site.call("serve", "--port", "0", DATABASE_URL=url), "does not answer")
    assert "host@127.0.0.1:9" in message
    assert "hidden" not in message


def test_without_redis_a_second_server_on_a_database_is_refused(postgresql, empty_site, tmp_path):
    alone = {"REDIS_URL": ""}
    assert empty_site.call("migrate").returncode == 0
    environment = {**empty_site.environment, **alone}
    command = [sys.executable, "-m", "antipodes", "serve", "--port", str(empty_site.ports[0])]
    first = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:
        empty_site.wait_until(lambda: empty_site.readiness().get("web") == 1)
        second = {**alone, "ANTIPODES_DATA": str(tmp_path / "elsewhere")}
        message = refused(
            empty_site.call("serve", "--port", "0", **second), "in use by 'antipodes serve"
        )
        assert f":{first.pid}'" in message
        assert "set REDIS_URL for both" in message
        first.kill()
        first.wait()
        first = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        empty_site.wait_until(lambda: empty_site.readiness().get("ready"))
        assert first.poll() is None
    finally:
        first.terminate()
        first.wait()


def status_of(site, path, **headers):
    request = urllib.request.Request(site.url(path), headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read().decode()


def test_probes_tell_what_is_away_and_pages_say_so(seeded, postgresql):
    site, _ = seeded
    site.start(web=2, engines=1)
    assert status_of(site, "/metrics", **{"X-Forwarded-For": "8.8.8.8"})[0] == 403
    assert site.metric("antipodes_process_silence_seconds") >= 0
    for _ in range(8):
        assert status_of(site, "/lobby/")[0] == 200
    postgresql.stop()
    try:
        site.wait_until(lambda: site.readiness().get("ready") is False)
        assert status_of(site, "/healthz")[0] == 200
        for _ in range(8):
            status, headers, text = status_of(site, "/lobby/")
            assert status == 503
            assert headers["Retry-After"]
            assert "Temporarily unavailable" in text
    finally:
        postgresql.start()
    site.wait_until(lambda: site.readiness().get("ready"))
    for _ in range(16):
        assert status_of(site, "/lobby/")[0] == 200


@pytest.mark.parametrize("given", ["a-name-from-before", None])
def test_a_request_has_a_name(seeded, given):
    site, _ = seeded
    site.start(web=1, engines=0)
    headers = {"X-Request-ID": given} if given else {}
    name = status_of(site, "/rules/", **headers)[1]["X-Request-ID"]
    assert name == given if given else len(name) == 16
