"""Tournaments: the form and the pages of events of every format, for every window."""

import pytest
from playwright.sync_api import expect

from antipodes.tournaments import FORMATS
from tests.browser.accounts import sign_up

# Events of one format: before its start, in the middle, and over.
MAKE = """
import random
from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.tournaments import make_format
from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow, MemberRow
from antipodes.web.tournaments import directing, progress, services
from antipodes.web.tournaments.models import TournamentRow
from antipodes.web.tournaments.plans import Plan

rng = random.Random(1)
host, _ = User.objects.get_or_create(username=host_name)
names = ["ada", "bela", "cem", "dora", "emil", "fay", "gus", "hana", "ivo", "jo", "kai"]
players = [User.objects.get_or_create(username=f"{one}-{name}")[0] for one in names]
clubs = {}
if make_format(name).has_teams:
    home = ClubRow.objects.create(slug="home-team", name="The Home Team", made_at=0)
    guests = ClubRow.objects.create(slug="guest-team", name="The Guest Team", made_at=0)
    clubs = {"club": home, "guest_club": guests}
    MemberRow.objects.create(club=home, user=host, since=0)
    for at, user in enumerate(players):
        MemberRow.objects.create(club=guests if at % 2 else home, user=user, since=0)
clock = read_control("3d/move+10d" if make_format(name).is_live is False else "5m+5s")
slugs = []
for title, rounds in (("Before", 0), ("Middle", 3), ("Over", 99)):
    if 2 in make_format(name).seats:
        game = make_game("hex", {"size": 3, "swap": "off"})
    else:
        game = make_game("antipalos", {"seats": "cutthroat3", "size": 12})
    plan = Plan(title=f"{title} {name}", format=make_format(name), game=game,
                control=clock, description="For all who like it.", **clubs)
    row = services.create_tournament(host, plan)
    slugs.append(row.slug)
    for user in players:
        services.join(row.pk, user)
    if not rounds:
        continue
    TournamentRow.objects.filter(pk=row.pk).update(repeats="weekly")
    directing.start(row.pk, host)
    if name == "ladder":
        while progress.step(row.pk):
            pass
        services.challenge(row.pk, players[4], players[3].username)
        if title == "Over":
            directing.finish(row.pk, host)
    for step in range(60):
        while progress.step(row.pk):
            pass
        row.refresh_from_db()
        if row.is_over or row.round >= rounds or (row.is_continuous and step > 2):
            break
        for one in row.pairings.filter(first_points=None):
            winner = rng.randrange(len(one.players))
            one.points = [float(seat == winner) for seat in range(len(one.players))]
            one.save()
report(slugs)
"""

# A tie of four players for the first place, whose playoff has begun.
PLAYOFF = """
from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.tournaments import TieBreak, make_format
from antipodes.web.accounts.models import User
from antipodes.web.tournaments import directing, progress, services
from antipodes.web.tournaments.plans import Plan

host = User.objects.create(username="host-of-playoff")
plan = Plan(title="A playoff", format=make_format("swiss", {"rounds": 1}),
            game=make_game("hex", {"size": 3}), control=read_control("5m+5s"),
            tie_breaks=(TieBreak.PLAYOFF,))
row = services.create_tournament(host, plan)
for name in ("ada", "bela", "cem", "dora"):
    services.join(row.pk, User.objects.create(username=f"{name}-of-playoff"))
directing.start(row.pk, host)
for results in (["draw", "draw"], ["1-0"]):
    while progress.step(row.pk):
        pass
    row.refresh_from_db()
    for table, result in enumerate(results, start=1):
        directing.adjudicate(row.pk, host, row.round, table, result, "agreed")
while progress.step(row.pk):
    pass
report(row.slug)
"""

