"""Fixtures of tests of the pages of clubs."""

import pytest
from django.test import Client

from antipodes.games.registry import make_game
from antipodes.match import Play, Resign, Terms
from antipodes.web.clubs import membership
from antipodes.web.clubs import services as clubs
from antipodes.web.matches.services import begin_match, carry_out

BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def browsers(people):
    """Return browsers of ann, the owner, bob, a member, cy, dee and an anonymous visitor."""
    found = [Client() for _ in range(5)]
    for browser, user in zip(found, people, strict=False):
        browser.force_login(user, BACKEND)
    return found


@pytest.fixture
def club(people):
    details = clubs.ClubDetails(name="The <b>Club</b>", slug="club")
    made = clubs.create_club(people[0], details)
    membership.join(made, people[1])
    return made


def played(club, users, *, is_private=False):
    """Play a game of Hex for a club, which the first user resigns; return it."""
    terms = Terms(game=make_game("hex"), players=tuple(str(user.pk) for user in users))
    row = begin_match(terms, users, is_private=is_private, club=club)
    carry_out(row.slug, Play(seat=0, ply=0, key="move one", move=0))
    carry_out(row.slug, Resign(seat=0, ply=1, key="resigned"))
    return row
