"""Profiles in the API."""

import pytest


def test_a_profile_is_changed_and_public(ask, token, people):
    text = token()
    written = {"about": "I play at night.\r\n", "availability": "looking", "country": "Peru"}
    profile = {**written, "about": "I play at night.", "languages": ""}
    assert ask("PATCH", "account/profile", text, written).data == profile
    assert ask("PATCH", "account/profile", text, {"languages": "Quechua"}).data == {
        **profile,
        "languages": "Quechua",
    }
    page = ask("GET", "people/ann").data
    assert page["about"] == "I play at night."
    assert (page["availability"], page["languages"]) == ("looking", "Quechua")
    assert ask("GET", "people/bob").data["about"] == ""


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"about": "x" * 1_001}, "profile/text"),
        ({"about": "\n".join("x" * 40)}, "profile/text"),
        ({"country": "x" * 61}, "profile/text"),
        ({"availability": "sometimes"}, "api/body"),
        ({"name": "ruth"}, "api/body"),
    ],
)
def test_an_invalid_profile_is_refused_and_changes_nothing(ask, token, wanted, code):
    text = token()
    response = ask("PATCH", "account/profile", text, {"languages": "Quechua", **wanted})
    assert (response.status_code, response.data["code"]) == (422, code)
    assert ask("GET", "account/profile", text).data["languages"] == ""
