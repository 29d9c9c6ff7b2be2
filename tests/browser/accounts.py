"""Accounts as people make and use them: by forms, and by the links in mails."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.browser.player import Player
from tests.live.post import text_of
from tests.live.site import Site

PASSWORD = "k7#W!2q-9Zx+55"  # like nobody's name
_MAIL = 30  # seconds until a mail is there


def sign_up(player: Player, name: str) -> None:
    """Make an account by the form."""
    player.open("/accounts/signup/")
    fill(player, username=name, email=f"{name}@example.org", password1=PASSWORD, password2=PASSWORD)
    submit(player)
    player.page.wait_for_url(lambda url: "signup" not in url)


def sign_in(player: Player, name: str, password: str = PASSWORD) -> None:
    """Use an account; whether that leads in depends on its second step."""
    player.open("/accounts/login/")
    fill(player, login=name, password=password)
    submit(player)
    player.page.wait_for_load_state()


def sign_in_or_up(player: Player, name: str) -> None:
    """Make the account the first time, and use it afterwards."""
    sign_in(player, name)
    if "login" in player.page.url:
        sign_up(player, name)


def confirm_address(player: Player, name: str) -> None:
    """Follow the link in the mail that came after signing up."""
    address = f"{name}@example.org"

    def has_link(mail: Any) -> bool:
        return mail["To"] == address and "/confirm-email/" in text_of(mail)

    mail = player.site.post.wait_for(has_link, _MAIL)
    link = re.search(r"http://\S+", text_of(mail))
    assert link is not None
    player.open(link.group())
    submit(player)


def fill(player: Player, **fields: str) -> None:
    """Fill in fields that the form has; a second field for a password may be left out."""
    for name, value in fields.items():
        field = player.page.locator(f"main [name='{name}']")
        if field.count():
            field.fill(value)


def submit(player: Player) -> None:
    """Press the form's main button."""
    player.page.locator("main form button.first").first.click()


def slug_of(player: Player) -> str:
    """Return the address of the match, challenge or club that is shown, without the server's."""
    return re.sub(r"^https?://[^/]+", "", player.page.url).split("?")[0]


def make_moderator(site: Site, name: str) -> None:
    """Make an account of the staff, as a host does in the admin."""
    site.shell(
        "from antipodes.web.accounts.models import User\n"
        "from django.contrib.auth.models import Group\n"
        f"u = User.objects.create_user({name!r}, '{name}@example.org', {PASSWORD!r})\n"
        "u.is_staff = True; u.save(); u.groups.add(Group.objects.get(name='Moderators'))"
    )


def download(player: Player, name: str, folder: Path) -> Path:
    """Follow a link that gives a file, and return where the file lies."""
    with player.page.expect_download() as waiting:
        player.page.get_by_role("link", name=name).click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path
