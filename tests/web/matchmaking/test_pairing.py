"""Pairing of seekers."""

import secrets
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.clocks import HOUR
from antipodes.errors import InputError
from antipodes.games.registry import game_ids, make_game
from antipodes.web.accounts.models import User
from antipodes.web.challenges.game_limits import set_limit
from antipodes.web.matches.models import MatchRow
from antipodes.web.matchmaking import services
from antipodes.web.matchmaking.models import SeekRow
from antipodes.web.matchmaking.pairing import (
    Preferences,
    Seeker,
    agreed_preferences,
    pair_up,
    reach,
)
from antipodes.web.matchmaking.presets import (
    CLOCKS,
    DEFAULT_CLOCK,
    boards_of,
    check_clock,
    preset_game,
)
from antipodes.web.ratings.classes import board_class_of, board_classes
from tests.cases import for_each

RATED = Preferences("standard", "5m+5s", rated=True)
CASUAL = RATED._replace(rated=False)
CHOSEN = [RATED, CASUAL, CASUAL._replace(board="small"), RATED._replace(control="10m+5s")]


@st.composite
def pools(draw, most=7):
    """Generate seekers of one pool, and blocked pairs."""
    count = draw(st.integers(0, most))
    seekers = [
        Seeker(
            preferences=draw(st.sampled_from(CHOSEN)),
            is_flexible=draw(st.booleans()),
            key=number,
            user=draw(st.integers(0, 2 * most)),
            rating=draw(st.integers(1_000, 2_000)),
            deviation=draw(st.integers(30, 350)),
            waited=draw(st.integers(0, 40_000)),
            is_guest=draw(st.booleans()),
        )
        for number in range(count)
    ]
    users = st.integers(0, 2 * most)
    barred = draw(st.sets(st.tuples(users, users), max_size=6))
    return seekers, barred


def paired(pool):
    seekers, barred = pool
    return pair_up(
        seekers,
        is_live=True,
        is_barred=lambda one, other: (one, other) in barred,
    )


def users_in(pairs):
    return [seeker for pair in pairs for seeker in pair]


@given(pools(most=30))
def test_each_seeker_is_in_one_pair_at_most(pool):
    users = [seeker.user for seeker in users_in(paired(pool))]
    assert len(users) == len(set(users))


@given(pools(most=30))
def test_blocked_players_are_never_paired(pool):
    for one, other in paired(pool):
        assert not {(one.user, other.user), (other.user, one.user)} & pool[1]


@given(pools(most=30))
def test_guests_are_not_paired_for_rated_games(pool):
    for pair in paired(pool):
        agreed = agreed_preferences(*pair)
        assert agreed is not None
        assert not (agreed.rated and any(seeker.is_guest for seeker in pair))


@given(pools(most=30))
def test_players_get_what_they_chose_or_nothing_stricter(pool):
    for pair in paired(pool):
        agreed = agreed_preferences(*pair)
        assert agreed is not None
        assert agreed in {seeker.preferences for seeker in pair}
        for seeker in pair:
            assert agreed == seeker.preferences or seeker.is_flexible
            assert seeker.preferences.rated or not agreed.rated


@given(pools(most=30))
def test_differences_are_within_reach(pool):
    for one, other in paired(pool):
        reaches = [reach(seeker, is_live=True) for seeker in (one, other)]
        assert abs(one.rating - other.rating) <= sum(reaches) / 2


@given(pools(most=30))
def test_pairs_do_not_depend_on_the_order_of_seekers(pool):
    seekers, barred = pool
    assert paired(pool) == paired((seekers[::-1], barred))


def choices(pairs):
    """Return all ways to choose some of these pairs in which no user is in two pairs."""
    if not pairs:
        return [()]
    first, rest = pairs[0], pairs[1:]
    users = {seeker.user for seeker in first}
    apart = [pair for pair in rest if not users & {seeker.user for seeker in pair}]
    return [*choices(rest), *((first, *more) for more in choices(apart))]


@given(pools(most=6))
def test_no_other_choice_is_better(pool):
    assert_best(pool)


@for_each("seed", range(100))
def test_no_other_choice_is_better_where_most_seekers_fit(seed):
    chance = Random(seed)
    seekers = [
        Seeker(
            preferences=RATED,
            key=number,
            user=chance.randrange(8),
            rating=chance.randint(1_400, 1_700),
            deviation=350,
            waited=chance.randrange(4),
        )
        for number in range(chance.randint(3, 6))
    ]
    assert_best((seekers, set()))


