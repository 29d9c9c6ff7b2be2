"""Servers, once for all tests; a site for each file, and people who write to it."""

import pytest

from tests.live.ports import free_port
from tests.mailservers.people import Correspondent
from tests.mailservers.servers import Dovecot, Postfix, what_is_missing
from tests.mailservers.site import MailSite
from tests.scratch import scratch_folder


def pytest_configure(config):
    """Say at once that something is not installed."""
    if missing := what_is_missing():
        raise pytest.UsageError(missing)


@pytest.fixture(scope="session")
def scratch():
    with scratch_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def dovecot(scratch):
    server = Dovecot(scratch / "dovecot")
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def lmtp_port():
    return free_port()


@pytest.fixture(scope="session")
def postfix(scratch, dovecot, lmtp_port):
    server = Postfix(scratch / "postfix", lmtp=lmtp_port, mailboxes=dovecot.socket)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def site(tmp_path_factory, postfix, lmtp_port):
    """A site that takes mail by LMTP and sends by Postfix."""
    folder = tmp_path_factory.mktemp("site")
    found = MailSite(folder / "data", folder / "log")
    found.lmtp = lmtp_port
    found.reads(EMAIL_URL=postfix.url(), MAIL_LMTP=f"127.0.0.1:{lmtp_port}")
    found.start()
    found.wait_for_doors()
    yield found
    found.stop()
    assert "Traceback" not in found.said(), found.said()[-4_000:]


@pytest.fixture
def person(postfix, dovecot):
    """Return somebody with a mailbox: ``person("ann")``."""
    return lambda name: Correspondent(name, postfix, dovecot)
