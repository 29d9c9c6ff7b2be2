"""Simuls: joining, beginning, the list of boards, results and limits."""

import re

import pytest
from django.urls import reverse

from antipodes.clocks import DAY, MINUTE
from antipodes.errors import InputError
from antipodes.match import Abort, Play, Resign
from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.moderation.models import SanctionRow
from antipodes.web.notifications import match_events
from antipodes.web.notifications.models import AnnouncedMatchRow
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import NEW_GAMES, TooManyError
from antipodes.web.ratings.models import PoolRow, RatingRow
from antipodes.web.relations.services import block
from antipodes.web.simuls import selectors, services
from antipodes.web.simuls.models import SimulRow
from tests.raising import code_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def make(people):
    """Return a function that makes a simul of the first user, joined by some of the others."""

    def make_simul(players=0, host=None, control="10m+5s", host_seat=None, board="small"):
        terms = {"game_id": "hex", "board": board, "control": control, "host_seat": host_seat}
        row = services.make_simul(host or people[0], **terms)
        for user in people[1 : 1 + players]:
            services.join(row.slug, user)
        return row

    return make_simul


def begun(row):
    """Begin a simul, and return the matches of its boards."""
    return services.begin(row.slug, row.by)


def refused(code):
    return pytest.raises(InputError, match=code)


def test_the_host_plays_all_who_have_joined_with_alternating_seats(make, people, client):
    row = make(players=3)
    client.force_login(people[0])
    client.post(f"/simul/{row.slug}/do/begin")
    matches = [board.match for board in row.boards.all()]
    seats = [[seat.user for seat in match.seats.all()] for match in matches]
    ann, bob, cy, dee = people
    assert seats == [[ann, bob], [cy, ann], [ann, dee]]
    assert not any(match.rated or match.is_private for match in matches)
    found = selectors.standings(row, ann)
    assert [board.is_hosts_turn for board in found.boards] == [True, False, True]
    page = client.get(f"/simul/{row.slug}/").content.decode()
    assert "Your turn on 2 boards." in page


def test_each_board_is_announced_when_the_simul_begins(make, monkeypatch):
    announced: list[MatchRow] = []
    monkeypatch.setattr(services, "announce", announced.append)
    assert announced == begun(make(players=2))
    assert len(announced) == 2


def test_the_host_can_begin_on_all_boards_or_on_none(make, people):
    for seat in (0, 1):
        row = make(players=2, host_seat=seat)
        for match in begun(row):
            assert match.seats.get(number=seat).user == people[0]


def test_the_next_board_is_the_one_whose_player_has_waited_longest(make, people, client):
    row = make(players=3, host_seat=0)
    first, second, third = begun(row)
    address = f"/simul/{row.slug}/next"
    MatchRow.objects.filter(pk=third.pk).update(changed_at=1)
    assert client.get(address).url == f"/m/{third.slug}/"
    for number, match in enumerate((first, second, third)):
        carry_out(match.slug, Play(seat=0, ply=0, key=f"move {number}", move=0))
    assert client.get(address).url == f"/simul/{row.slug}/"


def test_results_are_counted_for_the_host_and_aborted_games_are_not(make, people, client):
    row = make(players=3, host_seat=0)
    first, second, third = begun(row)
    assert "In progress" in client.get("/simuls/").content.decode()
    carry_out(first.slug, Resign(seat=1, ply=0, key="resign one"))
    carry_out(second.slug, Resign(seat=0, ply=0, key="resign two"))
    carry_out(third.slug, Abort(seat=1, ply=0, key="abort it"))
    found = selectors.standings(row, None)
    assert [board.outcome for board in found.boards] == ["won", "lost", "void"]
    assert found.score.text == "1 : 1"
    assert "The simul is over." in client.get(f"/simul/{row.slug}/").content.decode()
    lists = selectors.simul_lists()
    assert [line.row for line in lists.finished] == [row]
    assert not lists.waiting
    assert not lists.in_progress


def test_the_page_changes_only_with_what_it_shows(make, people, client):
    row = make(players=2, control="1d/move")
    version = client.get(f"/simul/{row.slug}/").context["now"].version
    address = f"/simul/{row.slug}/now"
    assert client.get(address, {"v": version}).status_code == 204
    services.join(row.slug, people[3])
    later = client.get(address, {"v": version})
    assert "dee" in later.content.decode()
    assert "3 players have joined." in later.content.decode()
    services.cancel(row.slug, people[0])
    assert "cancelled" in client.get(address, {"v": version}).content.decode()


