"""The door that reads a mailbox: it hears at once, marks or moves, and takes nothing twice."""

import time

import pytest

from tests.mailservers.people import text_of
from tests.mailservers.servers import PASSWORD, PEOPLE, wait_until
from tests.mailservers.site import MailSite

BOX = f"club@{PEOPLE}"


@pytest.fixture(scope="module")
def site(tmp_path_factory, postfix, dovecot):
    """A site whose address is one mailbox among others, read by IMAP."""
    folder = tmp_path_factory.mktemp("imap")
    found = MailSite(folder / "data", folder / "log")
    user = BOX.replace("@", "%40")
    found.reads(
        EMAIL_URL=postfix.url(),
        MAIL_USER="club",
        MAIL_HOST=PEOPLE,
        MAIL_IMAP=f"imap://{user}:{PASSWORD}@127.0.0.1:{dovecot.port}/INBOX?folder=Done",
    )
    found.start()
    yield found
    found.stop()
    assert PASSWORD not in found.said()


def folders(dovecot):
    """Return how many mails lie unread in the mailbox, and how many were moved."""
    client = dovecot.client(BOX)
    try:
        status, _ = client.select(readonly=True)
        unread = client.search(None, "UNSEEN")[1][0].split() if status == "OK" else []
        status, _ = client.select("Done", readonly=True)
        done = client.search(None, "ALL")[1][0].split() if status == "OK" else []
    finally:
        client.logout()
    return len(unread), len(done)


def test_mail_in_a_mailbox_is_answered_at_once_and_put_away(site, person, dovecot):
    eve = person("eve")
    first = eve.write(BOX, "help")
    eve.wait_for_answer(first)
    begun = time.monotonic()
    second = eve.write(BOX, "help move")
    assert "move" in text_of(eve.wait_for_answer(second))
    assert time.monotonic() - begun < 60
    wait_until(lambda: folders(dovecot) == (0, 2), "both to be moved", 60)
    assert site.arrivals() == ["answered", "answered"]


def test_a_whole_reply_address_comes_through_the_mailbox(site, person):
    site.people("fay", "gus")
    board = site.begin("hex", {"size": 3, "swap": "off"}, ["fay", "gus"])["number"]
    fay = person("fay")
    letter = fay.wait_for_turn(board, 0)
    assert "club+" in str(letter["Reply-To"])
    fay.wait_for_answer(fay.reply(letter, "b2"))
    assert site.moves(board)["moves"] == ["b2"]


def test_when_the_server_is_away_the_door_comes_again(site, person, dovecot):
    eve = person("eve")
    dovecot.stop()
    time.sleep(2)
    dovecot.start()
    sent = eve.write(BOX, "help")
    eve.wait_for_answer(sent)
    assert site.said().count("imap") < 10, "one line for an outage, not one for each attempt"
