"""Avatars: drawn from names alone."""

from antipodes.web.platform.templatetags.avatars import avatar


def test_a_name_always_has_the_same_avatar_and_others_have_others():
    names = [f"player-{number}" for number in range(100)]
    drawn = [avatar(name) for name in names]
    assert drawn == [avatar(name) for name in names]
    assert len(set(drawn)) == len(names)
    assert all(text.count("<circle") == 8 and 'aria-hidden="true"' in text for text in drawn)


def test_an_account_has_its_menu_on_each_page_and_signs_out_from_it(client, ann):
    client.force_login(ann)
    page = client.get("/lobby/").text
    assert avatar("ann") in page
    for address in ("/people/ann/", "/accounts/", "/studies/"):
        assert f'href="{address}"' in page
    assert client.post("/accounts/logout/").status_code == 302
    assert avatar("ann") not in client.get("/lobby/").text
