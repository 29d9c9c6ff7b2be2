"""A flood of mail from unknown senders of one domain; other unknown senders get answers."""

import asyncio
import smtplib
import time
from email.message import EmailMessage

import pytest

from tests.attack.attack import Target
from tests.live.ports import free_port

HOST = "play.test"
ANSWERED = 60.0  # seconds until an unknown sender has an answer
_CONNECTIONS = 8
# Mails in an hour; exceeding the larger defaults would take too long.
_OF_STRANGERS, _OF_A_DOMAIN = 60, 20


@pytest.fixture(scope="module")
def smtp():
    return free_port()


@pytest.fixture(scope="module")
def variables(smtp):
    return {
        "MAIL_HOST": HOST,
        "MAIL_SMTP": f"127.0.0.1:{smtp}",
        "LIMIT_MAIL_OF_STRANGERS": f"{_OF_STRANGERS}/hour",
        "LIMIT_MAIL_OF_DOMAIN": f"{_OF_A_DOMAIN}/hour",
    }


def deliver(port, sender, number):
    """Deliver a mail to the site, as a mail server does."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, f"play@{HOST}", "help"
    mail["Message-ID"] = f"<{number}.{time.monotonic_ns()}@{sender.partition('@')[2]}>"
    mail.set_content("help\n")
    with smtplib.SMTP("127.0.0.1", port, timeout=30) as client:
        client.send_message(mail)


async def flood(target: Target, smtp: int) -> None:
    """Send mails as fast as the site accepts them, each from another sender of one domain."""
    numbers = iter(range(10**9))

    async def write() -> None:
        while True:
            number = next(numbers)
            try:
                await asyncio.to_thread(deliver, smtp, f"sender-{number}@spam.test", number)
                target.counts["accepted"] += 1
            except (OSError, smtplib.SMTPException) as error:
                target.counts[type(error).__name__] += 1
                await asyncio.sleep(0.5)

    await asyncio.gather(*(write() for _ in range(_CONNECTIONS)))


def test_a_flood_of_mail_from_one_domain(siege, withstand, smtp):
    def is_answered(found):
        assert found["counts"].get("accepted", 0) > _OF_STRANGERS, "too few mails for a flood"
        deliver(smtp, "grandmother@mail.test", 0)
        siege.site.post.wait_for(lambda mail: "grandmother" in mail["To"], ANSWERED)
        return []

    withstand(flood, check=is_answered, smtp=smtp)
