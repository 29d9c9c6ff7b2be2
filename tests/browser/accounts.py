"""Helpers for accounts: sign up, sign in and confirm addresses by forms and links in mails."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.browser.player import Player
from tests.live.post import text_of
from tests.live.site import Site

PASSWORD = "k7#W!2q-9Zx+55"  # unlike any name
_MAIL_TIMEOUT = 30  # seconds


def sign_up(player: Player, name: str) -> None:
    """Create an account with the form."""
    player.open("/accounts/signup/")
    fill(player, username=name, email=f"{name}@example.org", password1=PASSWORD, password2=PASSWORD)
    submit(player)
    player.page.wait_for_url(lambda url: "signup" not in url)


def sign_in(player: Player, name: str, password: str = PASSWORD) -> None:
    """Submit the form to sign in; accounts with two-factor authentication need a code after it."""
    player.open("/accounts/login/")
    fill(player, login=name, password=password)
    submit(player)
    player.page.wait_for_load_state()


def sign_in_or_up(player: Player, name: str) -> None:
    """Sign in, or create the account if there is none."""
    sign_in(player, name)
    if "login" in player.page.url:
        sign_up(player, name)


def confirm_address(player: Player, name: str) -> None:
    """Follow the link in the confirmation mail."""
    address = f"{name}@example.org"

    def has_link(mail: Any) -> bool:
        return mail["To"] == address and "/confirm-email/" in text_of(mail)

    mail = player.site.post.wait_for(has_link, _MAIL_TIMEOUT)
    link = re.search(r"http://\S+", text_of(mail))
    assert link is not None
    player.open(link.group())
    submit(player)


def fill(player: Player, **fields: str) -> None:
    """Fill in the fields that the form has; others are skipped."""
    for name, value in fields.items():
        field = player.page.locator(f"main [name='{name}']")
        if field.count():
            field.fill(value)


def submit(player: Player) -> None:
    """Press the form's primary button."""
    player.page.locator("main form button.first").first.click()


def slug_of(player: Player) -> str:
    """Return the path of the current page."""
    return re.sub(r"^https?://[^/]+", "", player.page.url).split("?")[0]


def make_moderator(site: Site, name: str) -> None:
    site.shell(
        "from antipodes.web.accounts.models import User\n"
        "from django.contrib.auth.models import Group\n"
        f"u = User.objects.create_user({name!r}, '{name}@example.org', {PASSWORD!r})\n"
        "u.is_staff = True; u.save(); u.groups.add(Group.objects.get(name='Moderators'))"
    )


def download(player: Player, name: str, folder: Path) -> Path:
    """Click a download link, and return the path of the saved file."""
    with player.page.expect_download() as started:
        player.page.get_by_role("link", name=name).click()
    path = folder / started.value.suggested_filename
    started.value.save_as(path)
    return path
