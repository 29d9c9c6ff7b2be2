"""All texts of one person that others read go through `passed_on`, which masks secrets.

The law walks the columns of all models. A new one that holds text fails it, until its row here says
what people write into it through `passed_on`, or why nothing of theirs gets there.
"""

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.db import models

from antipodes.games.registry import make_game
from antipodes.records import Record
from antipodes.web.accounts.models import ProfileRow
from antipodes.web.accounts.profile_services import change_profile
from antipodes.web.clubs import membership
from antipodes.web.clubs import services as clubs
from antipodes.web.clubs.models import ClubRow, Entry, MemberRow, PendingMemberRow
from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.reply_addresses import command_address, reply_address
from antipodes.web.matches import chat, open_chat
from antipodes.web.matches.models import ChatLine
from antipodes.web.matches.snapshots import look_up
from antipodes.web.moderation import reports
from antipodes.web.moderation import services as moderation
from antipodes.web.moderation.models import AuditRow, ReportRow, SanctionRow
from antipodes.web.moderation.moderators import MODERATORS
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.puzzles import services as puzzles
from antipodes.web.puzzles.models import PuzzleReportRow
from antipodes.web.studies import services as studies
from antipodes.web.studies.models import ChapterRow, EditRow, StudyRow
from antipodes.web.tournaments import changes, directing
from antipodes.web.tournaments.models import LogRow
from tests.web.chat_clients import lobby_chat
from tests.web.email_play.conftest import _receives_mail, by_mail, post, reachable, slow
from tests.web.notifications.conftest import _mail_is_sent
from tests.web.tournaments.conftest import event_of

__all__ = ["_mail_is_sent", "_receives_mail", "by_mail", "post", "reachable", "slow"]

pytestmark = pytest.mark.django_db

# Columns that others read, and the names of the tests below that write into them.
PASSED_ON = {
    "accounts.profilerow": {"about": "profile", "country": "profile", "languages": "profile"},
    "clubs.clubrow": {"name": "club", "description": "club", "slug": "club", "skeleton": "club"},
    "clubs.pendingmemberrow": {"message": "club"},
    "matches.chatline": {"text": "chat"},
    "moderation.reportrow": {"text": "report", "quote": "report"},
    "moderation.sanctionrow": {"reason": "sanction", "what": "sanction"},
    "notifications.emailrow": {"text": "mail", "html": "mail", "subject": "mail"},
    "notifications.notificationrow": {"arguments": "sanction"},
    "puzzles.puzzlereportrow": {"text": "puzzle"},
    "studies.studyrow": {"title": "study"},
    "studies.chapterrow": {"title": "study", "data": "study"},
    "studies.editrow": {"data": "study"},
    "tournaments.tournamentrow": {"title": "event", "description": "event"},
    "tournaments.logrow": {"reason": "event", "data": "event"},
}

