"""Private notes on matches."""

import pytest
from django.test import Client

from antipodes.web.accounts.models import User

pytestmark = pytest.mark.django_db


def browser_of(user):
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_notes_are_visible_only_to_their_author(row, people):
    ann, bob = (browser_of(user) for user in people[:2])
    address = f"/m/{row.slug}/notes"
    assert ann.post(address, {"text": "play the centre"}).status_code == 200
    ann.post(address, {"text": "play the edge\n"}, content_type="application/json")
    assert ann.get(address).json() == {"text": "play the edge\n"}
    assert bob.get(address).json() == Client().get(address).json() == {"text": ""}


def test_writing_notes_creates_a_guest(row, client):
    client.post(f"/m/{row.slug}/notes", {"text": "hm"})
    assert User.objects.filter(is_guest=True).count() == 1
    assert client.get(f"/m/{row.slug}/notes").json() == {"text": "hm"}


def test_long_notes_are_refused(row, client):
    assert client.post(f"/m/{row.slug}/notes", {"text": "x" * 10_000}).status_code == 200
    answer = client.post(f"/m/{row.slug}/notes", {"text": "x" * 10_001})
    assert answer.status_code == 400
    assert answer.json()["code"] == "notes/too-long"


def test_another_site_cannot_write_notes(row, people):
    client = Client(enforce_csrf_checks=True)
    client.force_login(people[0], backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(f"/m/{row.slug}/notes", {"text": "mine"}).status_code == 403


@pytest.mark.parametrize("body", [b"[]", b"{", b'{"text": 5}', b"\xff"])
def test_malformed_notes_are_refused(row, client, body):
    answer = client.post(f"/m/{row.slug}/notes", body, content_type="application/json")
    assert answer.status_code == 400