# An event of mirrored games with fair openings that has begun, and the first of its games.
OPENINGS = """
from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.tournaments import make_bout, make_format
from antipodes.web.accounts.models import User
from antipodes.web.tournaments import directing, progress, services
from antipodes.web.tournaments.models import GameRow
from antipodes.web.tournaments.plans import Plan

host = User.objects.create(username="host-of-openings")
plan = Plan(title="Fair openings", format=make_format("round-robin"), bout=make_bout("pair"),
            game=make_game("hex", {"size": 11, "swap": "off"}), openings="fair",
            control=read_control("5m+5s"))
row = services.create_tournament(host, plan)
for name in ("ada", "bela", "cem", "dora"):
    services.join(row.pk, User.objects.create(username=f"{name}-of-openings"))
directing.start(row.pk, host)
while progress.step(row.pk):
    pass
game = GameRow.objects.filter(pairing__tournament=row).select_related("match").first()
report([row.slug, game.match.slug, row.openings[0]])
"""


def test_the_openings_of_an_event_are_shown_by_the_form_the_event_and_its_games(window, site):
    slug, match, opening = site.ask(OPENINGS)
    for kind in ("desktop", "dark", "phone"):
        player = window(site, kind)
        player.open("/tournaments/new/?game=hex&format=swiss")
        player.page.locator("summary", has_text="Openings").click()
        player.page.get_by_label("Games begin").select_option("own")
        player.page.get_by_label("Your openings").fill("c2 d4\ne3\nf4 swap-pieces")
        player.check_accessibility()
        player.picture(f"openings-form-{kind}")
        player.open(f"/tournament/{slug}/")
        player.says(f"Opening: {opening}")
        player.check_accessibility()
        player.picture(f"openings-event-{kind}")
        player.open(f"/m/{match}/")
        player.says(f"opening {opening}")
        assert "given" in player.page.locator(".moves li").first.inner_text()
        player.check_accessibility()
        player.picture(f"openings-match-{kind}")


def test_the_page_of_a_playoff_is_accessible(window, site):
    slug = site.ask(PLAYOFF)
    for kind in ("desktop", "dark", "phone"):
        player = window(site, kind)
        player.open(f"/tournament/{slug}/")
        player.says("Playoff")
        player.check_accessibility()
        player.picture(f"tournament-playoff-{kind}")


@pytest.mark.parametrize("name", FORMATS)
def test_pages_of_every_format_are_accessible(window, site, name):
    slugs = site.ask(MAKE, name=name, host_name=f"host-{name}")
    for kind in ("desktop", "dark", "phone"):
        player = window(site, kind)
        for slug, stage in zip(slugs, ("before", "middle", "over"), strict=True):
            player.open(f"/tournament/{slug}/")
            player.check_accessibility()
            player.picture(f"tournament-{name}-{stage}-{kind}")


def test_a_host_chooses_a_format_and_makes_a_tournament(window, site, worker_id):
    host, phone = window(site), window(site, "phone")
    sign_up(host, f"directors-{worker_id}")
    for player in (host, phone):
        player.open("/tournaments/new/")
        player.page.get_by_role("navigation", name="Format").get_by_role("link").nth(2).click()
        player.check_accessibility()
        player.picture(f"tournament-new-{player.page.viewport_size['width']}")
    _, _, slug = site.ask(MAKE, name="round-robin", host_name=f"directors-{worker_id}")
    for path in (f"/tournament/{slug}/season/", "/tournaments/hosted/", f"/tournament/{slug}/"):
        host.open(path)
        host.check_accessibility()
        host.picture(f"tournament-host-{path.strip('/').split('/')[-1]}")
    for path in (f"/tournament/{slug}/season/", f"/tournament/{slug}/embed/"):
        phone.open(path)
        phone.check_accessibility()
        phone.picture(f"tournament-phone-{path.strip('/').split('/')[-1]}")
    _, slug, _ = site.ask(MAKE, name="ladder", host_name=f"directors-{worker_id}")
    host.open(f"/tournament/{slug}/")
    host.press("Join")
    host.says("You have joined the tournament.")
    host.check_accessibility()
    host.picture("tournament-ladder-player")
    host.page.get_by_role("region", name="Challenge").get_by_role("button").first.click()
    host.says("You have challenged")
    host.open("/tournaments/new/?format=knockout")
    host.page.get_by_label("Title").fill("Cup of the club")
    host.press("Make tournament")
    host.page.wait_for_url("**/tournament/*/")
    host.says("Knockout")