def assert_best(pool):
    seekers, barred = pool
    fitting = [
        pair
        for pair in combinations(seekers, 2)
        if paired((list(pair), barred))  # two alone are paired if they fit
    ]
    order = sorted(seekers, key=lambda seeker: (-seeker.waited, seeker.key))

    def worth(choice):
        inside = users_in(choice)
        return (
            [seeker not in inside for seeker in order],
            sum(abs(one.rating - other.rating) for one, other in choice),
        )

    assert worth(paired(pool)) == min(worth(choice) for choice in choices(fitting))


@given(st.integers(30, 350), st.integers(0, 10**7), st.integers(1, 10**7), st.booleans())
def test_the_reach_grows_with_the_waiting_time(deviation, waited, more, is_live):
    first, later = (
        reach(
            Seeker(preferences=RATED, key=0, user=0, rating=1500, deviation=deviation, waited=time),
            is_live=is_live,
        )
        for time in (waited, waited + more)
    )
    assert first < later


@pytest.mark.parametrize(
    ("waited", "is_live", "accepted"),
    [
        (0, True, 200),
        (-10_000, True, 200),
        (-10_000, False, 200),
        (30_000, True, 500),
        (2 * HOUR, False, 250),
    ],
)
def test_the_reach_grows_by_ten_points_a_second_or_twenty_five_an_hour(waited, is_live, accepted):
    seeker = Seeker(preferences=RATED, key=0, user=0, rating=1500, deviation=100, waited=waited)
    assert reach(seeker, is_live=is_live) == accepted


@pytest.mark.parametrize(("rating", "fits"), [(1_800, True), (1_800.5, True), (1_800.6, False)])
def test_two_seekers_fit_if_their_difference_is_at_most_the_mean_of_their_reaches(rating, fits):
    one = Seeker(
        preferences=RATED, key=1, user=1, rating=1_500, deviation=100, waited=0
    )  # reaches 200 points
    other = Seeker(
        preferences=RATED, key=2, user=2, rating=rating, deviation=100, waited=20_100
    )  # and 401
    assert bool(pair_up([one, other], is_live=True)) is fits


def test_seekers_who_have_waited_less_than_many_others_are_paired_as_well():
    far = [
        Seeker(preferences=RATED, key=n, user=n, rating=10_000 * n, deviation=50, waited=9_000)
        for n in range(12)
    ]
    near = [
        Seeker(
            preferences=RATED,
            key=20 + place,
            user=20 + place,
            rating=rating,
            deviation=50,
            waited=40 - place,
        )
        for place, rating in enumerate((5_000, 5_100, 4_850, 5_250))
    ]
    pairs = pair_up([*far, *near], is_live=True)
    # The first two are closer to each other, but then the others would have no opponent.
    assert pairs == [(near[0], near[2]), (near[1], near[3])]


@pytest.mark.parametrize(
    ("one", "other", "is_rated", "fits"),
    [
        ({"is_bot": True}, {}, True, False),
        ({}, {"is_bot": True}, True, False),
        ({"is_bot": True}, {"is_bot": True}, True, True),
        ({"is_bot": True}, {}, False, True),
        ({"is_guest": True}, {}, True, False),
        ({}, {"is_guest": True}, True, False),
        ({"is_guest": True}, {"is_guest": True}, True, False),
        ({"is_guest": True}, {}, False, True),
        ({}, {}, True, True),
    ],
)
def test_rated_games_are_between_players_or_between_bots(one, other, is_rated, fits):
    preferences = RATED if is_rated else CASUAL
    pair = [
        Seeker(
            preferences=preferences,
            key=number,
            user=number,
            rating=1_500,
            deviation=50,
            waited=0,
            **more,
        )
        for number, more in enumerate((one, other))
    ]
    assert bool(pair_up(pair, is_live=True)) is fits


def test_a_flexible_seeker_plays_a_guest_without_rating():
    rated = Seeker(
        preferences=RATED, is_flexible=True, key=0, user=0, rating=1_500, deviation=50, waited=9
    )
    guest = Seeker(
        preferences=CASUAL, is_guest=True, key=1, user=1, rating=1_500, deviation=50, waited=0
    )
    assert pair_up([rated, guest], is_live=True) == [(rated, guest)]
    assert agreed_preferences(rated, guest) == CASUAL


