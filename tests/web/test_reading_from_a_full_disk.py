"""Tests of a full disk: every page can still be read."""

import pytest
from django.test import Client

from antipodes.web.platform import rasterizer
from tests.thorough import THOROUGH, sample
from tests.web.full_disk import nothing_can_be_written
from tests.web.permission_table import ROWS
from tests.web.permission_world import COLUMNS

pytestmark = pytest.mark.django_db

READERS = ("anonymous", "guest", "owner")


@pytest.fixture(autouse=True)
def _pictures_are_not_drawn(monkeypatch, settings):
    """Draw no pictures: the process that does so writes nothing. The lobby has a chat."""
    settings.LOBBY_CHAT = True
    monkeypatch.setattr(rasterizer, "draw_png", lambda _svg, _width: b"a picture")


# /readyz reports the full disk.
READ = [one for one in ROWS if "GET" in one.expected and one.name != "readyz"]


@pytest.mark.slow
@pytest.mark.parametrize("row", sample(READ, 90), ids=str)
def test_every_page_can_be_read_from_a_full_disk(world, row):
    address, sent = row.address(world), row.sent(world)
    letters = dict(zip(COLUMNS.values(), row.expected["GET"], strict=True))
    for who in READERS if THOROUGH else [READERS[READ.index(row) % len(READERS)]]:
        usual = letters[who]
        with nothing_can_be_written():
            found = world.outcome(who, "GET", address, sent, by_token=row.by_token)
        assert found == usual or (usual == "+" and found in ".>"), who


def test_an_api_token_works_with_a_full_disk(world):
    headers = {"Authorization": f"Bearer {world.tokens['owner']}"}
    with nothing_can_be_written():
        response = Client().get("/api/v1/account", headers=headers)
    assert response.status_code == 200
