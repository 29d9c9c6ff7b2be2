"""Laws of what stays of mail: little, and nothing when somebody leaves."""

import json

import pytest

from antipodes.web.mailroom import tokens
from antipodes.web.mailroom.addresses import reply_address, who_is
from antipodes.web.mailroom.models import ArrivalRow, ByMailRow, FolderRow, MailTokenRow
from antipodes.web.people.farewell import say_farewell
from antipodes.web.people.own_data import own_data

pytestmark = pytest.mark.django_db


def test_nothing_of_ones_mail_stays_when_somebody_leaves(post, people, slow, by_mail):
    row = slow()
    ann = people[0]
    token = tokens.make_token(ann, "mutt")
    address = reply_address(ann, row)
    post.reply(ann, row, "submit f4\n\nHello")
    say_farewell(ann)
    for table in (ByMailRow, FolderRow, MailTokenRow):
        assert not table.objects.filter(user=ann).exists()
    assert tokens.user_of(token) is None
    assert who_is(address) is None
    kept = [str(one) for one in ArrivalRow.objects.values()]
    assert kept
    assert all("example.org" not in one and "Hello" not in one for one in kept)


def test_what_is_kept_of_mail_can_be_taken_along_without_its_secrets(post, people, slow, by_mail):
    token = tokens.make_token(people[0], "mutt")
    post.reply(people[0], slow(), "submit f4")
    text = "".join(own_data(people[0], lambda row: row.slug))
    rows = json.loads(text)["rows"]
    assert rows["mailroom.mailtokenrow"][0]["name"] == "mutt"
    assert rows["mailroom.folderrow"][0]["draft_ply"] == 0
    assert rows["mailroom.bymailrow"][0]["is_on"] is True
    assert token not in text
    assert "digest" not in rows["mailroom.mailtokenrow"][0]
