"""Simuls: joining, beginning, the list of boards, results and limits."""

import pytest
from django.urls import reverse

from antipodes.errors import InputError
from antipodes.match import Abort, Play, Resign
from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.moderation.models import SanctionRow
from antipodes.web.notifications import match_events
from antipodes.web.notifications.models import AnnouncedMatchRow
from antipodes.web.platform.limits import TooManyError
from antipodes.web.relations.services import block
from antipodes.web.simuls import periodic_tasks, selectors, services
from antipodes.web.simuls.models import SimulRow

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


def code_of(do, *arguments):
    with pytest.raises(InputError) as caught:
        do(*arguments)
    return caught.value.code


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


def test_blocked_and_suspended_players_and_bots_do_not_play(make, people):
    row = make(players=3)
    ann, bob, cy, dee = people
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
    with refused("needs a host with an account"):
        make(host=guest)


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


def test_a_simul_that_does_not_begin_is_deleted(make):
    row = make(players=2)
    SimulRow.objects.filter(pk=row.pk).update(made_at=1)
    periodic_tasks.delete_old_simuls()
    assert not SimulRow.objects.exists()


def test_simuls_players_and_places_are_limited(make, people, monkeypatch):
    for limit in (services.SIMULS, services.BOARDS, services.PLACES):
        monkeypatch.setenv(limit.setting, "1")
    row = make(players=1)
    assert code_of(make) == "simuls/too-many"
    assert code_of(services.join, row.slug, people[2]) == "simuls/full"
    other = make(host=people[3])
    assert code_of(services.join, other.slug, people[1]) == "simuls/too-many"


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
