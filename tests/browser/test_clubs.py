"""A club from its founding to its table, with somebody who has no business there."""

import re

from playwright.sync_api import expect

from tests.browser.accounts import PASSWORD, sign_up, slug_of
from tests.browser.scripts import Script

SMALL = Script("hex", {"size": 3, "swap": "off"}, ("b2", "a1", "c1", "a2", "a3"))


def found(player, name, *, entry="invited", is_public=False):
    """Found a club by the form."""
    player.open("/clubs/")
    player.page.get_by_role("link", name="Found a club").click()
    player.page.get_by_label("Name", exact=True).fill(name)
    player.page.get_by_label("Description").fill("We meet on Tuesdays.\n\nCome early.")
    player.page.locator(f"[name='entry'][value='{entry}']").check()
    player.page.locator("[name='is_public']").set_checked(is_public)
    player.breaks_nothing_for_anybody()
    player.press("Found it")
    player.page.wait_for_url(re.compile(r"/clubs/(?!new)[^/]+/$"))


def open_until_there(player, path, wanted):
    """Open a page until what a round puts there is there."""
    for _ in range(60):
        player.open(path)
        if wanted.count():
            return
        player.page.wait_for_timeout(500)
    raise AssertionError(f"{path} never showed what was wanted")


def play_out(players):
    position = SMALL.start()
    for text in SMALL.moves:
        for player in players:
            player.shows(position)
        position = players[position.seat_to_move].play(position, text)


def test_a_club_that_is_not_public_plays_among_itself(window, site):
    owner, member, stranger = window(site), window(site, "phone"), window(site, "dark")
    for player, name in ((owner, "olga"), (member, "mads"), (stranger, "sten")):
        sign_up(player, name)
    found(owner, "The Owls")
    club = slug_of(owner)
    owner.says("you own this club")
    owner.says("Come early.")

    # Invited by name: told of it, and let in.
    owner.page.get_by_role("link", name="Members", exact=True).click()
    owner.page.get_by_label("Name on this site").fill("mads")
    owner.press("Invite")
    owner.says("Invited by name")
    owner.breaks_nothing_for_anybody()
    owner.picture("club-people")
    member.open("/clubs/")
    member.says("You are invited")
    member.breaks_nothing_for_anybody()
    member.page.get_by_role("link", name="The Owls").click()
    member.breaks_nothing_for_anybody()
    member.press("Join")
    member.says("you are a member")

    # A private match among members.
    owner.open(club)
    owner.page.get_by_label("New game").select_option("hex")
    owner.press("Challenge the members")
    owner.page.wait_for_url("**/new/hex/**")
    for details in owner.page.locator("form.wish details").all():
        details.evaluate("element => { element.open = true; }")
    for name, value in SMALL.options.items():
        owner.page.locator(f"[name='option-{name}']").select_option(str(value))
    owner.page.locator("[name='seat']").select_option("0")
    owner.page.locator("[name='is_private']").check()
    owner.page.locator("form.wish button.first").click()
    owner.page.wait_for_url("**/c/*/")
    owner.says("the players and the club's members alone")
    challenge = slug_of(owner)
    stranger.open("/lobby/")
    assert not stranger.page.locator(f"a[href='{challenge}']").count()
    member.open(club)
    member.page.locator(f"a.button[href='{challenge}']").click()
    member.press("Join and play")
    for player in (owner, member):
        player.wait_for_match()
    match = slug_of(owner)

    # Whoever does not belong to it finds nothing.
    stranger.forgive("404")
    for address in (club, f"{club}people/", f"{club}leaderboard/", match, f"{match}record.json"):
        assert stranger.page.request.get(site.url(address)).status == 404, address
    stranger.open(club)
    stranger.breaks_nothing_for_anybody()
    stranger.open("/clubs/?q=Owls")
    stranger.says("No public club has")

    play_out((owner, member))
    table = owner.page.get_by_role("group", name="Games within the club")
    open_until_there(owner, club, table)
    expect(table.get_by_role("row", name=re.compile("^olga 1 1 0 0"))).to_be_visible()
    expect(table.get_by_role("row", name=re.compile("^mads 1 0 1 0"))).to_be_visible()
    assert owner.page.locator(f"#finished ~ ul a[href='{match}']").count()
    owner.picture("club")
    owner.breaks_nothing_for_anybody()
    stranger.open("/people/olga/")
    assert not stranger.page.locator(f"main a[href='{match}']").count()


