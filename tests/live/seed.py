"""Fill the database of a site that does not run yet; print the created objects as JSON.

This is a separate program, since the process of the tests uses another database. Its argument is a
JSON object:

``people``
    players, two at each table; all of them are signed in.
``size``, ``control``
    of the boards of Hex at these tables, and of their clocks.
``computers``
    further matches, each of a player against level 1 of the computer.
``small``
    the size of the boards in these matches.
``guests``
    guests without matches.
``accounts``
    user names; each account has a password, a confirmed mail address, a session and a token.
``large``
    matches between players on boards of Hex with 26 rows.
``private``
    private matches between two accounts each, in the order of the accounts.
``finished``
    finished matches, which are not in the archive yet.
``chapters``
    chapters of a study that the second account owns and everyone may read, each as large as a
    chapter can be; the first guest has an unlisted study with one of them.
"""

import json
import random
import sys

from antipodes.web.server.serve import prepare

prepare(creates=True)

from allauth.account.models import EmailAddress  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.db import transaction  # noqa: E402

from antipodes.clocks import read_control  # noqa: E402
from antipodes.games.registry import make_game  # noqa: E402
from antipodes.match import Play, Resign, Terms  # noqa: E402
from antipodes.records import Record  # noqa: E402
from antipodes.web.accounts.api_tokens import Scope, make_token  # noqa: E402
from antipodes.web.accounts.models import User  # noqa: E402
from antipodes.web.accounts.services import computer  # noqa: E402
from antipodes.web.matches.models import MatchRow  # noqa: E402
from antipodes.web.matches.services import begin_match, carry_out  # noqa: E402
from antipodes.web.studies.edits import MOVES  # noqa: E402
from antipodes.web.studies.models import ChapterRow  # noqa: E402
from antipodes.web.studies.services import create_study  # noqa: E402


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
    return begin_match(terms, users, in_event=True)  # players come as late as a test wants


def table(game, users, control):
    cookies = [None if user.computer else cookie_of(user) for user in users]
    return {"slug": begin(game, users, control).slug, "cookies": cookies}


def guest(number):
    user = User(username=f"Guest {number}", is_guest=True)
    user.set_unusable_password()
    user.save()
    return {"cookie": cookie_of(user)}


def account(name):
    user = User(username=name, email=f"{name}@people.test")
    password = f"the password of {name}"
    user.set_password(password)
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    _, token = make_token(user, "a test", list(Scope), None)
    return {"name": name, "password": password, "cookie": cookie_of(user), "token": token}


def play_to_the_end(game, users, rng):
    row = begin(game, users, "unlimited")
    moves = rng.sample(range(25), 6)
    for ply, move in enumerate(moves):
        carry_out(row.slug, Play(seat=ply % 2, ply=ply, key=f"move {ply}", move=move))
    carry_out(row.slug, Resign(seat=len(moves) % 2, ply=len(moves), key="resign"))


def private_table(first, second):
    users = [User.objects.get(username=one["name"]) for one in (first, second)]
    row = begin(make_game("hex", {"size": 9, "swap": "off"}), users, "unlimited")
    MatchRow.objects.filter(pk=row.pk).update(is_private=True)
    return {"slug": row.slug, "cookies": [first["cookie"], second["cookie"]]}


def large_record():
    """Return a record with nearly as many moves as a chapter may have.

    All but a few are as far from the start as trees once kept their positions: 15 moves, 31, 47...
    """
    record = Record(make_game("hex", {"size": 26, "swap": "off"}))
    node, missing = record.root, MOVES.value - 10
    free = list(range(26 * 26))
    while missing > 15:
        for _ in range(15):
            node = node.add(free.pop(0))
        children = [node.add(move) for move in free[: min(600, missing - 15)]]
        missing -= 15 + len(children)
        node = children[-1]
        free.remove(int(node.move or 0))
    return record


def large_study(name, visibility, chapters):
    owner = User.objects.get(username=name)
    study = create_study(owner, "Large", visibility, large_record())
    [first] = ChapterRow.objects.defer(None).filter(study=study)
    ChapterRow.objects.bulk_create(
        ChapterRow(
            study=study, number=n, place=n, title=f"{n}", game_id=first.game_id, data=first.data
        )
        for n in range(2, chapters + 1)
    )
    return study.slug


def fill(
    people=0,
    size=9,
    control="5m",
    computers=1,
    small=5,
    guests=0,
    accounts=(),
    large=0,
    private=0,
    finished=0,
    chapters=0,
):
    hexagons = make_game("hex", {"size": size, "swap": "off"})
    against_computers = make_game("hex", {"size": small})
    with transaction.atomic():
        players = [User.objects.create(username=f"person-{number}") for number in range(people)]
        tables = [table(hexagons, players[at : at + 2], control) for at in range(0, people, 2)]
        against = [
            table(against_computers, [computer("1"), players[number % people]], "unlimited")
            for number in range(computers)
        ]
    with_accounts = [account(name) for name in accounts]
    rng = random.Random(1)
    for _ in range(finished):
        play_to_the_end(make_game("hex", {"size": 5, "swap": "off"}), players[:2], rng)
    with_cookies = [guest(1_000 + number) for number in range(guests)]
    studies = []
    if chapters:
        studies = [large_study(accounts[1], "public", chapters)]
        studies += [large_study("Guest 1000", "unlisted", 1)] if guests else []
    return {
        "tables": tables,
        "computers": against,
        "guests": with_cookies,
        "studies": studies,
        "accounts": with_accounts,
        "large": [
            table(make_game("hex", {"size": 26, "swap": "off"}), players[:2], "unlimited")
            for _ in range(large)
        ],
        "private": [private_table(*with_accounts[at : at + 2]) for at in range(0, 2 * private, 2)],
    }


json.dump(fill(**json.loads(sys.argv[1])), sys.stdout)
