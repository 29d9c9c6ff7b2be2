"""Push notifications: from the button to the browser's notification, and from there to the match.

Only the push service between site and browser is simulated: the page has a fake subscription, and
the test decrypts the site's messages and passes them to the service worker with Chromium's
developer tools. Key, encryption, service worker and notification are real.
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
_TASK_TIMEOUT = 60_000  # milliseconds until periodic tasks have run, on a busy machine
_ENDPOINT = "https://push.invalid/one"

# A fake push service; like real ones, the subscription outlives the page.
_SERVICE = """(details) => {
  const stored = () => JSON.parse(localStorage.getItem("subscription"));
  const subscription = () => stored() && {
    endpoint: details.endpoint, toJSON: stored,
    unsubscribe: async () => { localStorage.removeItem("subscription"); return true; },
  };
  PushManager.prototype.getSubscription = async () => subscription();
  PushManager.prototype.subscribe = async (options) => {
    localStorage.setItem("options", JSON.stringify(options));
    localStorage.setItem("subscription", JSON.stringify(details));
    return subscription();
  };
}"""
_SHOWN = """async () => {
  const [found] = await navigator.serviceWorker.getRegistrations();
  const shown = await found.getNotifications();
  return shown.map(({ title, body, tag, data }) => ({ title, body, tag, data }));
}"""
# A scripted click cannot open a window, so the URL is recorded instead.
_CLICK = """async () => {
  const opened = [];
  clients.openWindow = async (url) => { opened.push(url); return null; };
  const [notification] = await registration.getNotifications();
  const event = new NotificationEvent("notificationclick", { notification });
  dispatchEvent(event);
  await new Promise((resolve) => setTimeout(resolve, 200));
  return [opened, (await registration.getNotifications()).length];
}"""
# Writes the push message to a file instead of sending it.
_SENT = """
import pathlib, time
from antipodes.web.notifications import push
from antipodes.web.notifications.models import NotificationRow

class Answer:
    status = 201
    async def __aenter__(self):
        return self
    async def __aexit__(self, *_):
        pass

class FileSession(Answer):
    def post(self, url, *, data, **_):
        pathlib.Path({path!r}).write_bytes(data)
        return Answer()

push.new_session = FileSession
for _ in range(50):
    # The site's own attempt fails and is repeated after a minute.
    NotificationRow.objects.filter(user__username={name!r}).exclude(push_due=None).update(push_due=1)
    if push.send_due_pushes():
        break
    time.sleep(0.2)
else:
    raise SystemExit("nothing was pushed")
"""


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def test_a_push_shows_a_notification_that_opens_the_match(window, site, tmp_path):
    key, secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    point = key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    keys = {"p256dh": base64url(point), "auth": base64url(secret)}
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
    player.says("Notifications are turned on in this browser")
    options = json.loads(player.page.evaluate("localStorage.getItem('options')"))
    site_key = player.page.locator("#push").get_attribute("data-key")
    assert options == {"userVisibleOnly": True, "applicationServerKey": site_key}
    player.page.reload()
    expect(player.page.locator("#push .notifications")).to_contain_text("Chrome, Linux")
    expect(player.button("Turn off notifications")).to_be_visible()
    player.check_accessibility()

    other.join(player.challenge("hex", seat=0, **SMALL.options))
    player.wait_for_match()
    address = slug_of(player)
    after = player.play(SMALL.start(), "a1")
    other.shows(after)
    player.open("/rules/")
    other.play(after, "b2")
    expect(player.page.locator(".unread-badge-link")).to_contain_text(
        "1 unread", timeout=_TASK_TIMEOUT
    )
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
    expect(player.page.locator(".unread-badge-link")).not_to_contain_text("1 unread")

    player.open("/accounts/notices/")
    player.press("Turn off notifications")
    player.says("Notifications are turned off in this browser")
    player.page.reload()
    expect(player.page.locator("#push .notifications")).to_have_count(0)
    expect(player.button("Turn on notifications")).to_be_visible()


def test_a_blocked_browser_is_told_so(window, site):
    player = window(site, "phone")
    sign_up(player, "mute")
    player.open("/accounts/notices/")
    player.page.evaluate("Notification.requestPermission = async () => 'denied'")
    player.press("Turn on notifications")
    player.says(re.compile("blocks notifications of this site"))
    player.check_accessibility()
