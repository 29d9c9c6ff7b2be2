"""Clubs: creation, members, private matches, links, requests and leaderboards."""

import re

from playwright.sync_api import expect

from tests.browser.accounts import PASSWORD, sign_up, slug_of
from tests.browser.scripts import Script

SMALL = Script("hex", {"size": 3, "swap": "off"}, ("b2", "a1", "c1", "a2", "a3"))


def create_club(player, name, *, entry="invited", is_public=False):
    """Create a club with the form."""
    player.open("/clubs/")
    player.page.get_by_role("link", name="New club").click()
    player.page.get_by_label("Name", exact=True).fill(name)
    player.page.get_by_label("Description").fill("We meet on Tuesdays.\n\nCome early.")
    player.page.locator(f"[name='entry'][value='{entry}']").check()
    player.page.locator("[name='is_public']").set_checked(is_public)
    player.check_accessibility()
    player.press("Create club")
    player.page.wait_for_url(re.compile(r"/clubs/(?!new)[^/]+/$"))


def open_until_there(player, path, element):
    """Reload a page until a periodic task has added an element to it."""
    for _ in range(60):
        player.open(path)
        if element.count():
            return
        player.page.wait_for_timeout(500)
    raise AssertionError(f"{path} never showed the element")


def play_out(players):
    position = SMALL.start()
    for text in SMALL.moves:
        for player in players:
            player.shows(position)
        position = players[position.seat_to_move].play(position, text)


def test_members_of_a_hidden_club_play_private_matches(window, site):
    owner, member, stranger = window(site), window(site, "phone"), window(site, "dark")
    for player, name in ((owner, "olga"), (member, "mads"), (stranger, "sten")):
        sign_up(player, name)
    create_club(owner, "The Owls")
    club = slug_of(owner)
    owner.says("you own this club")
    owner.says("Come early.")

    # Invite a member by name.
    owner.page.get_by_role("link", name="Members", exact=True).click()
    owner.page.get_by_label("Username").fill("mads")
    owner.press("Invite")
    owner.says("Invited by name")
    owner.check_accessibility()
    owner.picture("club-people")
    member.open("/clubs/")
    member.says("You are invited")
    member.check_accessibility()
    member.page.get_by_role("link", name="The Owls").click()
    member.check_accessibility()
    member.press("Join")
    member.says("you are a member")

    # Start a private match among members.
    owner.open(club)
    owner.page.get_by_label("New game").select_option("hex")
    owner.press("Challenge the members")
    owner.page.wait_for_url("**/new/hex/**")
    for details in owner.page.locator("form.new-game details").all():
        details.evaluate("element => { element.open = true; }")
    for name, value in SMALL.options.items():
        owner.page.locator(f"[name='option-{name}']").select_option(str(value))
    owner.page.locator("[name='seat']").select_option("0")
    owner.page.locator("[name='is_private']").check()
    owner.page.locator("form.new-game button.first").click()
    owner.page.wait_for_url("**/c/*/")
    owner.says("private: only members of the club")
    challenge = slug_of(owner)
    stranger.open("/lobby/")
    assert not stranger.page.locator(f"a[href='{challenge}']").count()
    member.open(club)
    member.page.locator(f"a.button[href='{challenge}']").click()
    member.press("Play")
    for player in (owner, member):
        player.wait_for_match()
    match = slug_of(owner)

    # Other players cannot see club and match.
    stranger.expect_errors("404")
    for address in (club, f"{club}people/", f"{club}leaderboard/", match, f"{match}record.json"):
        assert stranger.page.request.get(site.url(address)).status == 404, address
    stranger.open(club)
    stranger.check_accessibility()
    stranger.open("/clubs/?q=Owls")
    stranger.says("No public club has")

    play_out((owner, member))
    table = owner.page.get_by_role("group", name="Games within the club")
    open_until_there(owner, club, table)
    expect(table.get_by_role("row", name=re.compile("^olga 1 1 0 0"))).to_be_visible()
    expect(table.get_by_role("row", name=re.compile("^mads 1 0 1 0"))).to_be_visible()
    assert owner.page.locator(f"#finished ~ ul a[href='{match}']").count()
    owner.picture("club")
    owner.check_accessibility()
    stranger.open("/people/olga/")
    assert not stranger.page.locator(f"main a[href='{match}']").count()


def test_players_join_by_link_and_the_leaderboard_has_rated_games(window, site):
    owner, guest = window(site), window(site, "narrow")
    sign_up(owner, "orla")
    create_club(owner, "The Larks")
    club = slug_of(owner)
    owner.open(f"{club}people/")
    owner.press("Create link")
    link = owner.page.locator(".copied input").input_value()
    owner.check_accessibility()
    guest.open(link)
    guest.says("You are invited to The Larks")
    guest.check_accessibility()
    guest.page.locator("main").get_by_role("link", name="Sign up").click()
    guest.page.wait_for_url("**/signup/**")
    for name, value in (("username", "malte"), ("email", "malte@example.org")):
        guest.page.locator(f"main [name='{name}']").fill(value)
    guest.page.locator("main [name='password1']").fill(PASSWORD)
    guest.page.locator("main form button.first").first.click()
    guest.press("Join")
    guest.says("you are a member")
    guest.picture("club-member-narrow")

    owner.start_game(
        "hex", "people", names="malte", rated=True, control="10m+5s", seat=0, **SMALL.options
    )
    owner.page.wait_for_url("**/c/*/")
    guest.open(slug_of(owner))
    guest.press("Play")
    for player in (owner, guest):
        player.wait_for_match()
    play_out((owner, guest))
    leaders = owner.page.get_by_role("table", name=re.compile("^Members with a rated game"))
    open_until_there(owner, f"{club}leaderboard/?game=hex&speed=rapid&board=small", leaders)
    expect(leaders.get_by_role("row", name=re.compile("orla"))).to_contain_text("1")
    expect(leaders.get_by_role("row", name=re.compile("malte"))).to_contain_text("2")
    owner.check_accessibility()
    owner.picture("club-leaderboard")

    # Revoked links and removed members lose access.
    owner.open(f"{club}people/")
    owner.press("Revoke")
    late = window(site)
    late.expect_errors("404|410")
    late.open(link)
    late.says("This link is no longer valid")
    late.check_accessibility()
    owner.page.get_by_label("Actions for malte").click()
    owner.press("Remove")
    guest.expect_errors("404")
    assert guest.page.request.get(site.url(club)).status == 404


def test_players_ask_to_join_a_club_by_request(window, site):
    owner, other = window(site), window(site)
    sign_up(owner, "odin")
    sign_up(other, "mona")
    create_club(owner, "The Rooks", entry="request", is_public=True)
    club = slug_of(owner)
    other.open("/clubs/?q=rooks")
    other.page.get_by_role("link", name="The Rooks").click()
    other.page.get_by_label("Message", exact=True).fill("I live nearby")
    other.press("Ask to join")
    other.says("You have asked to join")
    owner.open(club)
    owner.says("1 request")
    owner.open(f"{club}people/")
    owner.says("I live nearby")
    owner.check_accessibility()
    owner.press("Accept the request of mona")
    other.open(club)
    other.says("you are a member")
    other.open(f"{club}people/")
    other.press("Leave club")
    owner.open(f"{club}change/")
    owner.check_accessibility()
    owner.page.locator("details.close summary").click()
    owner.page.locator("#close-name").fill("The Rooks")
    owner.page.locator("details.close button").click()
    owner.page.wait_for_url("**/clubs/")
    assert owner.page.request.get(site.url(club)).status == 404
