"""The site's key for push services."""

import errno

import pytest
from django.db import OperationalError
from django.urls import reverse

from antipodes.web.notifications import push
from antipodes.web.notifications.push import shared_secret
from antipodes.web.platform.models import SecretRow
from tests.raising import raising
from tests.web.full_disk import nothing_can_be_written

pytestmark = pytest.mark.django_db


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
