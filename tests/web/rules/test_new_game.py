"""Pages, mail and seeks of a registered game without examples, notes or presets."""

import pytest

from antipodes.errors import InputError
from antipodes.mail.layout import game_help
from antipodes.web.matchmaking.presets import preset_game

pytestmark = pytest.mark.usefixtures("crater")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/rules/",
        "/rules/crater/",
        "/rules/crater.svg",
        "/new/crater/",
        "/lobby/",
        "/analysis/crater/",
        "/ratings/crater/",
        "/statistics/crater/",
        "/pair/",
    ],
)
def test_pages_of_a_game_without_examples(client, path):
    assert client.get(path).status_code == 200


@pytest.mark.django_db
def test_a_game_without_examples_has_no_numbered_pictures(client):
    assert client.get("/rules/crater/0.svg").status_code == 404


def test_mail_help_of_a_game_without_an_example():
    assert "Help: crater" in game_help("crater")


def test_seeks_of_a_game_without_presets_are_for_the_standard_board(crater):
    assert preset_game("crater", "standard") == crater()
    with pytest.raises(InputError):
        preset_game("crater", "large")