def test_a_match_links_to_its_simul_and_the_host_to_the_next_board(make, people, client):
    row = make(players=2)
    match, _ = begun(row)
    assert "board 1 of 2" in client.get(f"/m/{match.slug}/").content.decode()
    client.force_login(people[0])
    assert f"/simul/{row.slug}/next" in client.get(f"/m/{match.slug}/").content.decode()
    client.force_login(people[1])
    assert f"/simul/{row.slug}/next" not in client.get(f"/m/{match.slug}/").content.decode()


def test_only_the_host_begins_cancels_and_removes(make, people):
    row = make(players=2)
    for do in (services.begin, services.cancel):
        assert code_of(do, row.slug, people[1]) == "simuls/not-the-host"
    assert code_of(services.remove, row.slug, people[1], people[2].pk) == "simuls/not-the-host"
    assert code_of(services.join, row.slug, people[0]) == "simuls/host"


def test_players_return_to_the_simul_and_after_its_end_to_the_list(make, people, client):
    row = make(players=1)
    page = f"/simul/{row.slug}/"
    client.force_login(people[2])
    assert client.post(f"{page}do/join").headers["Location"] == page
    client.force_login(people[0])
    assert client.post(f"{page}do/cancel").headers["Location"] == reverse("simuls")


def test_a_removed_player_cannot_join_again(make, people):
    row = make(players=2)
    services.remove(row.slug, people[0], people[1].pk)
    services.leave(row.slug, people[1])
    assert code_of(services.join, row.slug, people[1]) == "simuls/removed"


def test_a_simul_that_has_begun_does_not_change(make, people):
    row = make(players=2)
    assert code_of(services.begin, make(players=1).slug, people[0]) == "simuls/few"
    begun(row)
    for do, user in (
        (services.join, people[3]),
        (services.leave, people[3]),
        (services.begin, people[0]),
        (services.cancel, people[0]),
    ):
        assert code_of(do, row.slug, user) == "simuls/begun"


def test_blocked_and_suspended_players_and_bots_do_not_play(make, ann, bob, cy, dee):
    row = make(players=3)
    block(bob, ann)
    assert code_of(services.join, row.slug, bob) == "community/not-together"
    SanctionRow.objects.create(user=cy, kind="suspension", reason="spam")
    services.join(row.slug, User.objects.create(username="Guest 4821", is_guest=True))
    matches = begun(row)
    assert {seat.user for match in matches for seat in match.seats.all()} >= {ann, dee}
    assert len(matches) == 2
    bot = User.objects.create(username="robot", first_name="bot")
    other = make(host=dee)
    assert code_of(services.join, other.slug, bot) == "simuls/account"
    guest = User.objects.create(username="Guest 4822", is_guest=True)
    for user in (guest, bot):
        with refused("needs a host with an account"):
            make(host=user)


def test_hosts_get_no_notification_of_each_board_of_a_live_simul(make, people):
    live, slow = make(players=2), make(players=2, control="1d/move")
    matches = [match.pk for match in begun(live)]
    assert AnnouncedMatchRow.objects.filter(match__in=matches).count() == 1
    assert set(selectors.overseen(matches)) == {(match, people[0].pk) for match in matches}
    later = [match.pk for match in begun(slow)]
    contexts = match_events._contexts(later)
    assert all(one.overseers == {people[0].pk} for one in contexts)
    SimulRow.objects.filter(pk=slow.pk).update(begun_at=1)
    assert not set(selectors.overseen(later))


def test_deleting_the_hosts_account_keeps_boards_and_cancels_what_waits(make, people):
    row, waiting = make(players=2), make(players=1)
    begun(row)
    delete_account(people[0])
    assert not SimulRow.objects.filter(pk=waiting.pk).exists()
    assert selectors.standings(row, None).score.text in {"0 : 2", "0 : 0"}


def test_a_simul_that_does_not_begin_within_two_weeks_is_deleted(make, clocks):
    begun(make(players=2))
    make(players=2)
    clocks.advance(14 * DAY)
    services.delete_old_simuls()
    assert SimulRow.objects.count() == 2
    clocks.advance(1)
    services.delete_old_simuls()
    assert SimulRow.objects.get().begun_at is not None


def test_simuls_players_and_places_are_limited(make, people, monkeypatch):
    for limit in (services.SIMULS, services.BOARDS, services.PLACES):
        monkeypatch.setenv(limit.setting, "1")
    row = make(players=1)
    assert code_of(make) == "simuls/too-many"
    assert code_of(services.join, row.slug, people[2]) == "simuls/full"
    other = make(host=people[3])
    assert code_of(services.join, other.slug, people[1]) == "simuls/too-many"
    services.remove(row.slug, people[0], people[1].pk)
    services.join(other.slug, people[1])
    services.join(row.slug, people[2])


