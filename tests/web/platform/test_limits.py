"""Tests of rate limits and count limits."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from limits.errors import StorageError

from antipodes.errors import Fault, InputError
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform import checks, limits
from antipodes.web.platform.limits import (
    CountLimit,
    RateLimit,
    TooManyError,
    take,
    take_for_address,
)
from tests.raising import raising

THREE = RateLimit("three", "3/hour", "address", "tests")
FAR = "192.0.2.7"  # an address of documentation, not of this machine


def test_a_rate_limit_refuses_further_uses():
    for _ in range(3):
        take(THREE, "ann")
    with pytest.raises(TooManyError, match=r"try again in [0-9]+ seconds") as refused:
        take(THREE, "ann")
    assert refused.value.code == "limits/too-many"
    assert 0 < refused.value.seconds <= 3_600


def test_users_and_limits_are_counted_separately():
    for _ in range(3):
        take(THREE, "ann")
    take(THREE, "bob")
    take(RateLimit("other", "3/hour", "address", "tests"), "ann")


def test_the_tightest_of_several_amounts_decides():
    both = RateLimit("both", "5/minute;2/day", "user", "tests")
    take(both, "ann")
    take(both, "ann")
    with pytest.raises(TooManyError):
        take(both, "ann")


def test_rate_limits_fail_open_without_redis(monkeypatch, caplog):
    for name in ("hit", "test", "clear"):
        monkeypatch.setattr(
            limits.limiter(), name, raising(StorageError(ConnectionError("no Redis here")))
        )
    take(THREE, "ann")
    assert not limits.is_used_up(THREE, "ann")
    limits.reset(THREE, "ann")
    assert caplog.text.count("not counted") == 3


def test_all_ipv6_addresses_of_a_56_count_together(rf):
    one, other, far = ("2001:db8:1::1", "2001:db8:1:ff::ffff", "2001:db8:1:100::1")
    for address in (one, other, one):
        take_for_address(THREE, rf.get("/", REMOTE_ADDR=address))
    take_for_address(THREE, rf.get("/", REMOTE_ADDR=far))
    with pytest.raises(TooManyError):
        take_for_address(THREE, rf.get("/", REMOTE_ADDR=other))


def test_an_ipv6_48_gets_four_times_as_much(rf):
    for customer in range(4):
        for _ in range(3):
            address = f"2001:db8:1:{customer:x}00::1"
            take_for_address(THREE, rf.get("/", REMOTE_ADDR=address))
    with pytest.raises(TooManyError):
        take_for_address(THREE, rf.get("/", REMOTE_ADDR="2001:db8:1:900::1"))


def test_an_ipv4_address_mapped_into_ipv6_counts_as_ipv4(rf):
    for address in (FAR, f"::ffff:{FAR}", "::ffff:c000:207"):
        take_for_address(THREE, rf.get("/", REMOTE_ADDR=address))
    with pytest.raises(TooManyError):
        take_for_address(THREE, rf.get("/", REMOTE_ADDR=FAR))
    take_for_address(THREE, rf.get("/", REMOTE_ADDR="::ffff:192.0.2.8"))


def test_the_host_can_set_every_limit(monkeypatch):
    for one in limits.defined.values():
        monkeypatch.setenv(one.setting, "2/hour" if isinstance(one, RateLimit) else "2")
        assert one.amount.startswith("2")
    monkeypatch.setenv(limits.NEW_GUESTS.setting, "1/hour")
    take(limits.NEW_GUESTS, "ann")
    with pytest.raises(TooManyError):
        take(limits.NEW_GUESTS, "ann")


def test_invalid_and_unknown_limits_are_reported(monkeypatch):
    assert not checks.check_limits()
    monkeypatch.setenv("LIMIT_NEW_GUESTS", "many")
    monkeypatch.setenv("LIMIT_NEW_GUEST", "3/hour")
    messages = " ".join(str(one.msg) for one in checks.check_limits())
    assert "LIMIT_NEW_GUESTS is 'many'" in messages
    assert "LIMIT_NEW_GUEST is" in messages


def test_this_machine_is_not_limited(rf):
    for _ in range(5):
        take_for_address(THREE, rf.get("/", REMOTE_ADDR="127.0.0.1"))


@pytest.mark.django_db
def test_new_guests_of_an_address_are_limited(client, monkeypatch):
    monkeypatch.setattr(limits.NEW_GUESTS.__class__, "items", lambda _: limits._parsed("2/hour"))
    answers = []
    for _ in range(3):
        client.cookies.clear()
        answers.append(client.post("/play/hex/", {"level": "1"}, REMOTE_ADDR=FAR))
    assert [answer.status_code for answer in answers[:2]] == [302, 302]
    assert answers[2].status_code == 429
    assert int(answers[2].headers["Retry-After"]) > 0
    assert b"too often" in answers[2].content
    assert User.objects.filter(is_guest=True).count() == 2


@pytest.mark.django_db
def test_a_rate_limited_view_responds_with_retry_after(client, monkeypatch):
    monkeypatch.setattr(
        "antipodes.web.lobby.views.selectors.lobby_lists", raising(TooManyError(42))
    )
    response = client.get("/lobby/")
    assert response.status_code == 429
    assert response.headers["Retry-After"] == "42"
    assert "42 seconds" in response.content.decode()


@pytest.mark.django_db
def test_positions_are_rate_limited(client, monkeypatch):
    monkeypatch.setattr(limits.POSITIONS.__class__, "items", lambda _: limits._parsed("2/hour"))
    query = {"game": "hex", "moves": ""}
    answers = [client.get("/positions.json", query, REMOTE_ADDR=FAR) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json()["code"] == "limits/too-many"


def test_an_expensive_use_counts_as_several():
    take(THREE, "ann", cost=2)
    take(THREE, "ann")
    with pytest.raises(TooManyError):
        take(THREE, "ann")
    take(THREE, "bob", cost=100)  # never more than is allowed at all
    with pytest.raises(TooManyError):
        take(THREE, "bob")


@pytest.mark.django_db
def test_new_games_are_rate_limited(client, monkeypatch):
    monkeypatch.setenv("LIMIT_NEW_GAMES", "2/hour")
    answers = [client.post("/play/hex/", {"level": "1"}) for _ in range(3)]
    assert [answer.status_code for answer in answers[:2]] == [302, 302]
    assert answers[2].status_code in {400, 429}
    assert MatchRow.objects.count() == 2


@pytest.mark.parametrize("amount", ["1", "60"])
def test_a_count_limit_is_a_whole_number_above_zero(monkeypatch, amount):
    limit = CountLimit("some-things", "7", "user", "tests")
    assert limit.value == 7
    monkeypatch.setenv("LIMIT_SOME_THINGS", amount)
    assert limit.value == int(amount)
    for wrong in ("0", "-1", "many", "1.5"):
        monkeypatch.setenv("LIMIT_SOME_THINGS", wrong)
        with pytest.raises(ValueError, match=wrong):
            assert limit.value


def test_valid_limits_are_not_reported(monkeypatch):
    monkeypatch.setenv("LIMIT_NEW_GUESTS", "3/hour;5/day")
    monkeypatch.setenv("LIMIT_TOURNAMENT_PLAYERS", "50")
    assert checks.check_limits() == []
    for wrong in ("3/hour", "0", "-5"):
        monkeypatch.setenv("LIMIT_TOURNAMENT_PLAYERS", wrong)
        [found] = checks.check_limits()
        assert found.id == "antipodes.E016"
        assert found.msg == f"LIMIT_TOURNAMENT_PLAYERS is '{wrong}', but must be like '2000'"


def test_a_used_up_limit_is_told_without_counting_and_can_be_reset():
    other = RateLimit("two and five", "2/hour;5/day", "address", "tests")
    for is_used_up in (False, False, True, True):
        for _ in range(2):
            assert limits.is_used_up(other, "ann") is is_used_up
        if not is_used_up:
            take(other, "ann")
    assert not limits.is_used_up(other, "bob")
    limits.reset(other, "bob")
    assert limits.is_used_up(other, "ann")
    limits.reset(other, "ann")
    assert not limits.is_used_up(other, "ann")
    for _ in range(2):
        take(other, "ann")


def test_the_limit_of_several_customers_is_a_multiple_and_is_reset_as_such():
    for _ in range(2):
        for _ in range(6):
            take(THREE, "a network", multiple=2)
        with pytest.raises(TooManyError):
            take(THREE, "a network", multiple=2)
        limits.reset(THREE, "a network")
        with pytest.raises(TooManyError):
            take(THREE, "a network", multiple=2)
        limits.reset(THREE, "a network", multiple=2)


def test_a_refusal_says_how_many_seconds_to_wait():
    for _ in range(3):
        take(THREE, "ann")
    with pytest.raises(TooManyError) as refused:
        take(THREE, "ann")
    assert 3_590 < refused.value.seconds <= 3_601
    assert refused.value.faults[0].message.endswith(f" {refused.value.seconds} seconds.")
    with pytest.raises(TooManyError, match=r"^Wait 7!$"):
        raise TooManyError(7, "Wait %(seconds)s!")


def test_clients_of_unknown_addresses_are_not_limited(rf):
    for _ in range(5):
        take_for_address(THREE, rf.get("/", REMOTE_ADDR=""))


def test_errors_have_their_status():
    busy = limits.BusyError(4)
    assert (busy.seconds, busy.code) == (4, "limits/busy")
    assert str(busy) == "The site is busy; try again in 4 seconds."
    other = InputError([Fault("some/fault", "a fault")])
    assert [limits.status_of(one) for one in (busy, TooManyError(4), other)] == [503, 429, 400]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("error", "method", "status", "title", "is_reloaded"),
    [
        (TooManyError(7), "GET", 429, "Too many attempts", False),
        (limits.BusyError(7), "GET", 503, "One moment", True),
        (limits.BusyError(7), "POST", 503, "One moment", False),
    ],
)
def test_a_page_is_loaded_again_by_itself_while_the_site_is_busy(
    rf, error, method, status, title, is_reloaded
):
    request = rf.generic(method, "/lobby/")
    request.user, request.session = AnonymousUser(), {}
    response = limits.too_many_response(request, error)
    page = " ".join(response.text.split())
    assert (response.status_code, response.headers["Retry-After"]) == (status, "7")
    assert re.search(rf"<title>\s*{title} · Antipodes</title>", page)
    assert str(error) in page
    assert ('<meta http-equiv="refresh" content="7">' in page) is is_reloaded


def test_other_errors_are_left_to_other_middleware(rf):
    middleware = limits.RateLimitMiddleware(lambda _request: HttpResponse())
    assert middleware.process_exception(rf.get("/"), ValueError("other")) is None
