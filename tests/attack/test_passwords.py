"""Wrong passwords for an account, while its owner signs in with the right one."""

import httpx

from tests.attack.attack import Target
from tests.attack.client import form
from tests.live.pages import is_signed_in, sign_in

_CONNECTIONS = 10
_OWNER = "198.51.100.253"


async def guess(target: Target, name: str) -> None:
    """Try wrong passwords for an account."""
    await target.repeat(
        lambda n: form("/accounts/login/", {"login": name, "password": f"wrong {n}"}), _CONNECTIONS
    )


def test_guessing_a_password_does_not_lock_out_the_owner(siege, withstand):
    account = siege.seeded["accounts"][0]
    headers = {"X-Forwarded-For": _OWNER}
    address = siege.site.url("").rstrip("/")

    def check(_found):
        with httpx.Client(base_url=address, headers=headers, timeout=30) as owner:
            sign_in(owner, account["name"], account["password"])
            return [] if is_signed_in(owner) else ["the owner cannot sign in"]

    withstand(guess, check=check, name=account["name"])
