"""Webhooks of mail providers: authentication, formats, and responses."""

import base64
import email
import hashlib
import hmac
import json

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from django.urls import reverse

from antipodes.web.email_play.inbound import intake, webhooks
from antipodes.web.email_play.inbound.intake import TryAgainError
from antipodes.web.email_play.models import InboundMailRow
from tests.raising import raising

pytestmark = pytest.mark.django_db

SECRET = "antipodes:correct horse battery"
MAIL = (
    "Message-ID: <1@there.example>\r\nFrom: ann@there.example\r\nTo: play@example.org\r\n"
    "Subject: help\r\n\r\nO\u00f9 ?\r\n"
)


@pytest.fixture(autouse=True)
def secret(settings, monkeypatch):
    settings.MAIL_WEBHOOK_SECRET = SECRET
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET}
    monkeypatch.setattr(intake, "close_old_connections", lambda: None)


def post(client, provider, data, secret=SECRET, **more):
    key = base64.b64encode(secret.encode()).decode()
    address = reverse("mail-webhook", args=[provider])
    return client.post(address, data, headers={"Authorization": f"Basic {key}"}, **more)


def postmark(client, **more):
    event = {
        "RawEmail": MAIL,
        "OriginalRecipient": "play+abc234@example.org",
        "Headers": [{"Name": "Return-Path", "Value": "<ann@envelope.example>"}],
    }
    return post(client, "postmark", json.dumps(event), content_type="application/json", **more)


def test_a_mail_is_accepted_with_its_envelope(client):
    assert postmark(client).status_code == 200
    assert postmark(client).status_code == 200
    row = InboundMailRow.objects.get()
    assert row.recipients == ["play+abc234@example.org"]
    assert row.sender == "ann@envelope.example"
    assert "Où ?" in bytes(row.raw).decode()


RELAYED = {
    "protocol": "smtp",
    "rcpt_to": "play@example.org",
    "msg_from": "ann@there.example",
    "content": {"email_rfc822": MAIL, "email_rfc822_is_base64": False},
}
SPLIT = {
    "Headers": {"Message-ID": "<1@there.example>", "To": "play@example.org"},
    "Recipient": "play@example.org",
    "Sender": "ann@there.example",
    "From": "ann@there.example",
    "Subject": "help",
    "Text-part": "Où ?",
    "Parts": [],
}


@pytest.mark.parametrize(
    ("provider", "data"),
    [("sparkpost", [{"msys": {"relay_message": RELAYED}}]), ("mailjet", SPLIT)],
)
def test_other_providers_are_accepted(client, provider, data):
    answer = post(client, provider, json.dumps(data), content_type="application/json")
    assert answer.status_code == 200
    row = InboundMailRow.objects.get()
    assert row.via == "webhook"
    assert row.recipients == ["play@example.org"]
    assert row.sender == "ann@there.example"


def test_a_wrong_secret_is_refused(client):
    assert postmark(client, secret="antipodes:wrong horse batteryyy").status_code == 400
    assert client.post(reverse("mail-webhook", args=["postmark"]), {}).status_code == 400
    assert not InboundMailRow.objects.exists()


def test_without_a_secret_there_are_no_webhooks(client, settings):
    settings.MAIL_WEBHOOK_SECRET = ""
    settings.ANYMAIL = {}
    assert postmark(client).status_code == 404


def test_an_unknown_provider_is_not_found(client):
    assert post(client, "unknown", {}).status_code == 404
    assert post(client, "__init__", {}).status_code == 404


@pytest.mark.parametrize("data", ["", "[]", "{", '{"RawEmail": 5}', '"x"', '{"Headers": 3}'])
def test_malformed_requests_are_refused(client, data):
    answer = post(client, "postmark", data, content_type="application/json")
    assert answer.status_code in {200, 400}
    assert not InboundMailRow.objects.exists()


def test_a_webhook_for_other_events_is_not_implemented(client):
    event = json.dumps({"RecordType": "Delivery"})
    answer = post(client, "postmark", event, content_type="application/json")
    assert answer.status_code == 501
    assert not InboundMailRow.objects.exists()


@pytest.mark.parametrize("provider", ["mailgun", "mailersend", "postal"])
def test_a_signing_provider_without_a_key_is_not_found(client, provider):
    assert provider not in webhooks.enabled_providers()
    assert post(client, provider, {"sender": "a@b.example"}).status_code == 404


