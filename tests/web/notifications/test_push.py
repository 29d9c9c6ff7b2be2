"""Web push: encryption, the site's key, retries, public hosts, and subscriptions."""

import base64
import contextlib
import errno
import json
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import aiohttp
import http_ece  # type: ignore[import-untyped]
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import OperationalError
from django.urls import reverse
from py_vapid import Vapid02  # type: ignore[import-untyped]

from antipodes.errors import InputError
from antipodes.web.notifications import push
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.models import NotificationRow, PushSubscriptionRow
from antipodes.web.notifications.push import is_public_address, shared_secret
from antipodes.web.notifications.services import notify
from antipodes.web.notifications.views import browser_name
from antipodes.web.platform.models import SecretRow
from tests.raising import raising
from tests.web.full_disk import nothing_can_be_written
from tests.web.notifications.conftest import HOUR, MINUTE

pytestmark = pytest.mark.django_db


SECOND = 1_000


def written(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Service:
    """A push service on this machine, and the browser that receives from it."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = b"sixteen bytes ok"
        self.status = 201
        self.posts: list[Any] = []
        self.hold: Callable[[str], object] = lambda _path: None  # runs before the answer
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.posts.append((dict(self.headers), body))
                service.hold(self.path)
                self.send_response(service.status)
                self.send_header("Location", "http://127.0.0.1:1/")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.site = f"http://127.0.0.1:{self.server.server_address[1]}/push/"
        self.endpoint = f"{self.site}1"

    def keys(self):
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return {"p256dh": written(point), "auth": written(self.secret)}

    def shown(self):
        """Return the decrypted payloads."""
        return [
            json.loads(
                http_ece.decrypt(
                    body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"
                )
            )
            for _, body in self.posts
        ]


@pytest.fixture
def service(monkeypatch):
    """A push service on this machine, reachable by plain HTTP."""
    found = Service()
    monkeypatch.setattr(push, "new_session", aiohttp.ClientSession)
    yield found
    found.server.shutdown()
    found.server.server_close()


@pytest.fixture
def ann(people, service):
    """A user with a subscribed browser."""
    PushSubscriptionRow.objects.create(
        user=people[0], endpoint=service.endpoint, made_at=0, browser="Firefox", **service.keys()
    )
    return people[0]


def notified(user, **more):
    return notify(
        user, NotificationKind.INVITED, **{"key": "1", "path": "/c/abc/", "game": "hex", **more}
    )


def test_a_push_is_encrypted_for_the_browser(ann, people, service, time):
    row = notified(ann, by=people[1])
    assert push.send_due_pushes() == 0
    time.forward(3 * SECOND)
    assert push.send_due_pushes() == 1
    assert service.shown() == [
        {
            "title": "You are invited to a game, a club or a tournament",
            "body": "bob invites you to a game of Hex.",
            "url": f"/notices/{row.pk}/",
            "tag": f"notice-{row.pk}",
        }
    ]
    headers, body = service.posts[0]
    assert b"bob" not in body
    assert headers["content-encoding"] == "aes128gcm"
    assert push.send_due_pushes() == 0


def test_a_push_is_signed_by_the_site(ann, service, time):
    notified(ann)
    time.forward(3 * SECOND)
    push.send_due_pushes()
    said = {name.lower(): value for name, value in service.posts[0][0].items()}["authorization"]
    assert said.endswith(f",k={push.public_key()}")
    assert Vapid02.verify(said)


@pytest.mark.parametrize("status", [404, 410])
def test_expired_subscriptions_are_deleted(ann, service, time, status):
    service.status = status
    notified(ann)
    time.forward(3 * SECOND)
    assert push.send_due_pushes() == 0
    assert not PushSubscriptionRow.objects.exists()
    assert NotificationRow.objects.get().push_due is None


@pytest.mark.parametrize("status", [429, 500, 503])
def test_temporary_failures_are_retried_for_an_hour(ann, service, time, status):
    service.status = status
    notified(ann)
    time.forward(3 * SECOND)
    assert push.send_due_pushes() == 0
    assert PushSubscriptionRow.objects.exists()
    time.forward(MINUTE)
    service.status = 201
    assert push.send_due_pushes() == 1
    notified(ann, key="2")
    service.status = status
    time.forward(3 * SECOND)
    push.send_due_pushes()
    time.forward(HOUR)
    service.status = 201
    assert push.send_due_pushes() == 0


@pytest.mark.parametrize("status", [302, 400, 413])
def test_refused_and_redirected_pushes_are_not_sent_again(ann, service, time, status):
    service.status = status
    notified(ann)
    time.forward(3 * SECOND)
    assert push.send_due_pushes() == 0
    assert len(service.posts) == 1
    assert PushSubscriptionRow.objects.exists()


def test_pushes_that_cannot_be_encrypted_are_not_tried_again(ann, service, time):
    PushSubscriptionRow.objects.update(p256dh="AAAA")
    notified(ann)
    time.forward(3 * SECOND)
    assert push.send_due_pushes() == 0
    assert NotificationRow.objects.get().push_due is None


def test_a_push_that_another_process_has_claimed_is_not_sent(ann, service, time):
    notified(ann)
    time.forward(3 * SECOND)
    row = NotificationRow.objects.get()
    NotificationRow.objects.update(push_due=time.at + MINUTE)
    assert push._claimed(row) is None
    assert service.posts == []


def test_a_push_is_sent_again_after_a_crash(ann, service, time, monkeypatch):
    notified(ann)
    time.forward(3 * SECOND)
    monkeypatch.setattr(push, "_settle", lambda *_: (_ for _ in ()).throw(MemoryError))
    with pytest.raises(MemoryError):
        push.send_due_pushes()
    monkeypatch.undo()
    monkeypatch.setattr(push, "new_session", aiohttp.ClientSession)
    monkeypatch.setattr(push, "now", time)
    assert push.send_due_pushes() == 0
    time.forward(10 * MINUTE)
    assert push.send_due_pushes() == 1


@pytest.mark.parametrize(
    "url",
    [
        "http://push.example.org/1",
        "https://127.0.0.1/1",
        "https://[::1]/1",
        "https://localhost/1",
        "https://intranet/1",
        "https://printer.local/1",
        "https://push.example.org:8443/1",
        "https://push.example.org:99999/1",
        "https://user@push.example.org/1",
        "https://2130706433/1",
        "file:///etc/passwd",
        "",
    ],
)
def test_endpoints_must_be_public_https_hosts(people, service, url):
    assert not is_public_address(url)
    with pytest.raises(InputError, match="public HTTPS hosts"):
        push.subscribe(people[0], {"endpoint": url, "keys": service.keys()}, "Firefox")


def subscription(service, endpoint="https://push.example.org/1"):
    return {"endpoint": endpoint, "keys": service.keys()}


def test_a_browser_subscribes_and_unsubscribes(people, client, service):
    client.force_login(people[0])
    data = json.dumps(subscription(service))
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    for _ in range(2):
        answer = client.post(
            "/notices/push", data, content_type="application/json", headers={"user-agent": agent}
        )
        assert answer.status_code == 200
    assert PushSubscriptionRow.objects.get().browser == "Firefox, Linux"
    assert "Firefox, Linux" in client.get("/accounts/notices/").content.decode()
    client.post("/notices/push/end", {"endpoint": "https://push.example.org/1"})
    assert not PushSubscriptionRow.objects.exists()


def test_users_cannot_unsubscribe_browsers_of_others(people, client, ann):
    client.force_login(people[1])
    row = PushSubscriptionRow.objects.get()
    client.post("/notices/push/end", {"browser": row.pk})
    client.post("/notices/push/end", {"endpoint": row.endpoint})
    assert PushSubscriptionRow.objects.exists()


def test_a_subscription_moves_to_the_user_who_signed_in_last(people, service):
    for user in people[:2]:
        push.subscribe(user, subscription(service), "Firefox")
    assert PushSubscriptionRow.objects.get().user == people[1]


def test_the_number_of_subscriptions_is_limited(people, service):
    for number in range(push.MOST_SUBSCRIPTIONS):
        push.subscribe(people[0], subscription(service, f"https://push.example.org/{number}"), "")
    with pytest.raises(InputError, match="20 browsers"):
        push.subscribe(people[0], subscription(service, "https://push.example.org/more"), "")


@pytest.mark.parametrize(
    "data",
    [
        "",
        "{",
        "[]",
        "5",
        '{"endpoint": 5}',
        '{"keys": []}',
        "[" * 4_000,
        "[" * 5_000,
        '{"endpoint": "https://push.example.org/1", "keys": {"p256dh": 1}}',
    ],
)
def test_malformed_subscriptions_are_refused(people, client, data):
    client.force_login(people[0])
    answer = client.post("/notices/push", data, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["code"] == "push/subscription"


def test_signed_out_users_cannot_subscribe(client):
    answer = client.post("/notices/push", "{}", content_type="application/json")
    assert answer.status_code == 403


def test_browser_names():
    agent = "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"
    assert browser_name(agent) == "Chrome, Android"
    assert browser_name("") == "?"


def test_a_push_goes_to_all_browsers_and_is_tried_again_if_one_failed(
    ann, people, service, time, monkeypatch
):
    others = [(n, ann if n < 3 else people[1]) for n in range(1, 4)]
    PushSubscriptionRow.objects.bulk_create(
        PushSubscriptionRow(user=user, endpoint=f"{service.endpoint}{n}", made_at=0)
        for n, user in others
    )
    answers = [push._Outcome.TAKEN, push._Outcome.LATER, push._Outcome.TAKEN]

    async def send(*_):
        return answers.pop()

    monkeypatch.setattr(push, "_send", send)
    row = notified(ann)
    time.at = row.push_due
    assert push.send_due_pushes() == 2
    assert answers == []
    assert NotificationRow.objects.get().push_due == time.at + MINUTE


@pytest.mark.parametrize(("age", "is_sent"), [(HOUR, True), (HOUR + 1, False)])
def test_a_push_is_given_up_after_an_hour(ann, service, time, age, is_sent):
    notified(ann)
    time.forward(age)
    assert push.send_due_pushes() == is_sent
    assert NotificationRow.objects.get().push_due is None


def test_a_push_is_claimed_for_five_minutes(ann, service, time, monkeypatch):
    notified(ann)
    time.forward(3 * SECOND)
    claimed = []

    claim = push._claimed

    def claimed_now(row):
        found = claim(row)
        claimed.append(NotificationRow.objects.get().push_due)
        return found

    monkeypatch.setattr(push, "_claimed", claimed_now)
    assert push.send_due_pushes() == 1
    assert claimed == [time.at + 5 * MINUTE]


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(200, "taken"), (202, "taken"), (204, "refused"), (408, "later"), (425, "later"),
     (499, "refused"), (500, "later"), (400, "refused"), (404, "gone")],
)  # fmt: skip
def test_a_status_tells_whether_to_try_again(status, outcome):
    assert push._outcome_of(status).value == outcome


def test_a_service_that_cannot_be_reached_is_tried_again(ann, service, time):
    PushSubscriptionRow.objects.update(endpoint="http://127.0.0.1:1/push")
    row = notified(ann)
    time.at = row.push_due
    assert push.send_due_pushes() == 0
    assert NotificationRow.objects.get().push_due == time.at + MINUTE


def subscribed(service, users):
    """Subscribe a browser of each user, at a path of its own."""
    PushSubscriptionRow.objects.bulk_create(
        PushSubscriptionRow(
            user=user, endpoint=f"{service.site}{user}", made_at=0, **service.keys()
        )
        for user in users
    )


def test_a_slow_service_delays_no_pushes_to_others(people, service, time):
    """Each service answers only after all have received their pushes."""
    subscribed(service, people[:4])
    received = threading.Barrier(4, timeout=30)
    service.hold = lambda _path: received.wait()
    for user in people[:4]:
        notified(user)
    time.forward(3 * SECOND)
    assert push.send_due_pushes() == 4


def test_a_slow_service_delays_no_pushes_that_become_due_meanwhile(people, service, time):
    slow, other = people[:2]
    subscribed(service, (slow, other))
    has_received = threading.Event()

    def hold(path):
        if path.endswith(str(other)):
            has_received.set()
        else:
            time.forward(HOUR // 2)
            assert has_received.wait(30)

    service.hold = hold
    notified(slow)
    time.forward(2 * SECOND)
    notified(other)
    time.forward(SECOND)
    assert push.send_due_pushes() == 2


def test_a_service_that_never_ends_its_answer_is_given_up(ann, service, time, monkeypatch):
    """Each byte comes in time, but not the whole answer."""
    monkeypatch.setattr(push, "_TIMEOUT", 0.2)
    has_ended = threading.Event()
    trickle = socket.create_server(("127.0.0.1", 0))

    def answer():
        connection, _ = trickle.accept()
        with connection, contextlib.suppress(OSError):
            connection.sendall(b"HTTP/1.1 201 Created\r\n")
            while not has_ended.wait(0.01):
                connection.sendall(b"x")

    threading.Thread(target=answer, daemon=True).start()
    port = trickle.getsockname()[1]
    PushSubscriptionRow.objects.update(endpoint=f"http://127.0.0.1:{port}/")
    row = notified(ann)
    time.at = row.push_due
    assert push.send_due_pushes() == 0
    has_ended.set()
    trickle.close()
    assert NotificationRow.objects.get().push_due == time.at + MINUTE


def test_an_endpoint_that_cannot_be_signed_for_stops_no_pushes_to_others(people, service, time):
    subscribed(service, people[:2])
    PushSubscriptionRow.objects.filter(user=people[0]).update(endpoint="https://[2606:4700::1]/1")
    for user in people[:2]:
        notified(user)
    time.forward(3 * SECOND)
    assert push.send_due_pushes() == 1


def test_a_run_ends_and_leaves_later_pushes_to_the_next(ann, service, time, monkeypatch):
    monkeypatch.setattr(push, "_RUN", 0)
    notified(ann)
    time.forward(3 * SECOND)
    assert push.send_due_pushes() == 0
    assert service.posts == []
    monkeypatch.undo()
    assert NotificationRow.objects.filter(push_due__gt=0).exists()


@pytest.mark.parametrize(("limit", "most"), [("1", 1), ("2", 2)])
def test_users_who_receive_pushes_at_the_same_time_are_limited(
    people, service, time, monkeypatch, limit, most
):
    monkeypatch.setenv("LIMIT_PUSHES_AT_ONCE", limit)
    subscribed(service, people[:4])
    at_once = watched(monkeypatch)
    for user in people[:4]:
        notified(user)
    time.forward(3 * SECOND)
    assert push.send_due_pushes() == 4
    assert max(at_once) == most


@pytest.mark.parametrize(("limit", "most"), [("1", 1), ("3", 3)])
def test_browsers_of_a_user_that_receive_pushes_at_the_same_time_are_limited(
    ann, service, time, monkeypatch, limit, most
):
    monkeypatch.setenv("LIMIT_PUSHES_AT_ONCE_OF_USER", limit)
    PushSubscriptionRow.objects.bulk_create(
        PushSubscriptionRow(user=ann, endpoint=f"{service.site}b{n}", made_at=0, **service.keys())
        for n in range(5)
    )
    at_once = watched(monkeypatch)
    notified(ann)
    time.forward(3 * SECOND)
    assert push.send_due_pushes() == 6
    assert max(at_once) == most


def watched(monkeypatch):
    """Return a list that receives how many pushes are in progress whenever one begins."""
    send, found, current = push._send, [], set()

    async def watching(subscription, *rest):
        current.add(subscription.pk)
        found.append(len(current))
        try:
            return await send(subscription, *rest)
        finally:
            current.discard(subscription.pk)

    monkeypatch.setattr(push, "_send", watching)
    return found


def test_pushes_about_a_match_replace_each_other(people, match):
    row = notify(people[0], NotificationKind.YOUR_TURN, key="1", match=match)
    assert row is not None
    assert push.payload_of(row) == {
        "title": "Hex with bob",
        "body": "It is your turn in Hex with bob.",
        "url": f"/notices/{row.pk}/",
        "tag": f"match-{match.slug}",
    }


LONGEST = {"p256dh": 100, "auth": 100, "endpoint": 1_000}


@pytest.mark.parametrize("name", LONGEST)
@pytest.mark.parametrize("more", [0, 1])
def test_the_parts_of_a_subscription_have_a_longest_length(people, name, more):
    start = "https://push.example.org/"
    found = {"endpoint": start, "p256dh": "k", "auth": "a"}
    found[name] = found[name].ljust(LONGEST[name] + more, "x")
    keys = {one: found[one] for one in ("p256dh", "auth")}
    data = {"endpoint": found["endpoint"], "keys": keys}
    if more:
        with pytest.raises(InputError, match="is not a push subscription"):
            push.subscribe(people[0], data, "Firefox")
    else:
        assert push.subscribe(people[0], data, "Firefox").user == people[0]


@pytest.mark.parametrize("missing", ["p256dh", "auth"])
def test_a_subscription_needs_both_keys(people, service, missing):
    data = subscription(service)
    data["keys"][missing] = ""
    with pytest.raises(InputError, match="is not a push subscription"):
        push.subscribe(people[0], data, "Firefox")


def test_a_subscribed_browser_may_subscribe_again_at_the_limit(people, service, monkeypatch):
    monkeypatch.setattr(push, "MOST_SUBSCRIPTIONS", 1)
    for _ in range(2):
        push.subscribe(people[0], subscription(service), "Firefox")
    assert PushSubscriptionRow.objects.count() == 1


@pytest.mark.parametrize(("size", "status"), [(4_000, 200), (4_001, 400)])
def test_a_subscription_has_four_thousand_bytes_at_most(people, client, service, size, status):
    client.force_login(people[0])
    data = json.dumps(subscription(service)).ljust(size)
    answer = client.post("/notices/push", data, content_type="application/json")
    assert answer.status_code == status


def test_a_browser_is_removed_by_its_key_from_the_list(client, ann):
    client.force_login(ann)
    for key in ("x", "", str(PushSubscriptionRow.objects.get().pk)):
        assert PushSubscriptionRow.objects.exists()
        answer = client.post("/notices/push/end", {"browser": key})
        assert answer["Location"] == "/accounts/notices/"
    assert not PushSubscriptionRow.objects.exists()


def test_a_form_is_refused_as_a_subscription(client, ann):
    client.force_login(ann)
    answer = client.post("/notices/push", {"endpoint": "https://push.example.org/1"})
    assert answer.status_code == 400
    assert "a form, not an object" in answer.json()["message"]


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Switch to another machine of the site, with its own data folder."""

    def go(name):
        (tmp_path / name).mkdir(exist_ok=True)
        monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path / name))
        push.private_key.cache_clear()
        return tmp_path / name

    monkeypatch.delenv("VAPID_PRIVATE_KEY", raising=False)
    yield go
    push.private_key.cache_clear()


