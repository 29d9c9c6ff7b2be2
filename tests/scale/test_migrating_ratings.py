"""The migration that makes rows of rated matches, on PostgreSQL with data of before."""

import json

MIGRATE = """
import json
from django.core.management import call_command
from antipodes.games.registry import make_game
from antipodes.match import Play, Resign, Terms
from antipodes.clocks import read_control
from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.ratings import services
from antipodes.web.ratings.models import RatedMatch, RatingRow

people = [User.objects.create(username=f"player-{number}") for number in range(4)]

def play(number):
    users = [people[number % 4], people[(number + 1 + number % 3) % 4]]
    terms = Terms(
        game=make_game("hex", {"size": 11}),
        players=tuple(str(user.pk) for user in users),
        control=read_control("5m+5s"),
        rated=True,
    )
    slug = begin_match(terms, users).slug
    for ply in range(2):
        carry_out(slug, Play(seat=ply, ply=ply, key=f"move {ply}", move=ply))
    carry_out(slug, Resign(seat=number % 2, ply=2, key="the end"))
    at = 1_700_000_000_000 + number * 86_400_000
    MatchRow.objects.filter(slug=slug).update(ended_at=at)

def sides():
    return dict(RatedMatch.objects.values_list("match", "sides"))

def ratings():
    state = ("user", "value", "deviation", "volatility", "games")
    return sorted(RatingRow.objects.exclude(user=people[0]).values_list(*state))

for number in range(20):
    play(number)
services.rate_all()
before, stood = sides(), ratings()
call_command("migrate", "ratings", "0001", verbosity=0)
delete_account(people[0])  # as the previous version did: only its changes of ratings are gone
call_command("migrate", "ratings", verbosity=0)
after = sides()
count = services.recalculate()
told = {
    "matches": len(before),
    "same": after == before,
    "rated again": count,
    "others": ratings() == stood,
    "deleted": RatingRow.objects.filter(user=people[0]).count(),
}
print(json.dumps(told))
"""


def test_matches_that_were_rated_before_the_migration_keep_all_sides(seeded):
    site, _ = seeded
    told = json.loads(site.run_code(MIGRATE))
    assert told == {"matches": 20, "same": True, "rated again": 20, "others": True, "deleted": 0}
