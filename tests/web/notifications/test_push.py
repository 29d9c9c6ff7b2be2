"""Web push: encryption, retries, public hosts, and subscriptions."""

import base64
import errno
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece  # type: ignore[import-untyped]
import pytest
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import OperationalError
from django.urls import reverse
from py_vapid import Vapid02  # type: ignore[import-untyped]
from urllib3.exceptions import NewConnectionError

from antipodes.errors import InputError
from antipodes.web.notifications import public_hosts, push, vapid
from antipodes.web.notifications.kinds import Kind
from antipodes.web.notifications.models import NotificationRow, PushSubscriptionRow
from antipodes.web.notifications.public_hosts import is_public, is_public_address, public_session
from antipodes.web.notifications.push_views import browser_name
from antipodes.web.notifications.services import mark_all_seen, notify
from antipodes.web.platform.models import SecretRow
from antipodes.web.platform.site_secrets import shared_secret
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
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.posts.append((dict(self.headers), body))
                self.send_response(service.status)
                self.send_header("Location", "http://127.0.0.1:1/")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.endpoint = f"http://127.0.0.1:{self.server.server_address[1]}/push/1"

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
    monkeypatch.setattr(push, "new_session", requests.Session)
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
    return notify(user, Kind.INVITED, **{"key": "1", "path": "/c/abc/", "game": "hex", **more})


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
    assert said.endswith(f",k={vapid.public_key()}")
    assert Vapid02.verify(said)


def test_pushes_use_the_recipients_language(ann, people, service, time, prefer):
    prefer(ann, language="de")
    notified(ann, by=people[1])
    time.forward(3 * SECOND)
    push.send_due_pushes()
    assert service.shown()[0]["tag"]
    assert prefer(ann).language == "de"


def test_seen_notifications_are_not_pushed(ann, service, time):
    notified(ann)
    mark_all_seen(ann)
    time.forward(3 * SECOND)
    assert push.send_due_pushes() == 0
    assert not service.posts


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
def test_refused_and_redirected_pushes_are_not_sent_again(ann, service, time, monkeypatch, status):
    session = requests.Session()
    session.max_redirects = 0
    monkeypatch.setattr(push, "new_session", lambda: session)
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
    with requests.Session() as session:
        assert push._push(row, session) == 0
    assert service.posts == []


def test_a_push_is_sent_again_after_a_crash(ann, service, time, monkeypatch):
    notified(ann)
    time.forward(3 * SECOND)
    monkeypatch.setattr(push, "_send", lambda *_: (_ for _ in ()).throw(SystemExit))
    with pytest.raises(SystemExit):
        push.send_due_pushes()
    monkeypatch.undo()
    monkeypatch.setattr(push, "new_session", requests.Session)
    monkeypatch.setattr(push, "now", time)
    assert push.send_due_pushes() == 0
    time.forward(10 * MINUTE)
    assert push.send_due_pushes() == 1


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "192.168.1.1",
        "::1",
        "fe80::1%eth0",
        "::ffff:10.0.0.1",
        "224.0.0.1",
        "0.0.0.0",
        "fd00::1",
    ],
)
def test_internal_addresses_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111"])
def test_global_addresses_are_public(address):
    assert is_public(address)


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


def test_a_name_that_resolves_to_an_internal_address_is_refused(monkeypatch):
    """The name is resolved at the time of the connection."""
    answers = [(2, 1, 6, "", ("127.0.0.1", 443))]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: answers)
    with public_session() as session, pytest.raises(requests.ConnectionError, match="not a public"):
        session.post("https://push.example.org/1", timeout=2)
    with public_session() as session, pytest.raises(requests.exceptions.InvalidSchema):
        session.post("http://push.example.org/1", timeout=2)


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


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Switch to another machine of the site, with its own data folder."""

    def go(name):
        (tmp_path / name).mkdir(exist_ok=True)
        monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path / name))
        vapid.private_key.cache_clear()
        return tmp_path / name

    monkeypatch.delenv("VAPID_PRIVATE_KEY", raising=False)
    yield go
    vapid.private_key.cache_clear()


def test_all_machines_of_a_site_push_with_one_key(machine):
    folder = machine("first")
    key = vapid.public_key()
    assert key
    machine("second")
    assert vapid.public_key() == key
    assert list(folder.iterdir()) == []  # it is in the database, and so in backups
    assert SecretRow.objects.get().name == "vapid-key"


def test_a_key_file_of_an_earlier_version_is_adopted(machine):
    machine("elsewhere")
    old = vapid._generate()
    (machine("first") / "vapid-key").write_text(old)
    key = vapid.public_key()
    second = machine("second")
    (second / "vapid-key").write_text(vapid._generate())  # ignored: the database has a key
    assert vapid.public_key() == key
    assert SecretRow.objects.get().value == old
    assert vapid._read(old).public_key.public_numbers() == (
        vapid.private_key().public_key.public_numbers()
    )


def test_concurrent_processes_get_the_same_key(machine, monkeypatch):
    machine("first")
    key = vapid._generate()

    def made():
        SecretRow.objects.create(name="vapid-key", value=key)  # the other process was first
        return "of no use any more"

    assert shared_secret("vapid-key", made) == key


def test_preferences_are_shown_on_a_full_disk_without_a_key(machine, client, ann):
    machine("first")
    client.force_login(ann)
    with nothing_can_be_written():
        assert client.get(reverse("notice-choices")).status_code == 200
    assert vapid.public_key()


def test_an_invalid_key_is_reported_and_disables_pushes(monkeypatch, client, people):
    monkeypatch.setenv("VAPID_PRIVATE_KEY", "nonsense")
    vapid.private_key.cache_clear()
    assert [error.id for error in vapid.check_key()] == ["antipodes.E020"]
    client.force_login(people[0])
    assert 'id="push"' not in client.get("/accounts/notices/").content.decode()
    monkeypatch.undo()
    vapid.private_key.cache_clear()
    assert vapid.check_key() == []


def test_browser_names():
    agent = "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"
    assert browser_name(agent) == "Chrome, Android"
    assert browser_name("") == "?"


@pytest.mark.parametrize(
    ("addresses", "is_public_host"),
    [(["8.8.8.8", "8.8.4.4"], True), (["8.8.8.8", "10.0.0.1"], False), ([], False)],
)
def test_a_connection_goes_to_the_address_that_was_checked(monkeypatch, addresses, is_public_host):
    connected = []
    found = [(None, None, None, "", (address, 443)) for address in addresses]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr("socket.create_connection", lambda *given: connected.append(given))
    unset: Any = object()
    for timeout in (7, unset):
        one = public_hosts._PublicConnection("push.example.org", 443, timeout=timeout)
        if is_public_host:
            one._new_conn()
        else:
            with pytest.raises(NewConnectionError, match="not a public host"):
                one._new_conn()
    expected = [((addresses[0], 443), 7), ((addresses[0], 443), None)] if is_public_host else []
    assert connected == expected


def test_a_host_that_cannot_be_reached_is_an_error_of_the_connection(monkeypatch):
    def fail(*_, **__):
        raise OSError("no such name")

    monkeypatch.setattr("socket.getaddrinfo", fail)
    one = public_hosts._PublicConnection("push.example.org", 443)
    with pytest.raises(NewConnectionError, match="no such name"):
        one._new_conn()


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
    def fail():
        raise error

    monkeypatch.setattr(vapid, "private_key", fail)
    if is_raised:
        with pytest.raises(type(error)):
            vapid.public_key()
    else:
        assert vapid.public_key() == ""