def hmac_of(key, text):
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()


def signed_by_mailgun(key):
    signed = {"timestamp": "1", "token": "t", "signature": hmac_of(key, "1t")}
    sent = {"sender": "ann@there.example", "recipient": "play@example.org", "body-mime": MAIL}
    return {"data": signed | sent}


def signed_by_mailersend(key):
    mail = {
        "raw": MAIL,
        "sender": {"email": "ann@there.example"},
        "recipients": {"rcptTo": [{"email": "play@example.org"}]},
    }
    body = json.dumps({"type": "inbound.message", "data": mail})
    headers = {"HTTP_SIGNATURE": hmac_of(key, body)}
    return {"data": body, "content_type": "application/json", **headers}


@pytest.mark.parametrize(
    ("provider", "setting", "signed"),
    [
        ("mailgun", "MAILGUN_WEBHOOK_SIGNING_KEY", signed_by_mailgun),
        ("mailersend", "MAILERSEND_INBOUND_SECRET", signed_by_mailersend),
    ],
)
def test_signatures_of_providers_are_verified(client, settings, provider, setting, signed):
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET, setting: "right"}
    assert post(client, provider, **signed("wrong")).status_code == 400
    assert not InboundMailRow.objects.exists()
    assert post(client, provider, **signed("right")).status_code == 200
    row = InboundMailRow.objects.get()
    assert (row.recipients, row.sender) == (["play@example.org"], "ann@there.example")


def test_signatures_of_postal_are_verified(client, settings):
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    lines = key.public_key().public_bytes(serialization.Encoding.PEM, form).decode().split("\n")
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET, "POSTAL_WEBHOOK_KEY": "".join(lines[1:-2])}
    sent = {"mail_from": "ann@there.example", "rcpt_to": "play@example.org", "message": MAIL}
    body = json.dumps(sent)
    # Postal signs with SHA-1.
    signature = key.sign(body.encode(), padding.PKCS1v15(), hashes.SHA1())
    options = {"content_type": "application/json"}
    wrong = {"HTTP_X_POSTAL_SIGNATURE": base64.b64encode(b"wrong").decode()}
    assert post(client, "postal", body, **options, **wrong).status_code == 400
    right = {"HTTP_X_POSTAL_SIGNATURE": base64.b64encode(signature).decode()}
    assert post(client, "postal", body, **options, **right).status_code == 200
    assert InboundMailRow.objects.get().sender == "ann@there.example"


def test_a_provider_is_told_to_try_again_during_an_outage(client, monkeypatch):
    monkeypatch.setattr(webhooks, "accept", raising(TryAgainError))
    assert postmark(client).status_code == 503


def test_mail_for_other_addresses_is_ignored(client):
    event = json.dumps(
        {"RawEmail": "To: else@where.example\n\n", "OriginalRecipient": "q@r.example"}
    )
    answer = post(client, "postmark", event, content_type="application/json")
    assert answer.status_code == 200
    assert not InboundMailRow.objects.exists()


@pytest.mark.parametrize("charset", ["us-ascii", "no-such-charset"])
def test_a_mail_that_names_a_wrong_character_set_is_kept_as_it_is(charset):
    text = f'Subject: help\nContent-Type: text/plain; charset="{charset}"\n\nO\u00f9 ?\n'
    message = email.message_from_string(text)
    with pytest.raises((UnicodeError, LookupError)):
        message.as_bytes()
    assert webhooks._bytes_of(message) == text.encode()


def test_the_recipients_of_the_headers_count_if_the_envelope_has_none_of_the_site(client):
    event = json.dumps({"RawEmail": MAIL, "OriginalRecipient": "forwarder@r.example"})
    answer = post(client, "postmark", event, content_type="application/json")
    assert answer.status_code == 200
    row = InboundMailRow.objects.get()
    assert (row.recipients, row.sender) == (["play@example.org"], None)


def test_webhooks_are_posted(client):
    address = reverse("mail-webhook", args=["postmark"])
    assert client.get(address).status_code == 405


def test_an_outage_tells_when_to_try_again(client, monkeypatch):
    monkeypatch.setattr(webhooks, "accept", raising(TryAgainError))
    assert postmark(client).headers["Retry-After"] == "60"