# Columns without such texts, by the reason.
RULES = (
    "accounts.languagerow:code accounts.user:computer matches.matchrow:game_id,options,control,"
    "start,winner,reason,loser matches.seriesrow:game_id,options,control,sides,scores"
    " matches.eventrow:data ratings.poolrow:game_id,speed,board_class ratings.ratedmatch:sides"
    " archive.optionsetrow:game_id,key,options,board_class"
    " archive.bucketrow:speed,band,winner,reason archive.gamerow:opening"
    " archive.playerrow:color archive.recordrow:data archive.monthrow:month,sha256"
    " analysis.analysisrow:game_id,options,setup,moves,effort,found"
    " analysis.reviewrow:found,turns challenges.gamelimitrow:game_id"
    " challenges.challengerow:game_id,options,control,computers,speed,board_class,promised,start"
    " matchmaking.seekrow:game_id,board,control puzzles.puzzlerow:puzzle_id,game_id"
    " puzzles.solverrow:game_id puzzles.tryrow:puzzle_id,game_id puzzles.dailyrow:puzzle_id,"
    "game_id puzzles.puzzlefilerow:sha256 puzzles.judgementrow:puzzle_id,moves,found"
    " puzzles.mistakerow:game_id,options,setup,played,better,line courses.solvedsteprow:course,"
    "step tournaments.tournamentrow:format_name,rules,games,tie_breaks,game_id,options,openings,"
    "control,filler tournaments.logrow:kind tournaments.gamerow:other_points"
    " simuls.simulrow:game_id,options,control moderation.reportrow:place"
    " email_play.puzzlethreadrow:puzzle_id,moves,waiting email_play.seekalertrow:game_id"
    " email_play.mailthreadrow:draft"
)
OWN = (
    "matches.viewerstaterow:notes accounts.user:password,first_name,last_name,email"
    " accounts.apitokenrow:name,digest,ending,scopes email_play.mailtokenrow:name,digest,ending"
    " email_play.confirmationrow:name,address notifications.preferencerow:choices,zone,language,"
    "reminders notifications.pushsubscriptionrow:endpoint,p256dh,auth,browser"
)
NAMES = "accounts.user:username,skeleton archive.namerow:name"
SITE = (
    "platform.processrow:name,host,online platform.lockrow:name,holder"
    " platform.secretrow:name,value jobs.jobrow:key,client jobs.clientrow:network,wider"
    " clubs.invitelinkrow:token"
    " matches.matchrow:slug matches.seriesrow:slug matches.chatline:key,slug"
    " analysis.analysisrow:slug"
    " challenges.challengerow:slug notifications.notificationrow:path,key"
    " notifications.emailrow:key,to,headers,message_id,thread,claim,trouble"
    " notifications.attachmentrow:cid,name,type,drawing notifications.undeliverableaddressrow:"
    "address,failures notifications.cursorrow:name matchmaking.seekrow:slug studies.studyrow:slug"
    " studies.chapterrow:game_id studies.editrow:key studies.commentauthorrow:place"
    " tournaments.tournamentrow:slug simuls.simulrow:slug"
    " email_play.inboundmailrow:key,sender,recipients,via"
)
AUDIT = "moderation.auditrow:by_name,act,about_name,what,reason"
NOTHING_PASSED_ON = {
    "moves and settings, checked as such": RULES,
    "only the owner reads it": OWN,
    "a name with an alphabet of its own": NAMES,
    "written by the site": SITE,
    "only moderators read it, and its texts were masked before": AUDIT,
}


def columns(rows):
    """Return the columns that a reason lists."""
    parts = (part.partition(":") for part in rows.split(" "))
    return {f"{model}.{name}" for model, _, names in parts for name in names.split(",")}


def test_every_column_with_text_is_masked_or_says_why_not():
    found = {
        f"{model._meta.label_lower}.{field.name}"
        for model in apps.get_models()
        if model.__module__.startswith("antipodes.")
        for field in model._meta.get_fields()
        if isinstance(field, models.CharField | models.TextField | models.JSONField)
        and not getattr(field, "choices", None)
    }
    listed = [f"{model}.{name}" for model, names in PASSED_ON.items() for name in names]
    for rows in NOTHING_PASSED_ON.values():
        listed += columns(rows)
    assert len(listed) == len(set(listed))
    assert found - set(listed) == set()
    assert set(listed) - found == set()
    tests = {name for names in PASSED_ON.values() for name in names.values()}
    assert all(f"test_{name}_masks_secrets" in globals() for name in tests)


@pytest.fixture
def secret(by_mail, slow):
    """A text with a token, a personal address and the mail address of ann."""
    ann, row = by_mail[0], slow()
    token = mail_tokens.make_token(ann, "phone")
    return f"{token} {reply_address(ann, row)} ann@example.org"


@pytest.fixture
def assert_masked(secret):
    """A function that asserts that columns of a model hold masks and no secret."""

    def check(model, *names):
        texts = [str(getattr(row, name)) for row in model.objects.all() for name in names]
        for text in texts:
            for word in secret.split():
                assert word not in text
        assert sum("*** *** ***" in text for text in texts) >= len(names)
        assert NotificationRow.objects.filter(kind="secrets", user__username="ann").exists()

    return check


def test_profile_masks_secrets(people, secret, assert_masked):
    short = secret.split()[0]
    change_profile(people[0], {"about": secret, "country": short, "languages": short})
    assert_masked(ProfileRow, "about")
    row = ProfileRow.objects.get(user=people[0])
    assert (row.country, row.languages) == ("***", "***")


def test_club_masks_secrets(ann, bob, secret, assert_masked):
    token = secret.split()[0]
    details = clubs.ClubDetails(name=f"Club {token}", description=secret, entry=Entry.REQUEST)
    club = clubs.create_club(ann, details)
    assert (club.name, club.slug) == ("Club ***", "club")
    assert_masked(ClubRow, "description")
    MemberRow.objects.filter(club=club).update(user=bob)
    membership.ask(club, ann, secret)
    assert_masked(PendingMemberRow, "message")


