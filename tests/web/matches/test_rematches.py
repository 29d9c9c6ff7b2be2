"""Rematches, and series of match play."""

import json

import pytest

from antipodes.errors import InvalidOptionsError
from antipodes.games.registry import make_game
from antipodes.match import Abort, Accept, Offer, OfferKind, Play, Resign, Terms
from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer, transfer_guest
from antipodes.web.matches.account_deletion import give_up_all
from antipodes.web.matches.models import MatchRow, SeriesRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matches.snapshots import look_up, match_json
from antipodes.web.platform.limits import NEW_GAMES, TooManyError, is_used_up

pytestmark = pytest.mark.django_db


def rematch(row, seats=(0, 1)):
    ply = look_up(row.slug).match.ply
    kind = OfferKind.REMATCH
    commands: tuple[type[Offer | Accept], ...] = (Offer, Accept)
    for command, seat in zip(commands, seats, strict=False):
        carry_out(row.slug, command(seat=seat, ply=ply, key=f"rematch {seat}", kind=kind))
    return MatchRow.objects.filter(rematch_of=row).first()


def view_of(row, user=None):
    return json.loads(match_json(look_up(row.slug), user and user.pk, now=0))


def seats_of(row):
    return [seat.user.username for seat in row.seats.select_related("user")]


def test_a_rematch_begins_when_both_want_it_with_seats_exchanged(row):
    carry_out(row.slug, Resign(seat=0, ply=0, key="resign"))
    assert rematch(row, (0,)) is None
    assert view_of(row)["offers"] == {"rematch": [0]}
    following = rematch(row)
    assert seats_of(following) == ["bob", "ann"]
    assert following.options == row.options
    assert view_of(row)["next"] == following.slug


def test_there_is_one_rematch_of_a_match(row):
    carry_out(row.slug, Resign(seat=0, ply=0, key="resign"))
    rematch(row)
    rematch(row)
    assert MatchRow.objects.count() == 2


def test_the_computer_always_wants_a_rematch(people):
    users = [people[0], computer("1")]
    terms = Terms(game=make_game("hex", {}), players=tuple(str(user.pk) for user in users))
    row = begin_match(terms, users)
    carry_out(row.slug, Resign(seat=0, ply=0, key="resign"))
    assert seats_of(rematch(row, (0,))) == ["computer-1", "ann"]


@pytest.fixture
def series(people):
    """The first game of a series to six points."""
    game = make_game("antipalos", {"size": 12})
    users = people[:2]
    return begin_match(Terms(game=game, players=tuple(str(u.pk) for u in users)), users, points=6)


def test_the_next_game_of_a_series_starts_automatically(series):
    carry_out(series.slug, Resign(seat=1, ply=0, key="resign"))
    view = view_of(series)
    assert view["series"]["scores"] == [3, 0]
    assert view["series"]["sides"] == [["ann"], ["bob"]]
    following = MatchRow.objects.get(slug=view["next"])
    assert seats_of(following) == ["bob", "ann"]
    assert following.series == series.series


def test_a_series_ends_at_its_points_and_can_be_rematched(series):
    carry_out(series.slug, Resign(seat=1, ply=0, key="resign"))
    second = MatchRow.objects.get(rematch_of=series)
    carry_out(second.slug, Resign(seat=0, ply=0, key="resign"))
    view = view_of(second)
    assert (view["series"]["scores"], view["series"]["winner"]) == ([6, 0], 0)
    assert view["next"] is None
    third = rematch(second)
    assert third.series != second.series
    assert SeriesRow.objects.count() == 2
    assert view_of(third)["series"]["scores"] == [0, 0]


def test_a_series_has_ended_when_a_side_has_won_it(series, clocks):
    carry_out(series.slug, Resign(seat=1, ply=0, key="resign"))
    assert SeriesRow.objects.get().ended_at is None
    second = MatchRow.objects.get(rematch_of=series)
    clocks.advance(1_000)
    carry_out(second.slug, Resign(seat=0, ply=0, key="resign"))
    row = SeriesRow.objects.get()
    assert (row.ended_at, row.scores, row.games) == (second.begun_at + 1_000, [6, 0], 2)


def test_a_series_goes_on_after_a_draw(series):
    for command, seat in ((Offer, 0), (Accept, 1)):
        key = f"a draw {seat}"
        carry_out(series.slug, command(seat=seat, ply=0, key=key, kind=OfferKind.DRAW))
    following = MatchRow.objects.get(rematch_of=series)
    assert seats_of(following) == ["ann", "bob"]
    row = SeriesRow.objects.get()
    assert (row.scores, row.games, row.ended_at) == ([0, 0], 1, None)


