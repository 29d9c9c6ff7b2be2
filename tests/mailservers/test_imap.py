"""Mail by IMAP: the site reads new mail immediately, and each mail once."""

import time

import pytest

from tests.mailservers.people import text_of
from tests.mailservers.servers import PASSWORD, PEOPLE, wait_until
from tests.mailservers.site import MailSite

BOX = f"club@{PEOPLE}"


@pytest.fixture(scope="module")
def site(tmp_path_factory, postfix, dovecot):
    """A site that reads one of the mailboxes by IMAP."""
    folder = tmp_path_factory.mktemp("imap")
    found = MailSite(folder / "data", folder / "log")
    user = BOX.replace("@", "%40")
    found.set_environment(
        EMAIL_URL=postfix.url(),
        MAIL_USER="club",
        MAIL_HOST=PEOPLE,
        MAIL_IMAP=f"imap://{user}:{PASSWORD}@127.0.0.1:{dovecot.port}/INBOX?folder=Done",
    )
    found.start()
    yield found
    found.stop()
    assert PASSWORD not in found.log_text()


def folders(dovecot):
    """Return the numbers of unread mails in the mailbox and of moved mails."""
    client = dovecot.client(BOX)
    try:
        status, _ = client.select(readonly=True)
        unread = client.search(None, "UNSEEN")[1][0].split() if status == "OK" else []
        status, _ = client.select("Done", readonly=True)
        done = client.search(None, "ALL")[1][0].split() if status == "OK" else []
    finally:
        client.logout()
    return len(unread), len(done)


def test_mail_in_a_mailbox_is_answered_at_once_and_moved(site, person, dovecot):
    eve = person("eve")
    first = eve.write(BOX, "help")
    eve.wait_for_answer(first)
    begun = time.monotonic()
    second = eve.write(BOX, "help move")
    assert "move" in text_of(eve.wait_for_answer(second))
    assert time.monotonic() - begun < 60
    wait_until(lambda: folders(dovecot) == (0, 2), "both to be moved", 60)
    assert site.outcomes() == ["answered", "answered"]


def test_a_reply_address_is_read_from_the_mailbox(site, person):
    site.people("fay", "gus")
    board = site.begin("hex", {"size": 3, "swap": "off"}, ["fay", "gus"])["number"]
    fay = person("fay")
    mail = fay.wait_for_turn(board, 0)
    assert "club+" in str(mail["Reply-To"])
    fay.wait_for_answer(fay.reply(mail, "b2"))
    assert site.moves(board)["moves"] == ["b2"]


def test_the_site_reconnects_after_an_outage(site, person, dovecot):
    eve = person("eve")
    dovecot.stop()
    time.sleep(2)
    dovecot.start()
    sent = eve.write(BOX, "help")
    eve.wait_for_answer(sent)
    assert site.log_text().count("imap") < 10, "an outage is logged once, not for each attempt"
