"""Spectators and chat."""

import pytest

from tests.browser.scripts import script

EVIL = "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>"


def test_spectators_see_moves_and_result_live(table, window, site):
    played = script("hex-size-4-swap-sides")
    players = table(played)
    watcher = window(site)
    watcher.open(players[0].page.url)
    position = played.start()
    watcher.shows(position)
    for text in played.moves:
        position = players[position.seat_to_move].play(position, text)
        watcher.shows(position)
    watcher.says(str(position.outcome))


def test_a_spectator_cannot_play(table, window, site):
    played = script("hex-size-4-swap-sides")
    players = table(played)
    watcher = window(site)
    watcher.open(players[0].page.url)
    watcher.shows(played.start())
    watcher.cell(3).click(force=True)
    watcher.page.wait_for_timeout(300)
    assert players[0].match["moves"] == []
    for name in ("Take back", "Offer draw", "Resign", "Abort game"):
        assert not watcher.button(name).is_visible()


def test_players_and_spectators_have_separate_chats(table, window, site):
    played = script("hex-size-4-swap-sides")
    black, white = table(played)
    watchers = [window(site), window(site)]
    watchers[0].challenge("hex")  # creates a guest, who has a name for the chat
    for watcher in watchers:
        watcher.open(black.page.url)
    black.say("good luck")
    white.says("good luck")
    watchers[0].say("who will win?")
    watchers[1].says("who will win?")
    assert "good luck" not in watchers[1].page.locator("main").inner_text()
    assert "who will win?" not in white.page.locator("main").inner_text()


def test_chat_messages_are_escaped(table):
    black, white = table(script("hex-size-4-swap-sides"))
    black.open_chat()
    black.chat_field.fill(EVIL)
    black.chat_field.press("Enter")
    white.says("<img src=x onerror")
    for player in (black, white):
        assert player.page.locator("main img[src='x']").count() == 0
        assert player.page.title() != "taken"


# Names cannot have a slash.
EVIL_NAME = EVIL.replace("/", "")


@pytest.mark.parametrize("path", ["/lobby/", "match", "challenge"])
def test_names_are_escaped(window, site, path):
    mallory, other = window(site), window(site)
    mallory.start_game("hex", "anybody", size=4)
    mallory.page.wait_for_url("**/c/*/")
    link = mallory.page.url
    site.shell(
        "from antipodes.web.challenges.models import ChallengeRow\n"
        f"row = ChallengeRow.objects.get(slug={link.split('/')[-2]!r})\n"
        f"row.by.username = {EVIL_NAME + path.strip('/')!r}[:150]\n"
        "row.by.save()"
    )
    if path == "/lobby/":
        other.open("/lobby/")
    elif path == "challenge":
        other.open(link)
    else:
        other.join(link)
    other.page.get_by_text("<img src=x").first.wait_for()
    assert other.page.locator('img[src="x"]').count() == 0
    assert other.page.title() != "taken"
    site.shell(
        "from antipodes.web.accounts.models import User\n"
        "for user in User.objects.filter(username__startswith='<img'):\n"
        "    user.username = f'mallory-{user.pk}'\n"
        "    user.save()"
    )
