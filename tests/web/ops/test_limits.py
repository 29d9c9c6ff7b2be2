"""Laws of how often somebody may do something."""

import pytest
from limits.errors import StorageError

from antipodes.web.ops import limits
from antipodes.web.ops.limits import Limit, TooManyError, take, take_for_address
from antipodes.web.people.models import User

THREE = Limit("three", "3/hour")
FAR = "192.0.2.7"  # an address of documentation, not of this machine


def test_what_is_allowed_is_allowed_and_no_more():
    for _ in range(3):
        take(THREE, "ann")
    with pytest.raises(TooManyError, match=r"try again in [0-9]+ seconds") as refused:
        take(THREE, "ann")
    assert refused.value.code == "limits/too-many"
    assert 0 < refused.value.seconds <= 3_600


def test_people_and_limits_are_counted_apart():
    for _ in range(3):
        take(THREE, "ann")
    take(THREE, "bob")
    take(Limit("other", "3/hour"), "ann")


def test_the_tightest_of_several_amounts_decides():
    both = Limit("both", "5/minute;2/day")
    take(both, "ann")
    take(both, "ann")
    with pytest.raises(TooManyError):
        take(both, "ann")


def test_people_play_on_where_nobody_can_count(monkeypatch, caplog):
    def fail(*_):
        raise StorageError(ConnectionError("no Redis here"))

    monkeypatch.setattr(limits.limiter(), "hit", fail)
    take(THREE, "ann")
    assert "cannot be counted" in caplog.text


def test_a_household_is_one_however_many_addresses_it_has(rf):
    one, other, far = ("2001:db8:1::1", "2001:db8:1::ffff", "2001:db8:2::1")
    for address in (one, other, one):
        take_for_address(THREE, rf.get("/", REMOTE_ADDR=address))
    take_for_address(THREE, rf.get("/", REMOTE_ADDR=far))
    with pytest.raises(TooManyError):
        take_for_address(THREE, rf.get("/", REMOTE_ADDR=other))


def test_this_machine_is_not_limited(rf):
    for _ in range(5):
        take_for_address(THREE, rf.get("/", REMOTE_ADDR="127.0.0.1"))


@pytest.mark.django_db
def test_nobody_can_fill_the_site_with_guests(client, monkeypatch):
    monkeypatch.setattr(limits.NEW_GUESTS.__class__, "items", lambda _: limits._parsed("2/hour"))
    answers = []
    for _ in range(3):
        client.cookies.clear()
        answers.append(client.post("/play/hex/", {"level": "1"}, REMOTE_ADDR=FAR))
    assert [answer.status_code for answer in answers[:2]] == [302, 302]
    assert answers[2].status_code in {400, 429}
    assert b"too often" in answers[2].content
    assert User.objects.filter(is_guest=True).count() == 2


@pytest.mark.django_db
def test_a_view_that_refuses_says_when_to_come_again(client, monkeypatch):
    def refuse(*_):
        raise TooManyError(42)

    monkeypatch.setattr("antipodes.web.lobby.views.selectors.tables", refuse)
    answer = client.get("/lobby/")
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "42"
    assert "42 seconds" in answer.content.decode()


@pytest.mark.django_db
def test_positions_are_not_given_without_end(client, monkeypatch):
    monkeypatch.setattr(limits.POSITIONS.__class__, "items", lambda _: limits._parsed("2/hour"))
    ask = {"game": "hex", "moves": ""}
    answers = [client.get("/positions.json", ask, REMOTE_ADDR=FAR) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json()["code"] == "limits/too-many"
