"""People of the town at a site elsewhere use pages, sockets and mail, and notice faults."""

import asyncio
import re
import smtplib
import time
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest

from antipodes.cli.app import main
from antipodes.web.town import real_site
from antipodes.web.town.outside import Terms, percentiles, visit
from antipodes.web.town.real_site import MailRoute
from tests.live.ports import free_port
from tests.live.site import Site


@pytest.fixture(scope="module")
def route():
    return MailRoute(f"lmtp://127.0.0.1:{free_port()}", "town.example", free_port())


@pytest.fixture(scope="module")
def site(tmp_path_factory, route):
    site = Site(tmp_path_factory.mktemp("town") / "data", tmp_path_factory.mktemp("log") / "log")
    site.set_environment(
        EMAIL_URL=f"smtp://127.0.0.1:{route.port}",
        MAIL_LMTP=route.address.removeprefix("lmtp://"),
        MAIL_HOST=route.host,
        TRUSTED_PROXIES="1",
    )
    site.start()
    wait_for_mail_server(route)
    yield site
    site.stop()


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Let people wait as long as a busy machine takes."""
    monkeypatch.setattr(real_site, "_TIMEOUT", 180.0)


def wait_for_mail_server(route):
    """Wait until the site's worker listens."""
    for _ in range(1_800):
        with suppress(OSError), smtplib.LMTP(*route.address.removeprefix("lmtp://").split(":")):
            return
        time.sleep(0.1)
    raise AssertionError("the site does not receive mail")


def visit_by(site, **terms):
    lines: list[str] = []
    return asyncio.run(visit(Terms(site.url(), 5, 8, 5, 10, **terms), lines.append)), lines


@pytest.mark.extreme  # its people give up on answers that a busy machine gives late
def test_people_use_a_site_elsewhere_by_pages_sockets_and_mail(site, route):
    visitors, lines = visit_by(site, events=60, mail=route)
    assert not visitors.breaches, lines
    assert sum(visitors.acts.values()) >= 60
    assert visitors.site.posted > 0 < visitors.mails
    assert visitors.statuses[200] > 20
    [head, statuses, *table, laws] = visitors.report()
    assert re.match(r"\d+ acts of 8 people in \d+ s: \d+ requests, \d+ mails to the site, ", head)
    assert " × 200" in statuses
    assert table[-1].split()[0] == "all"
    assert int(table[-1].split()[2]) >= visitors.statuses.total()
    assert laws == "laws broken: none"
    # Their accounts have gone with them, also those that mail has made.
    left = site.ask(
        "from antipodes.web.accounts.models import User\n"
        "report([user.username for user in User.objects.filter(email__endswith='@home.example')])"
    )
    assert not left


@pytest.mark.slow
def test_people_notice_that_a_site_does_not_answer(site, monkeypatch):
    from antipodes.web.town import outside

    original = outside.Visitors.live

    async def die(visitors):
        await asyncio.to_thread(site.kill)
        await original(visitors)

    monkeypatch.setattr(outside.Visitors, "live", die)
    visitors, _ = visit_by(site, events=10)
    assert {breach.law for breach in visitors.breaches} == {"each_request_is_answered"}
    assert list(visitors.report())[-1].startswith("laws broken: each_request_is_answered ")
    site.start()


def test_people_try_again_to_delete_accounts_when_answers_are_late(monkeypatch):
    from antipodes.web.town.habits import accounts
    from antipodes.web.town.outside import Visitors

    attempts = []

    async def leave_for_ever(person):
        attempts.append(person.name)
        person.has_account = attempts.count("ada") < 3 and person.name == "ada"

    async def wait():
        await asyncio.sleep(0)

    class Visitor:
        def __init__(self, name):
            self.name, self.has_account = name, True

        async def leave(self):
            """Close no page, as none is open."""

    monkeypatch.setattr(accounts, "leave_for_ever", leave_for_ever)
    stub: Any = SimpleNamespace(loop=SimpleNamespace(settle=wait, time=lambda: 0.0))
    people: Any = [Visitor("ada"), Visitor("ben")]
    visitors = Visitors(Terms("", 1, 2, 1, 1), stub, print, people)
    asyncio.run(visitors.leave())
    assert attempts == ["ada", "ben", "ada", "ada"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--against", "http://127.0.0.1:1"], "state by --own-site"),
        (["--against", "http://127.0.0.1:1", "--own-site"], "no site answers at"),
        (["--against", "ftp://a/", "--own-site"], "'ftp://a/' is not the address of a site"),
        (["--against", "http://a", "--own-site", "--mail", "x"], "'x' is not such as lmtp://"),
        (["--against", "http://a", "--own-site", "--shrink"], "only without --against"),
        (["--against", "http://a", "--own-site", "--seeds", "2"], "only without --against"),
        (["--rate", "3"], "--rate is possible only with --against"),
        (["--jobs", "2"], "--jobs is possible only with --seeds"),
        (["--seeds", "2", "--picture", "x.svg"], "--picture is possible only with one seed"),
    ],
)
def test_terms_that_make_no_sense_are_refused(capsys, options, words):
    assert main(["simulate", *options]) == 2
    assert words in capsys.readouterr().err


def test_the_slowest_twentieth_is_told_apart():
    assert percentiles([]) == (0.0, 0.0, 0.0)
    assert percentiles([float(number) for number in range(101)]) == (50.0, 95.0, 100.0)
