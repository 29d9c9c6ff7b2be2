"""Two connections to PostgreSQL that act on the same chat, match or account at once."""

import json

RACES = """
import json
import threading
from django.db import connection
from antipodes.errors import MatchError
from antipodes.games.registry import make_game
from antipodes.match import Play, Terms
from antipodes.web.accounts.models import User
from antipodes.web.matches import chat
from antipodes.web.matches.account_deletion import give_up_all
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matches.snapshots import look_up

ann, bob = (User.objects.create(username=name) for name in ("ann", "bob"))

def begin():
    game = make_game("hex", {"size": 11, "swap": "off"})
    terms = Terms(game=game, players=(str(ann.pk), str(bob.pk)))
    return begin_match(terms, [ann, bob])

def at_once(*acts):
    '''Run functions in threads that start together; return their results.'''
    start, found = threading.Barrier(len(acts)), [None] * len(acts)
    def run(number, act):
        try:
            connection.ensure_connection()
            start.wait()
            found[number] = act()
        except Exception as error:
            found[number] = repr(error)
        finally:
            connection.close()
    threads = [threading.Thread(target=run, args=one) for one in enumerate(acts)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return found
"""

CHAT = """
row, lines = begin(), []
for number in range(40):
    ChatLine.objects.update(at=0)
    def say():
        data = {"key": f"key {number}", "text": f"line {number}"}
        return chat.say(look_up(row.slug), ann, data).pk
    lines.append(at_once(say, say))
print(json.dumps({"lines": lines, "stored": ChatLine.objects.count()}))
"""

GIVE_UP = """
def play_on(slug):
    '''Play until the match refuses; return the number of moves.'''
    for ply in range(2, 60):
        try:
            carry_out(slug, Play(seat=ply % 2, ply=ply, key=f"move {ply}", move=ply))
        except MatchError:
            return ply
    return 60

results, errors = [], []
for _ in range(15):
    row = begin()
    for ply in range(2):
        carry_out(row.slug, Play(seat=ply, ply=ply, key=f"move {ply}", move=ply))
    found = at_once(lambda: play_on(row.slug), lambda: give_up_all(ann))
    errors += [one for one in found if isinstance(one, str)]
    row.refresh_from_db()
    results.append([str(row.match().result), row.match().ply])
print(json.dumps({"results": results, "errors": errors}))
"""


def test_of_two_equal_keys_of_a_chat_at_once_the_first_line_is_returned(seeded):
    site, _ = seeded
    told = json.loads(site.run_code(RACES + CHAT))
    assert len(told["lines"]) == told["stored"] == 40
    assert all(one == other for one, other in told["lines"]), told
    assert all(isinstance(one, int) for one, _ in told["lines"]), told


def test_giving_up_all_matches_misses_none_in_which_moves_are_made(seeded):
    site, _ = seeded
    told = json.loads(site.run_code(RACES + GIVE_UP))
    assert told["errors"] == []
    assert {result for result, _ in told["results"]} == {"White wins by resignation"}
    assert len(told["results"]) == 15