def test_a_simul_counts_for_its_host_until_its_last_board_ends(make, people, monkeypatch):
    monkeypatch.setenv(services.SIMULS.setting, "2")
    row = make(players=2)
    first, second = begun(row)
    make()
    assert code_of(make) == "simuls/too-many"
    carry_out(first.slug, Resign(seat=0, ply=0, key="resign one"))
    with refused("you have 2 simuls that are not over"):
        make()
    carry_out(second.slug, Resign(seat=0, ply=0, key="resign two"))
    make()


def test_new_simuls_are_limited(make, monkeypatch):
    monkeypatch.setenv(services.NEW_SIMULS.setting, "1/hour")
    make()
    with pytest.raises(TooManyError):
        make()


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_host_has_one_of_two_seats(make, seat):
    with pytest.raises(InputError) as error:
        make(host_seat=seat)
    assert error.value.code == "simuls/seat"
    assert error.value.faults[0].message == f"the host’s seat is {seat}, but must be 0 or 1"
    assert not SimulRow.objects.exists()


@pytest.mark.parametrize("action", ["join", "leave", "begin", "cancel", "remove"])
def test_a_simul_that_there_is_not_answers_404(client, people, action):
    client.force_login(people[0])
    assert client.post(f"/simul/nothing/do/{action}").status_code == 404


def test_lists_count_players_who_have_joined_and_boards(make, people):
    waiting, running = make(players=3), make(players=3)
    services.remove(waiting.slug, people[0], people[1].pk)
    services.remove(running.slug, people[0], people[1].pk)
    begun(running)
    lists = selectors.simul_lists()
    assert [(line.row, line.count) for line in lists.waiting] == [(waiting, 2)]
    assert [(line.row, line.count) for line in lists.in_progress] == [(running, 2)]
    assert not lists.finished


def test_players_are_listed_as_they_joined_with_their_ratings(make, people, client):
    row = make(players=3)
    services.remove(row.slug, people[0], people[2].pk)
    for speed, value in (("rapid", 1_600), ("correspondence", 1_900)):
        pool = PoolRow.objects.create(game_id="hex", speed=speed, board_class="small")
        RatingRow.objects.create(user=people[3], pool=pool, value=value, deviation=40, games=9)
    places = selectors.places_of(row)
    assert [one.user for one in places] == [people[1], people[3]]
    assert places[0].rating == ""
    assert places[1].rating.startswith("1600")
    text = client.get(f"/simul/{row.slug}/").content.decode()
    assert re.findall(r'<span class="faint">(.*?)</span>', text) == [places[1].rating]


def test_a_page_offers_each_viewer_what_they_can_do(make, people, client):
    row = make(players=2)
    services.remove(row.slug, people[0], people[2].pk)

    def offered(user):
        client.force_login(user)
        page = client.get(f"/simul/{row.slug}/").content.decode()
        return set(re.findall(r'<(?:button|a)[^>]* id="([a-z-]+[a-z])', page)) - {"theme"}

    ids = {"join", "leave", "begin", "cancel", "next-board", "own-board", "remove"}
    assert [offered(user) & ids for user in people] == [
        {"begin", "cancel", "remove"},
        {"leave"},
        set(),
        {"join"},
    ]
    client.force_login(people[2])
    assert "has removed you" in client.get(f"/simul/{row.slug}/").content.decode()


def test_players_of_a_simul_that_has_begun_find_their_boards(make, people, client):
    row = make(players=2, host_seat=1)
    matches = begun(row)
    found = selectors.standings(row, None)
    assert [(one.number, one.player, one.line.row) for one in found.boards] == [
        (1, people[1], matches[0]),
        (2, people[2], matches[1]),
    ]
    assert (found.in_progress, found.hosts_turns) == (2, 0)

    def page_of(user):
        client.force_login(user)
        return client.get(f"/simul/{row.slug}/").content.decode()

    assert f'href="/m/{matches[1].slug}/">Your board' in page_of(people[2])
    for user in (people[0], people[3]):
        page = page_of(user)
        assert "2 boards in progress." in page
        assert "Your board" not in page
        assert "Next board" not in page
    carry_out(matches[0].slug, Play(seat=0, ply=0, key="move one", move=0))
    assert "Your turn on 1 board." in page_of(people[0])
    assert f'href="/simul/{row.slug}/next">Next board' in page_of(people[0])
    assert "Next board" not in page_of(people[1])


