"""Laws of one's own page by program."""

import pytest


def test_what_one_tells_about_oneself_is_read_by_everybody(ask, token, people):
    text = token()
    written = {"about": "I play at night.\r\n", "availability": "looking", "country": "Peru"}
    told = {**written, "about": "I play at night.", "languages": ""}
    assert ask("PATCH", "account/profile", text, written).data == told
    assert ask("PATCH", "account/profile", text, {"languages": "Quechua"}).data == {
        **told,
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
def test_what_cannot_be_told_is_refused_and_changes_nothing(ask, token, wanted, code):
    text = token()
    answer = ask("PATCH", "account/profile", text, {"languages": "Quechua", **wanted})
    assert (answer.status_code, answer.data["code"]) == (422, code)
    assert ask("GET", "account/profile", text).data["languages"] == ""