def test_the_remaining_seeker_who_has_waited_longest_gets_the_nearest_opponent():
    far = [
        Seeker(preferences=RATED, key=n, user=n, rating=10_000 * n, deviation=50, waited=10 * n)
        for n in range(40)
    ]
    waiting, distant, near = (
        Seeker(
            preferences=RATED, key=number, user=number, rating=rating, deviation=50, waited=waited
        )
        for number, rating, waited in ((90, 5_000, 385), (91, 4_900, 205), (92, 5_010, 5))
    )
    pairs = pair_up([*far, near, distant, waiting], is_live=True)
    assert pairs == [(waiting, near)]


def test_after_ninety_seconds_live_seekers_accept_any_rating():
    weak, strong = (
        Seeker(
            preferences=RATED, key=rating, user=rating, rating=rating, deviation=50, waited=90_000
        )
        for rating in (1_000, 2_000)
    )
    assert pair_up([weak, strong], is_live=True) == [(weak, strong)]
    assert not pair_up([weak, strong], is_live=False)


@given(st.integers(0, 40), st.integers(0, 40))
def test_a_fitting_pair_is_found_among_many_seekers(one, other):
    far = [
        Seeker(preferences=RATED, key=n, user=n, rating=10_000 * n, deviation=50, waited=10 * n)
        for n in range(40)
    ]
    twins = [
        Seeker(preferences=RATED, key=n, user=n, rating=5_000, deviation=50, waited=10 * place + 5)
        for n, place in ((90, one), (91, other))
    ]
    [pair] = pair_up([*far, *twins], is_live=True)
    assert set(pair) == set(twins)


@pytest.mark.parametrize("game_id", game_ids())
def test_every_class_of_boards_has_one_board_of_that_class(game_id):
    assert set(boards_of(game_id)) == set(board_classes(game_id))
    for board in boards_of(game_id):
        assert board_class_of(preset_game(game_id, board)) is board


def test_there_are_no_unlimited_seeks():
    assert DEFAULT_CLOCK in CLOCKS
    assert "unlimited" not in CLOCKS


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (
            lambda: preset_game("hex", "huge"),
            "'huge' is not a board of hex; choose one of small, standard, large",
        ),
        (
            lambda: preset_game("antipode", "small"),
            "'small' is not a board of antipode; choose one of standard",
        ),
        (
            lambda: check_clock("unlimited"),
            f"seeks cannot have the clock 'unlimited'; choose one of {', '.join(CLOCKS)}",
        ),
    ],
)
def test_a_wrong_preset_is_refused_with_those_to_choose_from(refused, message):
    with pytest.raises(InputError) as error:
        refused()
    assert [fault.message for fault in error.value.faults] == [message]


def test_a_game_without_presets_has_its_standard_board(crater):
    assert preset_game(crater.id, "standard").options == make_game(crater.id).options
    with pytest.raises(InputError, match="choose one of standard"):
        preset_game(crater.id, "small")


def seek(user):
    return services.seek(user, game_id="hex", board="small", control="5m+5s", rated=False)


@pytest.mark.django_db
@pytest.mark.parametrize("drawn", [0, 1])
def test_seats_are_drawn_by_lot(people, drawn, monkeypatch):
    monkeypatch.setattr(secrets, "randbelow", lambda count: {2: drawn}[count])
    seek(people[0])
    match = seek(people[1]).match
    seats = [seat.user for seat in match.seats.order_by("number")]
    assert seats == (people[:2] if drawn else people[1::-1])


@pytest.mark.django_db
def test_a_closed_account_is_not_paired(people):
    seek(people[0])
    User.objects.filter(pk=people[0].pk).update(is_active=False)
    assert seek(people[1]).match is None
    assert [row.user for row in SeekRow.objects.all()] == [people[1]]


@pytest.mark.django_db
def test_others_are_paired_around_a_player_at_the_game_limit(ann, bob, cy):
    set_limit(bob, "hex", 0)
    for user in (ann, bob):
        assert seek(user).match is None
    match = seek(cy).match
    assert match is not None
    assert {seat.user for seat in match.seats.all()} == {ann, cy}
    assert SeekRow.objects.get(match=None).user == bob


@pytest.mark.django_db
def test_each_match_of_a_pair_is_announced(people, monkeypatch):
    announced: list[MatchRow] = []
    monkeypatch.setattr(services, "announce", announced.append)
    matches = [row.match for row in map(seek, people) if row.match is not None]
    assert len(matches) == 2
    assert announced == matches
