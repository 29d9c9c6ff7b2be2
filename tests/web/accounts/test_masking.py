"""Secrets in what a person writes to others."""

import json
import re

import pytest
from allauth.account.models import EmailAddress
from django.urls import get_resolver, reverse

from antipodes.games.registry import make_game
from antipodes.records import Record
from antipodes.records.texts import MAX_DEPTH
from antipodes.web.accounts import api_tokens
from antipodes.web.accounts.masking import (
    SECRET_PAGES,
    SecretKind,
    mask,
    passed_on,
    passed_on_json,
    passed_on_parts,
    told,
)
from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.commands.emails import confirmation_address
from antipodes.web.email_play.models import ConfirmationRow
from antipodes.web.email_play.reply_addresses import command_address, reply_address
from antipodes.web.notifications.messages import text_of
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.preferences import token_for
from antipodes.web.studies.chapters import record_text

pytestmark = pytest.mark.django_db


def url_patterns(resolver):
    """Return the name of each URL and its pattern."""
    for one in resolver.url_patterns:
        if hasattr(one, "url_patterns"):
            yield from url_patterns(one)
        else:
            yield one.name, str(one.pattern)


@pytest.fixture(autouse=True)
def _receives_mail(settings):
    settings.MAIL_HOST = "play.example"
    settings.DEFAULT_FROM_EMAIL = "Antipodes <post@club.example>"


@pytest.fixture
def secrets(people, begin):
    """Real secrets of ann, by their kinds."""
    ann, row = people[0], begin()
    EmailAddress.objects.create(user=ann, email="Ann.Lee@home.example", verified=False)
    question = ConfirmationRow.objects.create(kind="message", user=ann, made_at=0, expires_at=1)
    reply = reply_address(ann, row)
    return {
        SecretKind.TOKEN: [
            mail_tokens.make_token(ann, "phone"),
            mail_tokens.make_token(ann, "pad").upper(),
            api_tokens.KIND.make(ann, "bot", scopes=[])[1],
        ],
        SecretKind.LINK: [
            "https://antipodes.example/accounts/confirm-email/MQ:1tK9xQ:abc-_d/",
            "https://antipodes.example/accounts/password/reset/key/1-c9abcd-0123456789ab/",
            "https://antipodes.example" + reverse("unsubscribe", args=[token_for(ann)]),
        ],
        SecretKind.SITE_ADDRESS: [
            reply,
            reply.upper(),
            reply.replace("+", "%2B").replace("@", "%40"),
            f"mailto:{reply}",
            reply.partition("@")[0],
            confirmation_address(question),
            command_address(),
            "play+b-abcdefgh234567abcdefgh@play.example",
            "post@club.example",
        ],
        SecretKind.OWN_ADDRESS: ["ann.lee@HOME.example", "ann.lee+games@home.example"],
    }


def test_every_kind_of_secret_is_masked_in_every_surrounding(secrets):
    surroundings = ["{}", "see {}.", "<{}>", "a\n> {}\nb", '"{}", ok', "({})"]
    for kind, texts in secrets.items():
        for secret in texts:
            for around in surroundings:
                found = mask(around.format(secret), {"Ann.Lee@home.example"})
                assert found.kinds == {kind}, secret
                assert "***" in found.text
                assert secret[-25:].lower() not in found.text.lower()


def test_what_is_no_secret_stays():
    texts = [
        "d4 was good, and b2-c3; mt-everest is 8849 m",
        "write to bob@home.example or to carl@play.example.org",
        "displayer@play.example is no address of the site",
        "https://antipodes.example/m/Ab3_x-9Z/ and https://antipodes.example/clubs/join/Ab3/",
        "https://antipodes.example/accounts/tokens/",
        "Ann.Lee@home.example.org, joann.lee@home.example",
    ]
    for text in texts:
        assert mask(text, {"ann.lee@home.example"}).text == text


def test_invisible_characters_hide_no_secret(people, secrets):
    address = secrets[SecretKind.SITE_ADDRESS][0]
    torn = "\u200b".join([address[:12], address[12:]])
    assert passed_on(people[0], f"see {torn}") == "see ***"


def test_the_author_is_told_once(people, secrets):
    address, token = secrets[SecretKind.SITE_ADDRESS][0], secrets[SecretKind.TOKEN][0]
    for _ in range(3):
        passed_on(people[0], f"{address} {token}")
    [row] = NotificationRow.objects.filter(kind="secrets")
    assert row.user == people[0]
    assert text_of(row) == told(["site-address", "token"])
    assert text_of(row) == (
        "In what you wrote to others, *** stands for a token, an address of this site."
    )


def test_the_author_is_told_of_another_kind_in_the_same_minute(people, secrets):
    for kind in (SecretKind.TOKEN, SecretKind.LINK, SecretKind.TOKEN):
        passed_on(people[0], secrets[kind][0])
    rows = NotificationRow.objects.filter(kind="secrets").order_by("pk")
    assert [row.arguments["masked"] for row in rows] == ["token", "link"]


def test_only_texts_with_addresses_cost_a_query(ann, secrets, django_assert_num_queries):
    with django_assert_num_queries(1):  # whether she may speak
        assert passed_on_parts(ann, ["good game", "mt-everest", ""] * 50)
    with django_assert_num_queries(2):
        assert passed_on_parts(ann, ["bob@home.example", "hi"]) == ["bob@home.example", "hi"]


def test_texts_in_json_are_masked_at_every_depth(people, secrets):
    token = secrets[SecretKind.TOKEN][0]
    text = f'{{"a": [1, {{"b": "x\\n{token}"}}], "c": "d4"}}'
    assert passed_on_json(people[0], text) == '{"a": [1, {"b": "x\\n***"}], "c": "d4"}'
    same = '{"a":[1,{"b":"x"}]}'
    assert passed_on_json(people[0], same) is same


def test_the_deepest_records_are_masked(people, secrets):
    """Neither a long game nor data at the greatest depth meets a limit of recursion."""
    record = Record(make_game("hex", {"size": 26, "swap": "off"}))
    node = record.root
    for move in range(600):
        node = node.add(move)
    node.comment = token = secrets[SecretKind.TOKEN][0]
    nested: object = token
    for _ in range(MAX_DEPTH - 2):
        nested = [nested]
    record.extra = {"x": nested}
    text = record_text(record)
    masked = passed_on_json(people[0], text)
    assert text.count(token) == 2
    assert json.loads(masked) == json.loads(text.replace(token, "***"))


def test_pages_with_a_key_in_their_url_are_secret_or_say_why_not():
    """The law walks all URLs: what a key in a URL can do must not be passed on."""
    meant_for_others = {"club-link", "use_club_link", "revoke_club_link"}
    key = re.compile(r"<(?:(?!int)\w+:)?(?:key|token|secret|signature|code)>")
    found = {name for name, path in url_patterns(get_resolver()) if key.search(path)}
    assert found == {*SECRET_PAGES, *meant_for_others}
