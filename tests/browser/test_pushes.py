"""Pushes: from the button to the notification of the browser, and from that to the match.

Only the service between site and browser is missing, for it is in the world outside: the browser's
subscription is made up in the page, and what the site encrypts for it is decrypted here and handed
to the service worker by Chromium's own tools. The key, the encryption, the service worker and the
notification are real.
"""

import base64
import json
import os
import re

import http_ece  # type: ignore[import-untyped]
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.sync_api import expect

from tests.browser.accounts import sign_up, slug_of
from tests.browser.scripts import Script

SMALL = Script("hex", {"size": 4, "swap": "off"}, ())
_LONG = 60_000  # milliseconds until rounds have come by on a busy machine
_ENDPOINT = "https://pushes.invalid/one"  # a name that no machine has

# A browser with a service for pushes; the subscription outlives the page, as real ones do.
_SERVICE = """(said) => {
  const kept = () => JSON.parse(localStorage.getItem("subscription"));
  const subscription = () => kept() && {
    endpoint: said.endpoint, toJSON: kept,
    unsubscribe: async () => { localStorage.removeItem("subscription"); return true; },
  };
  PushManager.prototype.getSubscription = async () => subscription();
  PushManager.prototype.subscribe = async (options) => {
    localStorage.setItem("asked", JSON.stringify(options));
    localStorage.setItem("subscription", JSON.stringify(said));
    return subscription();
  };
}"""
_SHOWN = """async () => {
  const [found] = await navigator.serviceWorker.getRegistrations();
  const shown = await found.getNotifications();
  return shown.map(({ title, body, tag, data }) => ({ title, body, tag, data }));
}"""
# A click that no hand has made may open no window: what it would open is noted instead.
_CLICK = """async () => {
  const opened = [];
  clients.openWindow = async (url) => { opened.push(url); return null; };
  const [notification] = await registration.getNotifications();
  const event = new NotificationEvent("notificationclick", { notification });
  dispatchEvent(event);
  await new Promise((resolve) => setTimeout(resolve, 200));
  return [opened, (await registration.getNotifications()).length];
}"""
# What the site would send to the service, written to a file.
_SENT = """
import pathlib, time
import requests
from antipodes.web.notifications import push
from antipodes.web.notifications.models import NotificationRow

class Kept(requests.adapters.BaseAdapter):
    def send(self, request, **_):
        pathlib.Path({path!r}).write_bytes(request.body)
        answer = requests.Response()
        answer.status_code, answer.request, answer._content = 201, request, b""
        return answer
    def close(self):
        pass

def session():
    made = requests.Session()
    made.mount("https://", Kept())
    return made

push.new_session = session
for _ in range(50):
    # The site itself tries too, in vain, and then waits a minute.
    NotificationRow.objects.filter(user__username={name!r}).exclude(push_due=None).update(push_due=1)
    if push.push():
        break
    time.sleep(0.2)
else:
    raise SystemExit("nothing was pushed")
"""


def written(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def test_a_push_becomes_a_notification_that_leads_to_the_match(window, site, tmp_path):
    key, secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    point = key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    keys = {"p256dh": written(point), "auth": written(secret)}
    player, other = window(site), window(site)
    context = player.page.context
    context.grant_permissions(["notifications"], origin=site.url("").rstrip("/"))
    context.add_init_script(f"({_SERVICE})({json.dumps({'endpoint': _ENDPOINT, 'keys': keys})})")
    devtools = context.new_cdp_session(player.page)
    registrations = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(event["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    sign_up(player, "pusha")
    player.open("/accounts/notices/")
    player.press("Turn on notifications")
    player.says("This browser shows notices now")
    asked = json.loads(player.page.evaluate("localStorage.getItem('asked')"))
    site_key = player.page.locator("#push").get_attribute("data-key")
    assert asked == {"userVisibleOnly": True, "applicationServerKey": site_key}
    player.page.reload()
    expect(player.page.locator("#push .notices")).to_contain_text("Chrome, Linux")
    expect(player.button("Turn off notifications")).to_be_visible()
    player.breaks_nothing_for_anybody()

    other.join(player.challenge("hex", seat=0, **SMALL.options))
    player.wait_for_match()
    address = slug_of(player)
    after = player.play(SMALL.start(), "a1")
    other.shows(after)
    player.open("/rules/")
    other.play(after, "b2")
    expect(player.page.locator(".bell-link")).to_contain_text("1 new", timeout=_LONG)
    sent = tmp_path / "push"
    site.shell(_SENT.format(path=str(sent), name="pusha"))
    body = http_ece.decrypt(
        sent.read_bytes(), private_key=key, auth_secret=secret, version="aes128gcm"
    )
    devtools.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": site.url("").rstrip("/"),
            "registrationId": registrations[-1]["registrationId"],
            "data": body.decode(),
        },
    )
    player.page.wait_for_function(f"async () => (await ({_SHOWN})()).length === 1")
    (shown,) = player.page.evaluate(_SHOWN)
    assert "Hex" in shown["title"]
    assert "played b2. It is your turn" in shown["body"]
    assert shown["tag"] == f"match-{address.split('/')[2]}"

    opened, left = context.service_workers[0].evaluate(_CLICK)
    assert left == 0
    assert opened == [site.url(shown["data"]["url"])]
    player.open(opened[0])
    player.page.wait_for_url(f"**{address}")
    player.shows(after.play(after.parse_move("b2")))
    expect(player.page.locator(".bell-link")).not_to_contain_text("1 new")

    player.open("/accounts/notices/")
    player.press("Turn off notifications")
    player.says("This browser shows no more notices")
    player.page.reload()
    expect(player.page.locator("#push .notices")).to_have_count(0)
    expect(player.button("Turn on notifications")).to_be_visible()


def test_a_browser_that_may_not_show_notices_says_so(window, site):
    player = window(site, "phone")
    sign_up(player, "mute")
    player.open("/accounts/notices/")
    player.page.evaluate("Notification.requestPermission = async () => 'denied'")
    player.press("Turn on notifications")
    player.says(re.compile("does not let the site show notices"))
    player.breaks_nothing_for_anybody()
