"""Which doors there are, and which settings do not go together."""

import pytest

from antipodes.web.email_play.inbound.checks import check_mail
from antipodes.web.email_play.inbound.runner import OpenDoors, configured
from antipodes.web.email_play.inbound.transport import Door
from antipodes.web.platform.mail_settings import ListenAddress, parse_mailbox

HERE = ListenAddress("127.0.0.1", 8024)


@pytest.fixture(autouse=True)
def sends(settings):
    settings.MAIL_IS_SENT = True


def test_a_site_has_the_doors_that_its_settings_name(settings, maildir):
    settings.MAIL_LMTP = HERE
    settings.MAIL_SMTP = ListenAddress("127.0.0.1", 8025)
    settings.MAIL_IMAP = parse_mailbox("imaps://play:secret@mail.example.org/In?folder=Done")
    assert [str(door) for door in configured()] == [
        f"the folder {maildir}/incoming",
        "LMTP at 127.0.0.1:8024",
        "SMTP at 127.0.0.1:8025",
        "IMAP from imaps://play@mail.example.org:993/In",
    ]


def test_without_settings_there_is_no_door_and_nothing_to_complain_of(settings):
    settings.MAIL_HOST = ""
    assert configured() == []
    assert check_mail() == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"MAIL_LMTP": HERE, "MAIL_HOST": ""}, "MAIL_LMTP is set, but not MAIL_HOST"),
        ({"MAIL_WEBHOOK_SECRET": "a:b", "MAIL_HOST": ""}, "MAIL_WEBHOOK_SECRET is set"),
        ({"MAIL_IS_SENT": False}, "MAIL_HOST is set, but not EMAIL_URL"),
        ({"MAIL_LMTP": HERE, "MAIL_SMTP": HERE}, "are both 127.0.0.1:8024"),
    ],
)
def test_settings_that_do_not_go_together_are_told(settings, changed, said):
    for name, value in changed.items():
        setattr(settings, name, value)
    (found,) = check_mail()
    assert said in found.msg


class Failing(Door):
    """Fails some times, and then stands."""

    name = "test"

    def __init__(self, failures):
        super().__init__()
        self.left = list(failures)
        self.stood = 0

    def __str__(self):
        return "a door"

    def try_out(self):
        return

    def stand(self):
        if self.left:
            raise self.left.pop(0)
        self.works()
        self.stood += 1
        self.ending.wait(5)


def test_a_door_that_fails_is_opened_again_and_its_outage_is_two_lines(monkeypatch, caplog):
    monkeypatch.setattr("antipodes.web.email_play.inbound.transport._PAUSES", (0.01,))
    door = Failing([OSError("gone"), OSError("still gone"), ConnectionResetError("and again")])
    opened = OpenDoors([door])
    opened.start()
    for _ in range(500):
        if door.stood:
            break
        door.ending.wait(0.01)
    opened.stop()
    assert door.stood == 1
    said = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert said == [
        "no mail by a door now, it is tried again in 0.01 s: gone",
        "mail comes in again: a door",
    ]
