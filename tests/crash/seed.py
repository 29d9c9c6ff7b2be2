"""Fills the database of a site that does not run yet; writes who may sit down where as JSON.

It runs as a program of its own, because the tests' process has a database of its own.
"""

import json
import sys

from antipodes.web.serve import prepare

prepare()

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402

from antipodes.clocks import read_control  # noqa: E402
from antipodes.games.registry import make_game  # noqa: E402
from antipodes.match import Terms  # noqa: E402
from antipodes.web.matches.services import begin_match  # noqa: E402
from antipodes.web.people.models import User  # noqa: E402
from antipodes.web.people.services import computer  # noqa: E402


def cookie_of(user):
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return session.session_key


def begin(game, users, control):
    players = tuple(str(user.pk) for user in users)
    terms = Terms(game=game, players=players, control=read_control(control))
    return {
        "slug": begin_match(terms, users).slug,
        "cookies": [None if user.computer else cookie_of(user) for user in users],
    }


people = [User.objects.create(username=f"person-{number}") for number in range(int(sys.argv[1]))]
hexagons = make_game("hex", {"size": 9, "swap": "off"})
tables = [begin(hexagons, people[at : at + 2], "5m") for at in range(0, len(people), 2)]
against = begin(make_game("hex", {"size": 5}), [computer("1"), people[0]], "unlimited")
json.dump({"tables": tables, "computer": against}, sys.stdout)