def test_all_machines_of_a_site_push_with_one_key(machine):
    folder = machine("first")
    key = push.public_key()
    assert key
    machine("second")
    assert push.public_key() == key
    assert list(folder.iterdir()) == []  # it is in the database, and so in backups
    assert SecretRow.objects.get().name == "vapid-key"


def test_concurrent_processes_get_the_same_key(machine, monkeypatch):
    machine("first")
    key = push._generate()

    def made():
        SecretRow.objects.create(name="vapid-key", value=key)  # the other process was first
        return "of no use any more"

    assert shared_secret("vapid-key", made) == key


def test_preferences_are_shown_on_a_full_disk_without_a_key(machine, client, people):
    machine("first")
    client.force_login(people[0])
    with nothing_can_be_written():
        assert client.get(reverse("notification-preferences")).status_code == 200
    assert push.public_key()


def test_an_invalid_key_is_reported_and_disables_pushes(monkeypatch, client, people):
    monkeypatch.setenv("VAPID_PRIVATE_KEY", "nonsense")
    push.private_key.cache_clear()
    assert [error.id for error in push.check_key()] == ["antipodes.E020"]
    client.force_login(people[0])
    assert 'id="push"' not in client.get("/accounts/notices/").content.decode()
    monkeypatch.undo()
    push.private_key.cache_clear()
    assert push.check_key() == []


@pytest.mark.parametrize(
    ("error", "is_raised"),
    [
        (OSError(errno.ENOSPC, "full"), False),
        (OSError(errno.EROFS, "read only"), False),
        (ValueError("broken"), True),
        (OperationalError("away"), True),
    ],
)
def test_only_a_full_disk_excuses_that_there_is_no_key(monkeypatch, error, is_raised):
    monkeypatch.setattr(push, "private_key", raising(error))
    if is_raised:
        with pytest.raises(type(error)):
            push.public_key()
    else:
        assert push.public_key() == ""


def test_a_key_of_the_environment_is_used(machine, monkeypatch):
    machine("first")
    assert not push.has_configured_key()
    key = push._generate()
    monkeypatch.setenv("VAPID_PRIVATE_KEY", f" {key}\n")
    push.private_key.cache_clear()
    assert push.has_configured_key()
    assert push.check_key() == []
    expected = push._read(key).public_key.public_numbers()
    assert push.private_key().public_key.public_numbers() == expected
    assert not SecretRow.objects.exists()
