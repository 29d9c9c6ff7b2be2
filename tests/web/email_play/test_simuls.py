"""The mail command ``simul``."""

import pytest

from antipodes.web.accounts.models import User
from antipodes.web.email_play import mail_tokens
from antipodes.web.simuls import services
from tests.web.email_play.conftest import HOST

pytestmark = pytest.mark.django_db

COMMANDS = f"play@{HOST}"


def test_simuls_are_listed_joined_and_left(reachable, post):
    ann = reachable[0]
    token = mail_tokens.make_token(ann, "a test")
    host = User.objects.create(username="stork")
    row = services.make_simul(host, game_id="hex", board="small", control="10m+5s", host_seat=None)

    def answer(line):
        [email] = post.send(ann, COMMANDS, line)
        return email.text

    assert "stork" in answer("simul list")
    assert "You have joined" in answer(f"simul join ann {token} {row.pk}")
    assert row.players.get().user == ann
    assert "You have left" in answer(f"simul ann {token} leave {row.pk}")
    assert not row.players.exists()
    assert "mail/simul" in answer("simul join ann 999")
    assert "mail/simul" in answer("simul win")