def test_a_status_that_has_not_changed_is_not_sent_again(make, client):
    row = make(players=2)
    match, _ = begun(row)
    address = f"/simul/{row.slug}/now"
    version = client.get(f"/simul/{row.slug}/").context["now"].version
    carry_out(match.slug, Play(seat=0, ply=0, key="move one", move=0))
    moved = client.get(address, {"v": version})
    assert "2 boards in progress" not in moved.content.decode()
    carry_out(match.slug, Resign(seat=1, ply=1, key="resign it"))
    ended = client.get(address, {"v": moved.context["now"].version}).content.decode()
    assert "ann against the players: 1 : 0. 1 board in progress." in " ".join(ended.split())


def test_a_simul_is_made_by_its_form(people, client, monkeypatch):
    monkeypatch.setenv(services.SIMULS.setting, "1")
    client.force_login(people[0])
    assert not client.get("/simuls/new/").context["form"].is_bound
    form = {"game": "hex", "board": "large", "control": "1d/move", "host_seat": "0"}
    assert client.post("/simuls/new/", {**form, "control": "soon"}).status_code == 200
    assert not SimulRow.objects.exists()
    answer = client.post("/simuls/new/", form)
    row = SimulRow.objects.get()
    assert answer.url == f"/simul/{row.slug}/"
    found = row.by, row.game_id, row.options, row.control, row.host_seat, row.begun_at
    assert found == (people[0], "hex", {"size": 14}, "1d/move", 0, None)
    page = client.get(answer.url).content.decode()
    assert "Hex · size 14" in page
    assert "the host begins ·" in " ".join(page.split())
    refusal = client.post("/simuls/new/", {**form, "host_seat": ""}).content.decode()
    assert "you have 1 simuls that are not over" in refusal
    SimulRow.objects.all().delete()
    client.post("/simuls/new/", {**form, "host_seat": ""})
    assert SimulRow.objects.get().host_seat is None


def test_a_host_sees_the_boards_of_a_slow_simul_for_a_minute_and_of_a_live_one_for_good(
    make, people, clocks
):
    live, slow = begun(make(players=2)), begun(make(players=2, control="1d/move"))
    seen = {(match.pk, people[0].pk) for match in live}
    slow_ones = {(match.pk, people[0].pk) for match in slow}
    keys = [match.pk for match in (*live, *slow)]
    SimulRow.objects.update(begun_at=now())
    clocks.advance(MINUTE - 1)
    assert set(selectors.overseen(keys)) == seen | slow_ones
    clocks.advance(1)
    assert set(selectors.overseen(keys)) == seen


def test_only_a_player_who_is_named_is_removed(make, people, client):
    row = make(players=2, host=people[3])
    services.join(row.slug, people[0])  # has the lowest key of all users
    client.force_login(people[3])
    address = f"/simul/{row.slug}/do/remove"
    for sent in ({}, {"player": "x"}):
        assert client.post(address, sent).status_code == 302
    assert not row.players.filter(is_removed=True).exists()
    client.post(address, {"player": people[1].pk})
    assert [one.user for one in row.players.filter(is_removed=True)] == [people[1]]


def test_blocks_in_both_directions_withdraw_a_player_before_the_simul_begins(make, people):
    row, running = make(players=3), make(players=2)
    begun(running)
    block(people[0], people[1])
    block(people[2], people[0])
    assert [one.user for one in row.players.all()] == [people[3]]
    assert running.boards.count() == 2


def test_players_who_have_closed_their_accounts_get_no_board(make, people):
    row = make(players=3)
    User.objects.filter(pk=people[1].pk).update(is_active=False)
    assert [match.seats.get(user=people[2]).number for match in begun(row)[:1]] == [1]
    assert row.boards.count() == 2


def test_a_refused_action_says_why(make, people, client):
    row = make(players=1)
    client.force_login(people[0])
    answer = client.post(f"/simul/{row.slug}/do/begin")
    assert answer.status_code == 409
    assert "a simul begins with 2 players or more, not with 1" in answer.content.decode()


def test_places_in_simuls_count_as_new_games(make, people, monkeypatch):
    rows = [make(), make(host=people[2])]
    monkeypatch.setenv(NEW_GAMES.setting, "1/hour")
    services.join(rows[0].slug, people[1])
    services.join(rows[0].slug, people[1])  # joining twice counts once
    with pytest.raises(TooManyError):
        services.join(rows[1].slug, people[1])
    assert not rows[1].players.exists()
