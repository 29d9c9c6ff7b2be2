"""Mail servers for all tests, a site for each file, and users with mailboxes."""

import pytest

from tests.live.logs import tracebacks
from tests.live.ports import free_port
from tests.mailservers.people import Correspondent
from tests.mailservers.servers import Dovecot, Postfix, missing_programs
from tests.mailservers.site import MailSite
from tests.scratch import scratch_folder


def pytest_configure(config):
    """Stop if a program is not installed."""
    if missing := missing_programs():
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
    """A site that receives mail by LMTP and sends it through Postfix."""
    folder = tmp_path_factory.mktemp("site")
    found = MailSite(folder / "data", folder / "log")
    found.lmtp = lmtp_port
    found.set_environment(EMAIL_URL=postfix.url(), MAIL_LMTP=f"127.0.0.1:{lmtp_port}")
    found.start()
    found.wait_for_lmtp()
    yield found
    found.stop()
    assert not tracebacks(found.log_text())


@pytest.fixture
def person(postfix, dovecot):
    """Return a user with a mailbox: ``person("ann")``."""
    return lambda name: Correspondent(name, postfix, dovecot)
