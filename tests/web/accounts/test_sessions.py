"""Sessions are stored only when they change; late responses do not restore old cookies."""

import pytest
from django.test import Client


def test_a_page_that_changes_no_session_needs_no_transaction(client):
    # Without the mark django_db any transaction fails.
    assert client.get("/boards.json?game=hex").status_code == 200


def overlapping(client):
    """Return a client with the cookies that a browser sent with an earlier request."""
    before = Client()
    before.cookies.load({name: morsel.value for name, morsel in client.cookies.items()})
    return before


@pytest.mark.django_db
def test_a_page_requested_before_a_guest_plays_and_received_after_keeps_the_csrf_token(client):
    client.get("/lobby/")
    before = overlapping(client)
    client.post("/new/hex/", {"opponent": "computer", "level": "1"})
    assert client.cookies["csrftoken"].value != before.cookies["csrftoken"].value
    assert "csrftoken" not in before.get("/new/hex/").cookies


@pytest.mark.django_db
def test_a_page_requested_before_signing_in_and_received_after_keeps_the_session(
    client, django_user_model
):
    client.post("/new/hex/", {"opponent": "computer", "level": "1"})
    before = overlapping(client)
    client.force_login(django_user_model.objects.create(username="dora"))
    assert client.cookies["sessionid"].value != before.cookies["sessionid"].value
    assert not before.get("/lobby/").cookies


@pytest.mark.django_db
def test_a_browser_without_a_csrf_token_gets_one(client):
    assert client.get("/lobby/").cookies["csrftoken"].value
