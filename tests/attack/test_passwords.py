"""Wrong passwords for an account, while its owner signs in with the right one."""

import httpx

from tests.attack.attack import Target
from tests.attack.client import form
from tests.live.pages import is_signed_in, sign_in

_CONNECTIONS = 10
_OWNER = "198.51.100.253"


async def guess(target: Target, name: str) -> None:
    """Try wrong passwords of an account."""
    await target.again_and_again(
        lambda n: form("/accounts/login/", {"login": name, "password": f"wrong {n}"}), _CONNECTIONS
    )


def test_an_account_whose_password_is_guessed_at(siege, withstand):
    account = siege.seeded["accounts"][0]
    headers = {"X-Forwarded-For": _OWNER}
    address = siege.site.url("").rstrip("/")

    def is_owner_in(_found):
        with httpx.Client(base_url=address, headers=headers, timeout=30) as owner:
            sign_in(owner, account["name"], account["password"])
            return [] if is_signed_in(owner) else ["the owner of the account is kept out"]

    withstand(guess, check=is_owner_in, name=account["name"])
