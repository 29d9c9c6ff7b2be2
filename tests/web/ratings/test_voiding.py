"""Voided and restored ratings of matches."""

import pytest
from django.urls import reverse

from antipodes.errors import InputError
from antipodes.web.accounts.models import User
from antipodes.web.archive.services import archive_match
from antipodes.web.moderation import reports
from antipodes.web.moderation import services as moderation
from antipodes.web.moderation.models import AuditRow, ReportRow, SanctionRow
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.selectors import line_of
from antipodes.web.ratings import services, voiding
from antipodes.web.ratings.models import PoolRow, RatingChange, RatingRow, Unrated
from antipodes.web.ratings.pool_ratings import PoolRatings
from tests.raising import raising
from tests.thorough import sample

LONG_AGO = 1_700_000_000_000
DAY = 86_400_000


def ratings():
    """Return all ratings with games, and all changes, for comparison."""
    columns = ("user", "pool", "value", "deviation", "volatility", "games", "latest")
    changes = ("match", "user", "at", "value_before", "value", "deviation", "games")
    return (
        sorted(RatingRow.objects.filter(games__gt=0).values_list(*columns)),
        sorted(RatingChange.objects.values_list(*changes)),
    )


@pytest.fixture
def season(play, people):
    """Play games of four people, some of which end at the same time."""
    pairs = [(0, 1), (1, 2), (0, 3), (2, 3), (0, 1), (1, 3)]
    return [
        play(number % 2, by=[people[a], people[b]], at=LONG_AGO + number // 2 * DAY)
        for number, (a, b) in enumerate(pairs)
    ]


@pytest.mark.parametrize("which", sample(range(6), 3))
def test_ratings_are_as_if_a_voided_game_had_not_been_rated(season, which):
    rest = [row for number, row in enumerate(season) if number != which]
    for row in rest:
        services.rate(row)
    expected = ratings()
    services.rate(season[which])
    assert ratings() != expected
    voiding.void(season[which])
    voiding.apply_marks()
    assert ratings() == expected
    voiding.apply_marks()
    services.rate_all()
    assert ratings() == expected
    services.recalculate()
    assert ratings() == expected


def test_several_games_are_voided_together_and_restored(season):
    services.rate_all()
    before = ratings()
    for row in season[1:4]:
        voiding.void(row)
    voiding.apply_marks()
    assert RatingChange.objects.count() == 6
    for row in season[1:4]:
        voiding.restore(row)
    voiding.apply_marks()
    assert ratings() == before
    assert not Unrated.objects.exists()


def test_a_game_voided_before_it_was_rated_is_never_rated(play):
    row = play(at=LONG_AGO)
    voiding.void(row)
    services.rate(row)
    services.rate_all()
    assert not RatingChange.objects.exists()


def test_games_that_are_not_rated_cannot_be_voided(play):
    casual, running = play(rated=False), play(loser=None)
    unrated = play(loser=1, moves=False)
    services.rate(unrated)
    voided = play()
    voiding.void(voided)
    for row in (casual, running, unrated, voided):
        with pytest.raises(InputError) as refused:
            voiding.void(row)
        assert refused.value.code == "moderation/not-rated"
        assert row.slug in str(refused.value)
    assert Unrated.objects.get(match=unrated).reason == Unrated.Reason.NOT_BEGUN


def test_players_are_notified_with_the_reason_and_the_action_is_logged(
    play, people, moderator, client
):
    row = play(at=LONG_AGO)
    services.rate(row)
    moderation.void_ratings(moderator, row, " help by a program ")
    assert {one.user for one in SanctionRow.objects.all()} == set(people[:2])
    entries = AuditRow.objects.all()
    assert {(one.act, one.by_name, one.about_name, one.reason) for one in entries} == {
        ("void", "mod", name, "help by a program") for name in ("ann", "bob")
    }
    assert all(row.slug in one.what for one in entries)
    for user in people[:2]:
        (notice,) = NotificationRow.objects.filter(user=user)
        words = line_of(notice).words
        assert words.endswith("made one of your rated games casual: help by a program")
        client.force_login(user)
        page = client.get(reverse("sanctions")).content.decode()
        assert "help by a program" in page
        assert reverse("match", args=[row.slug]) in page


def test_the_match_page_and_the_archive_mark_a_voided_game(play, moderator, client):
    row = play(at=LONG_AGO)
    services.rate(row)
    archive_match(row)
    ratings_of_match = reverse("match-ratings", args=[row.slug])
    assert client.get(ratings_of_match).json()["why"] is None
    moderation.void_ratings(moderator, row, "a reason")
    view = client.get(ratings_of_match).json()
    assert view["isDone"]
    assert view["why"] == "Moderators have voided the rating of this game."
    assert not any("gain" in seat for seat in view["seats"])
    assert "rating voided" in client.get("/games/").content.decode()
    (game,) = client.get("/api/v1/games-played").json()["games"]
    assert (game["rated"], game["voided"]) == (True, True)


def test_lifting_a_void_restores_the_ratings_of_all_players(play, people, moderator, client):
    row = play(at=LONG_AGO)
    services.rate(row)
    before = ratings()
    sanction = moderation.void_ratings(moderator, row, "a mistake")[0]
    voiding.apply_marks()
    client.force_login(moderator)
    lift = reverse("admin:moderation_sanctionrow_lift", args=[sanction.pk])
    assert client.post(lift, {"reason": "it was another game"}).status_code == 302
    assert not any(one.is_in_force for one in SanctionRow.objects.all())
    assert not client.get(reverse("match-ratings", args=[row.slug])).json()["isDone"]
    voiding.apply_marks()
    assert ratings() == before
    for user in people[:2]:
        words = [line_of(one).words for one in NotificationRow.objects.filter(user=user)]
        assert any("made one of your games rated again" in one for one in words)
    assert "no longer in force" in client.post(lift, {"reason": "again"}).content.decode()


def test_moderators_cannot_void_games_of_themselves_or_of_staff(play, people, moderator, root):
    own = play(by=[moderator, people[0]])
    other = User.objects.create(username="mod2", is_staff=True)
    of_staff = play(by=[other, people[0]])
    for row in (own, of_staff):
        with pytest.raises(InputError) as refused:
            moderation.void_ratings(moderator, row, "a reason")
        assert refused.value.code == "moderation/not-allowed"
    with pytest.raises(InputError):
        moderation.void_ratings(people[1], play(), "a reason")
    assert not Unrated.objects.exists()
    moderation.void_ratings(root, of_staff, "a reason")
    assert voiding.is_voided(of_staff)


def test_voiding_requires_a_reason(play, moderator, client):
    row = play()
    client.force_login(moderator)
    page = reverse("admin:matches_matchrow_void", args=[row.pk])
    assert "required" in client.post(page, {"reason": " "}).content.decode()
    assert not voiding.is_voided(row)
    assert not AuditRow.objects.exists()


def test_moderators_can_void_a_game_on_its_admin_page(play, moderator, client):
    row = play()
    client.force_login(moderator)
    page = reverse("admin:matches_matchrow_void", args=[row.pk])
    shown = reverse("admin:matches_matchrow_change", args=[row.pk])
    assert page in client.get(shown).content.decode()
    assert row.slug in client.get(page).content.decode()
    assert client.post(page, {"reason": "help by a program"}).status_code == 302
    assert voiding.is_voided(row)
    text = client.get(shown).content.decode()
    assert page not in text
    assert "Moderators have voided the rating" in text
    again = client.post(page, {"reason": "again"}).content.decode()
    assert "is not rated" in again
    missing = reverse("admin:matches_matchrow_void", args=[999_999])
    assert client.get(missing).status_code == 404


def test_only_a_voided_game_is_restored(play):
    row = play()
    with pytest.raises(InputError, match="has not been voided"):
        voiding.restore(row)
    voiding.void(row)
    voiding.restore(row)
    with pytest.raises(InputError, match="has not been voided"):
        voiding.restore(row)


def test_moderators_can_void_a_reported_game(play, people, moderator, client):
    row = play()
    report = reports.report(people[0], people[1], "cheating", match=row)
    client.force_login(moderator)
    page = reverse("admin:moderation_reportrow_change", args=[report.pk])
    assert 'value="void"' in client.get(page).content.decode()
    assert client.post(page, {"action": "void", "reason": "confirmed"}).status_code == 302
    report.refresh_from_db()
    assert report.state == ReportRow.State.ACTED
    assert voiding.is_voided(row)
    assert 'value="void"' not in client.get(page).content.decode()


def test_a_pool_whose_voided_matches_are_undone_already_stays(season):
    for row in season:
        services.rate(row)
    before = ratings()
    for pool in PoolRow.objects.all():
        voiding._undo_voided(pool)
    assert ratings() == before


def test_an_interrupted_undoing_changes_nothing(season, monkeypatch):
    services.rate_all()
    voiding.void(season[1])
    before = ratings()

    monkeypatch.setattr(PoolRatings, "save", raising(OSError("interrupted")))
    with pytest.raises(OSError, match="interrupted"):
        voiding.apply_marks()
    assert ratings() == before
