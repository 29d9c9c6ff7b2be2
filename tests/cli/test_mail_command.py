"""``antipodes mail`` as a mail program on this machine, and as called by mail servers."""

import functools
import re
import shutil
import socket

import pytest

from tests.cases import for_each
from tests.cli.forks import CAN_FORK, Forks
from tests.cli.tools import environment
from tests.live import database

MAIL = b"Message-ID: <1@there.example>\nFrom: ann@there.example\nSubject: help\n\n"


def without_settings(folder):
    """Return an environment without settings but a data folder."""
    settings = environment() | {"ANTIPODES_DATA": str(folder / "data")}
    for name in ("EMAIL_URL", "ALLOWED_HOSTS", "DJANGO_SETTINGS_MODULE", "SECRET_KEY"):
        settings.pop(name, None)
    return settings


@pytest.fixture
def call_mail(call, tmp_path):
    """Run commands with an empty data folder; ``more`` is added to the environment."""

    def run(*arguments, data=b"", **more):
        return call(*arguments, data=data, environment=without_settings(tmp_path) | more)

    return run


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """A process that has loaded the site, if processes can be forked, and its folder."""
    folder = tmp_path_factory.mktemp("loaded")
    forks = Forks(folder / "forks", without_settings(folder), loads=True) if CAN_FORK else None
    yield forks, folder
    if forks is not None:
        forks.end()


@pytest.fixture
def loaded_folder(loaded):
    """The folder above the empty data folder of ``call_loaded``."""
    _, folder = loaded
    shutil.rmtree(folder / "data", ignore_errors=True)
    return folder


@pytest.fixture
def call_loaded(call, loaded, loaded_folder):
    """Run commands as ``call_mail`` does, in forks of a process that has loaded the site."""
    forks, _ = loaded
    if forks is not None:
        return forks.call
    return functools.partial(call, environment=without_settings(loaded_folder))


def test_a_mail_is_sent_listed_shown_and_answered(call_loaded):
    call = call_loaded
    ann = "ann@x.example"
    assert "There is no mail yet" in call("mail", "read")[1]
    code, out, _ = call("mail", "send", "--from", ann, "--to", ann, "--subject", "Grüße", "Salut")
    assert (code, out.splitlines()[0][:20]) == (0, f"Sent to {ann}"[:20])
    assert f"{ann}: 1 mails, 1 unread" in call("mail", "read")[1]
    assert re.search(r"1 \* Grüße", call("mail", "read", ann)[1])
    assert call("mail", "read", ann, "1")[1].endswith("Subject: Grüße\n\nSalut\n\n")
    assert f"{ann}: 1 mails, 0 unread" in call("mail", "read")[1]
    assert call("mail", "send", "--reply", "1", "-", data=b"Merci")[0] == 0
    shown = call("mail", "read", ann, "2")[1]
    assert "Subject: Re: Grüße" in shown
    assert "Merci" in shown
    assert "> Salut" in shown
    raw = call("mail", "read", ann, "2", "--raw")[1]
    assert "In-Reply-To: <" in raw


@for_each(
    "arguments, message",
    [
        (("send", "help"), "--from"),
        (("send", "--from", "ann"), "'ann' is not a mail address"),
        (("send", "--from", "a@b.example", "--to", "x y"), "'x y' is not a mail address"),
        (("send", "--from", "a@b.example", "--reply", "3"), "none with the number 3"),
        (("read", "a@b.example", "7"), "none with the number 7"),
    ],
)
def test_wrong_arguments_are_refused(call_loaded, arguments, message):
    code, _, err = call_loaded("mail", *arguments)
    assert code == 2
    assert message in err


def test_a_server_for_mail_needs_the_name_of_its_host(call_mail):
    more = {"MAIL_LMTP": "127.0.0.1:0", "EMAIL_URL": "smtp://x"}
    code, _, err = call_mail("mail", "listen", **more)
    assert (code, "MAIL_LMTP is set, but not MAIL_HOST" in err) == (2, True)


def test_a_site_with_a_mail_server_keeps_no_mail_here(call_mail):
    for more in ({"EMAIL_URL": "smtp://localhost"}, {"ALLOWED_HOSTS": "x.example"}):
        code, _, err = call_mail("mail", "send", "--from", "a@b.example", **more)
        assert (code, "does not stay on this machine" in err) == (2, True)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("MAIL_LMTP", "somewhere", "'somewhere'"),
        ("MAIL_SMTP", "127.0.0.1:99999", "'127.0.0.1:99999'"),
        ("MAIL_IMAP", "pop3://a:b@c.example", "pop3://a@c.example"),
        ("MAIL_IMAP", "imap://a:hush@c.example", "in clear"),
        ("MAIL_IMAP", "imaps://a:hush@c.example?x=1", "'x' is unknown"),
        ("MAIL_HOST", "not a host", "'not a host'"),
        ("MAIL_USER", "a+b", "'a+b'"),
        ("MAIL_WEBHOOK_SECRET", "short", "5 characters"),
        ("EMAIL_URL", "smpt://a:hush@c.example", "smpt://a@c.example"),
    ],
)
def test_a_wrong_setting_is_refused_without_showing_its_password(call_mail, name, value, message):
    code, _, err = call_mail("mail", "listen", **{name: value})
    assert code == 2
    assert message in err
    assert "hush" not in err
    assert "Traceback" not in err


def test_a_used_port_is_refused(call_mail, tmp_path):
    database.copy_to(tmp_path / "data")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        where = f"127.0.0.1:{taken.getsockname()[1]}"
        code, _, err = call_mail(
            "mail", "listen", MAIL_LMTP=where, MAIL_HOST="x.example", EMAIL_URL="smtp://localhost"
        )
    assert code == 2
    assert f"cannot listen at {where}" in err


def test_exit_codes_tell_mail_servers_what_to_do(call_loaded, loaded_folder):
    call, to = call_loaded, ("mail", "deliver", "--recipient")
    # The mail has to wait until the tables exist.
    assert call(*to, "play@localhost", data=MAIL)[0] == 75
    (loaded_folder / "data" / database.NAME).unlink(missing_ok=True)
    database.copy_to(loaded_folder / "data")
    assert call(*to, "play@localhost", data=MAIL)[0] == 0
    assert call(*to, "play@localhost", data=MAIL)[0] == 0
    assert call(*to, "ann@there.example", data=MAIL)[0] == 67
    assert call(*to, "play@localhost", data=MAIL + b"x" * 1_100_000)[0] == 65
    assert call("mail", "deliver", data=b"To: play@localhost\n" + MAIL)[0] == 0


def test_a_mail_waits_while_the_settings_are_wrong(call_mail):
    to = ("mail", "deliver", "--recipient", "play@localhost")
    assert call_mail(*to, data=MAIL, DATABASE_URL="nonsense://")[0] == 75
