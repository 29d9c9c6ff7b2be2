"""Pages of clubs: matches, results of members and leaderboards."""

import pytest

from antipodes.games.registry import game_ids, make_game
from antipodes.match import Abort, Play, Resign, Terms
from antipodes.web.archive.services import archive_match
from antipodes.web.club_pages import views
from antipodes.web.club_pages.views import MemberResults, member_results
from antipodes.web.clubs import membership
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.platform.clock import now
from antipodes.web.ratings import selectors as ratings
from antipodes.web.ratings.models import PoolRow, RatingRow
from tests.web.clubs.conftest import played

pytestmark = pytest.mark.django_db


def test_results_of_members_count_games_within_the_club(ann, bob, cy, club):
    for users in ((ann, bob), (ann, bob), (bob, ann)):
        played(club, users)
    played(club, (ann, bob), is_private=True)
    played(None, (ann, bob))
    played(club, (ann, cy))  # cy is no member: ann's loss counts all the same
    aborted = begin_match(
        Terms(game=make_game("hex"), players=(str(ann.pk), str(bob.pk))), (ann, bob), club=club
    )
    carry_out(aborted.slug, Abort(seat=0, ply=0, key="abort"))
    for row in MatchRow.objects.exclude(ended_at=None):
        archive_match(row)
    results = member_results(club, ann)
    counted = {line.user: (line.games, line.wins, line.losses) for line in results}
    assert counted == {bob: (4, 3, 1), ann: (5, 1, 4)}
    assert {line.others for line in results} == {0}
    assert MemberResults(ann, games=9, wins=4, losses=2).others == 3
    assert {line.user: line.games for line in member_results(club, None)} == {bob: 3, ann: 4}


def test_matches_of_a_club_are_listed_latest_first(people, club, monkeypatch):
    monkeypatch.setattr(views, "SHOWN", 2)
    over = [played(club, people[:2]) for _ in range(3)]
    terms = Terms(game=make_game("hex"), players=tuple(str(user.pk) for user in people[:2]))
    running = [begin_match(terms, people[:2], club=club) for _ in range(3)]
    for number, row in enumerate([*over, *running]):
        at = {"changed_at": 1_000 + number}
        MatchRow.objects.filter(pk=row.pk).update(
            **at, **({"ended_at": 9 - number} if row in over else {})
        )
    assert [line.row for line in views.running(club, None)] == running[:0:-1]
    assert [line.row for line in views.finished(club, None)] == over[:2]
    assert "ann" in views.finished(club, people[0])[0].with_whom


def test_results_have_the_most_wins_first_then_the_fewest_losses(people, club, monkeypatch):
    ann, bob, cy, dee = people
    for user in (cy, dee):
        membership.join(club, user)
    for users in ((bob, cy), (ann, dee), (ann, dee)):
        played(club, users)  # the first of both resigns
    for row in MatchRow.objects.all():
        archive_match(row)
    assert [line.user for line in member_results(club, None)] == [dee, cy, bob, ann]
    monkeypatch.setattr(views, "_MOST_IN_TABLE", 2)
    assert [line.user for line in member_results(club, None)] == [dee, cy]


def test_the_leaderboard_has_members_of_the_chosen_pool(browsers, people, club, monkeypatch):
    monkeypatch.setattr(ratings, "PAGE_SIZE", 1)
    pools = [
        PoolRow.objects.create(game_id="hex", speed=speed, board_class="standard")
        for speed in ("correspondence", "blitz")
    ]
    for pool, number, value in ((0, 0, 1600.0), (0, 1, 1700.0), (0, 2, 1800.0), (1, 0, 1650.0)):
        RatingRow.objects.create(
            user=people[number], pool=pools[pool], value=value, deviation=300.0, games=3,
            latest=now(), established_until=0,
        )  # fmt: skip

    def found(query):
        context = browsers[0].get(f"/clubs/club/leaderboard/?{query}").context
        board = context["found"]
        own = board.own and board.own.user.username
        names = [line.user.username for line in board.lines]
        return names, board.count, board.page, own, context["chosen"]

    chosen = "game=hex&speed=correspondence&board=standard"
    assert found("game=hex") == (["bob"], 2, 1, "ann", chosen)
    assert found("game=hex&page=2") == (["ann"], 2, 2, "ann", chosen)
    blitz = "game=hex&speed=blitz&board=standard"
    assert found("game=hex&speed=blitz&page=0") == (["ann"], 1, 1, "ann", blitz)
    assert found("game=hex&speed=x&board=x") == (["bob"], 2, 1, "ann", chosen)
    large = "game=hex&speed=correspondence&board=large"
    assert found("game=hex&board=large")[-1] == large
    assert found("game=chess")[-1].startswith(f"game={game_ids()[0]}&")


def test_the_leaderboard_ignores_invalid_choices(browsers, club):
    for query in ("", "?game=antipode&speed=blitz&board=large&page=9", "?game=chess&page=x"):
        assert browsers[4].get(f"/clubs/club/leaderboard/{query}").status_code == 200


def test_a_game_of_teams_counts_once_for_a_player_of_two_seats(ann, bob, club):
    users = [ann, bob, ann, bob]
    game = make_game("antipalos", {"seats": "team"})
    terms = Terms(game=game, players=tuple(str(user.pk) for user in users))
    row = begin_match(terms, users, club=club)
    move = int(game.initial().parse_move("A1*"))
    carry_out(row.slug, Play(seat=0, ply=0, key="move one", move=move))
    carry_out(row.slug, Resign(seat=0, ply=1, key="resigned"))
    archive_match(MatchRow.objects.get())
    found = [(one.user, one.games, one.wins, one.losses) for one in member_results(club, None)]
    assert found == [(bob, 1, 1, 0), (ann, 1, 0, 1)]