def test_chat_masks_secrets(people, secret, assert_masked, settings, slow):
    settings.LOBBY_CHAT = True
    chat.say(look_up(slow().slug), people[0], {"key": "a", "text": secret})
    open_chat.say(lobby_chat(), people[0], {"key": "b", "text": secret})
    assert ChatLine.objects.count() == 2
    assert_masked(ChatLine, "text")


def test_report_masks_secrets(people, secret, assert_masked):
    reports.report(people[0], people[1], "other", secret)
    assert_masked(ReportRow, "text")


def test_sanction_masks_secrets(people, ann, secret, assert_masked):
    ann.groups.add(Group.objects.get(name=MODERATORS))
    sanction = moderation.mute(ann, people[1], 1, secret)
    assert_masked(SanctionRow, "reason")
    moderation.lift(ann, sanction, secret)
    assert NotificationRow.objects.filter(kind="moderation").count() == 2
    assert_masked(NotificationRow, "arguments")
    assert_masked(AuditRow, "reason")


def test_puzzle_masks_secrets(people, secret, assert_masked, puzzle):
    puzzles.solution(people[0], puzzle)
    puzzles.report(people[0], puzzle, "other", secret)
    assert_masked(PuzzleReportRow, "text")


def test_study_masks_secrets(ann, secret, assert_masked):
    record = Record(make_game("hex", {"size": 4, "swap": "off"}))
    record.comment = record.event = secret
    record.root.add(0).comment = secret
    record.root.extra = {"sgf": {"GC": [secret]}}
    title = secret.split()[0]
    study = studies.create_study(ann, title, "private", record, title)
    chapter = studies.add_chapter(study, ann, title, record)
    for model in (StudyRow, ChapterRow):
        assert {row.title for row in model.objects.all()} == {"***"}
    assert_masked(ChapterRow, "data")
    edit = {"kind": "comment", "path": [], "text": secret, "before": ""}
    studies.edit_chapter(study.slug, chapter.number, ann, "key", edit)
    assert_masked(EditRow, "data")
    studies.rename_chapter(chapter, ann, title)
    studies.change_study(study, ann, title, "private")
    for model in (StudyRow, ChapterRow):
        assert {row.title for row in model.objects.all()} == {"***"}


def test_event_masks_secrets(people, secret, assert_masked):
    ann, title = people[0], secret.split()[0]
    row = event_of(ann, title=title, description=secret)
    assert row.title == "***"
    wanted = {"title": f"{title} {title}", "description": f"{secret} now"}
    changes.change(row.pk, ann, wanted)
    row.refresh_from_db()
    assert row.title == "*** ***"
    assert_masked(type(row), "description")
    directing.cancel(row.pk, ann, secret)
    assert_masked(LogRow, "reason")
    [changed] = LogRow.objects.filter(kind="changed")
    assert changed.data["changed"]["title"] == "*** ***"


def test_mail_masks_secrets(by_mail, ann, secret, post, slow):
    token = mail_tokens.make_token(ann, "pad")
    row = slow()
    post.reply(ann, row, f"a1\n{secret}")
    [line] = ChatLine.objects.all()
    assert line.text == "*** *** ***"
    elsewhere, text = "another@mail.example", f"{secret}\nanother@mail.example"
    letters = post.send(elsewhere, command_address(), f"message ann {token} bob", text)
    letters += post.send(ann, command_address(), f"hex challenge ann {token} bob", secret)
    letters += post.send(
        ann, command_address(), "multiple", f"message ann {token} bob\nend\n{secret} {token}"
    )
    letters += post.notifications()
    to_bob = [one for one in letters if one.to == "bob@example.org"]
    assert len(to_bob) >= 4
    for letter in to_bob:
        text = f"{letter.subject}\n{letter.text}\n{letter.html}"
        for word in [*secret.split(), token, "another@mail.example"]:
            assert word not in text
    assert sum("*** *** ***" in one.text for one in to_bob) == len(to_bob)
    to_ann = [one for one in letters if one.to == "ann@example.org"]
    told = "In what you wrote to others, *** stands for a token"
    assert sum(told in " ".join(one.text.split()) for one in to_ann) == 3