def test_after_an_aborted_game_a_series_goes_on_only_if_both_agree(series):
    carry_out(series.slug, Abort(seat=0, ply=0, key="abort it"))
    view = view_of(series)
    assert (view["series"]["scores"], view["next"]) == ([0, 0], None)
    assert MatchRow.objects.count() == 1
    following = rematch(series)
    assert seats_of(following) == ["ann", "bob"]
    assert following.series == series.series


def test_a_series_that_goes_on_after_an_abort_keeps_its_points(series):
    carry_out(series.slug, Resign(seat=1, ply=0, key="resign"))
    second = MatchRow.objects.get(rematch_of=series)
    carry_out(second.slug, Abort(seat=0, ply=0, key="abort it"))
    third = rematch(second)
    assert (seats_of(third), view_of(third)["series"]["scores"]) == (["bob", "ann"], [3, 0])


def test_rematches_count_as_new_games_of_both(begin, people, monkeypatch):
    monkeypatch.setenv(NEW_GAMES.setting, "1/hour")
    row = begin(size=3)
    carry_out(row.slug, Resign(seat=0, ply=0, key="resign"))
    second = rematch(row)
    carry_out(second.slug, Resign(seat=0, ply=0, key="resign"))
    with pytest.raises(TooManyError):
        rematch(second)
    assert view_of(second)["offers"] == {}
    assert MatchRow.objects.count() == 2
    for user in people[:2]:
        assert is_used_up(NEW_GAMES, str(user.pk))


def test_games_of_a_series_count_as_new_games_and_go_on_by_agreement_beyond(series, monkeypatch):
    monkeypatch.setenv(NEW_GAMES.setting, "1/hour")
    draws = [series]
    for number in range(2):
        for command, seat in ((Offer, 0), (Accept, 1)):
            key = f"a draw {number} {seat}"
            slug = draws[-1].slug
            carry_out(slug, command(seat=seat, ply=0, key=key, kind=OfferKind.DRAW))
        draws += MatchRow.objects.filter(rematch_of=draws[-1])
    assert (len(draws), SeriesRow.objects.get().games) == (2, 2)
    monkeypatch.setenv(NEW_GAMES.setting, "10/hour")
    assert rematch(draws[-1]).series == series.series


def test_a_deleted_account_leaves_no_game_of_a_series(series, people):
    for seat, ply in ((0, 0), (1, 1)):
        legal = look_up(series.slug).match.position.legal_moves
        carry_out(series.slug, Play(seat=seat, ply=ply, key=f"move {ply}", move=next(iter(legal))))
    give_up_all(people[0])
    assert MatchRow.objects.count() == 2
    assert not MatchRow.objects.filter(ended_at=None).exists()


def test_a_deleted_account_leaves_no_game_in_which_a_move_comes_in_between(
    begin, people, meanwhile
):
    row = begin(size=5, swap="off")

    def play(ply):
        carry_out(row.slug, Play(seat=ply % 2, ply=ply, key=f"move {ply}", move=ply))

    for ply in range(3):
        play(ply)
    with meanwhile(lambda: play(3), "SAVEPOINT"):
        give_up_all(people[0])
    match = look_up(row.slug).match
    assert (match.ply, str(match.result)) == (4, "White wins by resignation")


def test_a_deleted_account_leaves_no_game_that_begins_during_the_deletion(begin, people, meanwhile):
    begin(size=5, swap="off")
    with meanwhile(lambda: begin(size=6, swap="off"), "DELETE"):
        delete_account(people[0])
    assert MatchRow.objects.count() == 2
    assert not MatchRow.objects.filter(ended_at=None).exists()


def test_only_antipalos_has_series(people):
    users = people[:2]
    terms = Terms(game=make_game("hex", {}), players=tuple(str(user.pk) for user in users))
    with pytest.raises(InvalidOptionsError):
        begin_match(terms, users, points=6)
    assert not MatchRow.objects.exists()


def test_a_guest_who_gets_an_account_keeps_series_and_rematches(
    series, people, django_capture_on_commit_callbacks
):
    guest, account = people[1], people[2]
    User.objects.filter(pk=guest.pk).update(is_guest=True)
    guest.refresh_from_db()
    look_up(series.slug)
    with django_capture_on_commit_callbacks(execute=True):
        transfer_guest(guest, account)
    assert view_of(series, account)["own"] == [1]
    carry_out(series.slug, Resign(seat=1, ply=0, key="resign"))
    second = MatchRow.objects.get(rematch_of=series)
    assert seats_of(second) == ["cy", "ann"]
    assert view_of(second)["series"]["sides"] == [["ann"], ["cy"]]