def test_a_link_leads_into_a_club_and_its_leaderboard_has_rated_games(window, site):
    owner, guest = window(site), window(site, "narrow")
    sign_up(owner, "orla")
    found(owner, "The Larks")
    club = slug_of(owner)
    owner.open(f"{club}people/")
    owner.press("Make a link")
    link = owner.page.locator("input[id^='link-']").input_value()
    owner.breaks_nothing_for_anybody()
    guest.open(link)
    guest.says("You are invited to The Larks")
    guest.breaks_nothing_for_anybody()
    guest.page.locator("main").get_by_role("link", name="Sign up").click()
    guest.page.wait_for_url("**/signup/**")
    for name, value in (("username", "malte"), ("email", "malte@example.org")):
        guest.page.locator(f"main [name='{name}']").fill(value)
    guest.page.locator("main [name='password1']").fill(PASSWORD)
    guest.page.locator("main form button.first").first.click()
    guest.press("Become a member")
    guest.says("you are a member")
    guest.picture("club-member-narrow")

    owner.begin(
        "hex", "people", names="malte", rated=True, control="10m+5s", seat=0, **SMALL.options
    )
    owner.page.wait_for_url("**/c/*/")
    guest.open(slug_of(owner))
    guest.press("Join and play")
    for player in (owner, guest):
        player.wait_for_match()
    play_out((owner, guest))
    leaders = owner.page.get_by_role("table", name=re.compile("^Members with a rated game"))
    open_until_there(owner, f"{club}leaderboard/?game=hex&speed=rapid&board=small", leaders)
    expect(leaders.get_by_role("row", name=re.compile("orla"))).to_contain_text("1")
    expect(leaders.get_by_role("row", name=re.compile("malte"))).to_contain_text("2")
    owner.breaks_nothing_for_anybody()
    owner.picture("club-leaderboard")

    # A revoked link is good no more; a member who is removed is a stranger again.
    owner.open(f"{club}people/")
    owner.press("Revoke")
    late = window(site)
    late.forgive("404|410")
    late.open(link)
    late.says("This link is good no more")
    late.breaks_nothing_for_anybody()
    owner.page.get_by_text("More", exact=True).click()
    owner.press("Remove")
    guest.forgive("404")
    assert guest.page.request.get(site.url(club)).status == 404


def test_an_open_club_is_joined_and_one_by_request_asks(window, site):
    owner, other = window(site), window(site)
    sign_up(owner, "odin")
    sign_up(other, "mona")
    found(owner, "The Doors", entry="request", is_public=True)
    club = slug_of(owner)
    other.open("/clubs/?q=doors")
    other.page.get_by_role("link", name="The Doors").click()
    other.page.get_by_label("A word about you").fill("I live next door")
    other.press("Ask to be let in")
    other.says("You have asked to be let in")
    owner.open(club)
    owner.says("1 asks")
    owner.open(f"{club}people/")
    owner.says("I live next door")
    owner.breaks_nothing_for_anybody()
    owner.press("Let mona in")
    other.open(club)
    other.says("you are a member")
    other.open(f"{club}people/")
    other.press("Leave the club")
    owner.open(f"{club}change/")
    owner.breaks_nothing_for_anybody()
    owner.page.get_by_text("Close the club for good").click()
    owner.page.locator("#close-name").fill("The Doors")
    owner.press("Close it")
    assert owner.page.request.get(site.url(club)).status == 404
