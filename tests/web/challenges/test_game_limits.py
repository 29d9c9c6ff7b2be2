"""Limits on automatically started games."""

from typing import Any

import pytest

from antipodes.clocks import read_control
from antipodes.errors import InputError, MatchError, UnknownGameError
from antipodes.games.registry import game_ids, make_game
from antipodes.match import Resign
from antipodes.web.challenges import game_limits, services
from antipodes.web.challenges.models import GameLimitRow
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.matches.services import carry_out
from antipodes.web.matchmaking import services as matchmaking

pytestmark = pytest.mark.django_db

POOL: dict[str, Any] = {"game_id": "hex", "board": "small", "control": "1d/move", "rated": False}


def request(opponent, *people):
    control = read_control("3d/move")
    return GameRequest(game=make_game("hex"), opponent=opponent, people=people, control=control)


def limits_of(user):
    return dict(user.game_limits.values_list("game_id", "most"))


def test_only_unfinished_games_with_people_count(ann, bob, begin):
    services.request_game(ann, GameRequest(game=make_game("hex"), opponent=Opponent.COMPUTER))
    begin("antipod")
    over = begin()
    carry_out(over.slug, Resign(seat=0, ply=0, key="r"))
    game_limits.set_limit(ann, "hex", 1)
    assert game_limits.users_at_limit([ann.pk, bob.pk], "hex") == frozenset()
    assert not bob.game_limits.exists()
    begin()
    assert game_limits.users_at_limit([ann.pk, bob.pk], "hex") == {ann.pk}
    counts = game_limits.counts_of(ann)
    assert (counts["hex"], counts["antipod"]) == (1, 1)
    assert set(counts) == set(game_ids())


def test_a_player_at_the_limit_is_not_paired_until_a_game_ends(ann, bob, begin):
    game_limits.set_limit(ann, "hex", 1)
    running = begin()
    matchmaking.seek(ann, **POOL)
    waiting = matchmaking.seek(bob, **POOL)
    assert waiting.match is None
    carry_out(running.slug, Resign(seat=0, ply=0, key="r"))
    matchmaking.pair_all()
    waiting.refresh_from_db()
    assert waiting.match is not None


def test_open_challenges_of_a_player_at_the_limit_cannot_be_joined(ann, bob, begin):
    posted = services.request_game(ann, request(Opponent.ANYBODY))
    begin()
    game_limits.set_limit(ann, "hex", 1)
    with pytest.raises(MatchError, match="ann plays as many games of Hex as they want now"):
        services.join(posted.slug, bob)
    game_limits.set_limit(ann, "hex", 2)
    assert services.join(posted.slug, bob) is not None


def test_invitations_ignore_the_limit(ann, bob, begin):
    begin()
    game_limits.set_limit(ann, "hex", 0)
    game_limits.set_limit(bob, "hex", 0)
    posted = services.request_game(ann, request(Opponent.PEOPLE, bob))
    assert services.join(posted.slug, bob) is not None


def test_a_limit_can_be_set_changed_and_removed(ann):
    for game_id, count in (("Hex", 100), ("hex", 0)):
        game_limits.set_limit(ann, game_id, count)
        assert limits_of(ann) == {"hex": count}
    game_limits.set_limit(ann, "hex", None)
    assert not GameLimitRow.objects.exists()


def test_the_page_tells_how_many_games_are_in_progress(people, begin, client):
    begin()
    begin()
    client.force_login(people[0])
    fields = client.get("/accounts/limits/").context["form"].fields
    assert (fields["hex"].help_text, fields["antipod"].help_text) == (
        "Currently 2.",
        "Currently 0.",
    )


@pytest.mark.parametrize(
    ("game_id", "count", "error", "shown"),
    [("hex", -1, InputError, "-1"), ("hex", 101, InputError, "101"),
     ("chess", 1, UnknownGameError, "chess")],
)  # fmt: skip
def test_a_limit_out_of_range_or_for_an_unknown_game_is_refused(ann, game_id, count, error, shown):
    with pytest.raises(error, match=shown):
        game_limits.set_limit(ann, game_id, count)


def test_limits_are_set_and_removed_on_the_page(ann, client):
    client.force_login(ann)
    assert client.post("/accounts/limits/", {"hex": "3", "antipod": "0"}).status_code == 302
    assert limits_of(ann) == {"hex": 3, "antipod": 0}
    page = client.get("/accounts/limits/")
    assert 'value="3"' in page.text
    assert (page.status_code, page.context["form"].fields["hex"].min_value) == (200, 0)
    assert "no-store" in page.headers["Cache-Control"]
    client.post("/accounts/limits/", {"hex": ""})
    assert not ann.game_limits.exists()


def test_the_page_refuses_a_limit_out_of_range(ann, client):
    game_limits.set_limit(ann, "hex", 3)
    client.force_login(ann)
    answer = client.post("/accounts/limits/", {"hex": "4", "antipod": "-7"})
    assert answer.status_code == 400
    assert "-7" in answer.content.decode()
    assert limits_of(ann) == {"hex": 3}
