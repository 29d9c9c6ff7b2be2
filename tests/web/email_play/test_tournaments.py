"""The mail command ``tournament``."""

import pytest

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.tournaments import RoundRobin
from antipodes.web.accounts.models import User
from antipodes.web.email_play import mail_tokens
from antipodes.web.tournaments import services
from antipodes.web.tournaments.plans import Plan
from tests.web.email_play.conftest import HOST

pytestmark = pytest.mark.django_db

COMMANDS = f"play@{HOST}"


@pytest.fixture
def event(db):
    host = User.objects.create(username="host")
    plan = Plan(
        title="Mail cup",
        format=RoundRobin(),
        game=make_game("hex"),
        control=read_control("3d/move+10d"),
    )
    return services.create_tournament(host, plan)


def test_tournaments_are_listed_joined_shown_and_left(reachable, post, event):
    ann = reachable[0]
    token = mail_tokens.make_token(ann, "a test")

    def answer(line):
        [email] = post.send(ann, COMMANDS, line)
        return email.text

    assert "Mail cup" in answer("tournament list")
    assert "You have joined" in answer(f"tournament join ann {token} {event.pk}")
    assert event.entries.get().user == ann
    assert "ann" in answer(f"tournament standings {event.pk}")
    assert "You have left" in answer(f"tournament ann {token} leave {event.pk}")
    assert not event.entries.exists()
    assert "mail/tournament" in answer("tournament standings 999")
    assert "mail/tournament" in answer("tournament win")
