"""What tests of play by e-mail share."""

import pytest

from tests.web.notices.conftest import _mail_is_sent, prefer, reachable, slow

__all__ = ["_mail_is_sent", "prefer", "reachable", "slow"]

HOST = "play.example"


@pytest.fixture(autouse=True)
def _receives_mail(settings):
    settings.MAIL_HOST = HOST
    settings.SITE_URL = "https://antipodes.example"