def test_the_controls_of_a_director_follow_the_event(window, site, worker_id):
    host = window(site)
    sign_up(host, f"host-{worker_id}")
    host.open("/tournaments/new/?format=knockout&game=hex")
    host.page.get_by_label("Title").fill("Cup of computers")
    host.press("Make tournament")
    host.says("starts when the host begins")
    for level in ("1", "2"):
        host.page.get_by_text("Let the computer play").click()
        host.page.get_by_label("Level of the computer").select_option(level)
        host.press("Add")
        host.says("The computer has joined the tournament.")
    host.page.get_by_text("Change title, description or start").click()
    host.page.get_by_label("Title").fill("Cup of two computers")
    host.press("Save changes")
    host.says("The tournament is changed, and its players are notified.")
    other = host.page.context.new_page()
    other.goto(host.page.url)
    other.get_by_role("button", name="Start now").click()
    expect(host.button("Pause")).to_be_visible()
    expect(host.button("Start now")).to_have_count(0)
    expect(host.page.get_by_text("Decide a pairing")).to_be_visible()
    host.check_accessibility()
    host.picture("tournament-director")


# A live event of two rounds for a signed-in player and an opponent, whose first game has begun.
LIVE = """
from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.tournaments import make_format
from antipodes.web.accounts.models import User
from antipodes.web.tournaments import directing, progress, services
from antipodes.web.tournaments.models import GameRow
from antipodes.web.tournaments.plans import Plan

host, player = User.objects.create(username=f"host-{name}"), User.objects.get(username=name)
plan = Plan(title="Two rounds", format=make_format("round-robin", {"cycles": 2}),
            game=make_game("hex", {"size": 3, "swap": "off"}), control=read_control("5m+5s"))
row = services.create_tournament(host, plan)
for user in (player, User.objects.create(username=f"other-{name}")):
    services.join(row.pk, user)
directing.start(row.pk, host)
while progress.step(row.pk):
    pass
report([row.pk, GameRow.objects.get(pairing__tournament=row).match.slug])
"""

# Ends the first game of an event.
END = """
from antipodes.match import Play, Resign
from antipodes.web.matches.services import carry_out
from antipodes.web.tournaments.models import GameRow

game = GameRow.objects.get(pairing__tournament=key)
for ply in range(2):
    match = game.match.match()
    seat, move = match.seat_to_move, min(match.position.legal_moves)
    carry_out(game.match.slug, Play(seat=seat, ply=ply, key=f"{key} {ply}", move=move))
    game.match.refresh_from_db()
carry_out(game.match.slug, Resign(seat=0, ply=2, key=f"over {key}"))
report(None)
"""

# Begins the next game of an event.
GO_ON = """
from antipodes.web.tournaments import progress
from antipodes.web.tournaments.models import GameRow

while progress.step(key):
    pass
report(GameRow.objects.filter(pairing__tournament=key).order_by("pk").last().match.slug)
"""


def test_a_player_goes_back_to_the_tournament_and_on_to_the_next_game(window, site, worker_id):
    name = f"live-{worker_id}"
    player = window(site)
    sign_up(player, name)
    key, first = site.ask(LIVE, name=name)
    player.open(f"/m/{first}/")
    site.ask(END, key=key)
    actions = player.page.locator(".actions > .buttons")
    expect(actions.get_by_role("link", name="Back to tournament")).to_be_visible()
    expect(player.button("Offer rematch")).to_be_hidden()
    expect(actions.get_by_role("link", name="New opponent")).to_be_hidden()
    player.check_accessibility()
    player.picture("tournament-match-over")
    second = site.ask(GO_ON, key=key)
    player.page.get_by_role("link", name="Next game", exact=True).click()
    player.page.wait_for_url(f"**/m/{second}/")
