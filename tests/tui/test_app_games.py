"""The full-screen board: each game played by keys and by mouse."""

from antipodes.core import Color
from tests.tui.helpers import table


async def test_antipod_is_played_by_keys_and_mouse():
    async with table("antipod") as seen:
        await seen.press("up", "enter", "left", "left", "space")
        assert len(seen.moves) == 2
        await seen.click("c5")
        assert seen.moves[2] == "c5"
        await seen.click("h18")
        assert seen.moves[3] == "h18"


async def test_the_twin_of_a_rim_point_is_lit_on_both_boards():
    async with table("antipod") as seen:
        assert "‹" not in seen.picture
        await seen.point("a3")
        assert "[·]" in seen.picture
        assert "‹·›" in seen.picture
        assert "a3 = a14" in seen.text("#players")
        await seen.hover("c1")
        assert seen.board.pointed_name == "c1 = c20" or "‹" in seen.picture
        await seen.point("e5")
        assert "‹" not in seen.picture


async def test_a_rim_point_can_be_clicked_on_either_board():
    async with table("antipod") as seen:
        await seen.click("a3", twin=True)
        assert seen.moves == ["a3+"]
        assert seen.session.position.stones()[seen.session.game.topology.cell("a14")] is Color.WHITE


async def test_antipod_of_side_six_fits_the_classic_terminal_with_its_panel():
    async with table("antipod") as seen:
        assert seen.app._panel.display
        assert seen.board.layout_shown.width <= seen.board.size.width
        assert seen.board.layout_shown.height <= seen.board.size.height


async def test_the_panel_gives_way_and_large_boards_scroll_with_the_cursor():
    async with table("antipod", {"side": 10}) as seen:
        assert not seen.app._panel.display
        assert seen.board.layout_shown.width > seen.board.size.width
        for name in ("a1", "s38", "j1", "j38", "a29"):
            await seen.point(name)
            x, y = seen.board.screen_offset(seen.board.cursor)
            assert 0 <= x < seen.board.size.width
            assert 0 <= y < seen.board.size.height


async def test_every_point_of_a_scrolled_board_is_hit_by_the_mouse():
    async with table("antipod", {"side": 10}) as seen:
        await seen.point("j36")
        await seen.click("j37")
        assert seen.moves == ["j37"]


async def test_antipode_is_played_in_two_steps_with_a_step_back():
    async with table("antipode") as seen:
        await seen.point("a2")
        assert seen.picture.count("~") == 1  # a1 would flip
        await seen.press("enter")
        assert seen.moves == []
        assert "Step 2" in seen.text("#prompt")
        assert "+" in seen.picture
        await seen.press("escape")
        assert "Step 1" in seen.text("#prompt")
        await seen.press("enter")
        rest = min(seen.session.turn.cells)
        await seen.click(seen.session.game.topology.name(rest))
        assert seen.moves == [f"a2-{seen.session.game.topology.name(rest)}"]
        assert "Red to move" in seen.text("#caption")


async def test_antipode_is_played_by_mouse_alone():
    async with table("antipode") as seen:
        await seen.click("a2")
        rest = max(seen.session.turn.cells)
        await seen.click(seen.session.game.topology.name(rest))
        assert len(seen.moves) == 1


async def test_a_cell_that_cannot_be_chosen_is_explained_until_the_cursor_moves():
    async with table("antipode") as seen:
        await seen.point("e1")
        await seen.press("enter")
        assert "e1 cannot be chosen" in seen.text("#prompt")
        await seen.press("up")
        assert "cannot" not in seen.text("#prompt")


async def test_antipalos_places_rods_by_keys():
    async with table("antipalos", {"size": 12}) as seen:
        await seen.point("B4")
        await seen.press("backslash")
        assert seen.moves == []
        assert "╲○" in seen.picture
        await seen.press("slash")
        assert "╱○" in seen.picture
        await seen.press("enter")
        assert seen.moves == ["B4*"]
        await seen.press("right", "space", "space", "enter")
        assert seen.moves == ["B4*", "*C4"]


async def test_antipalos_places_rods_by_mouse():
    async with table("antipalos", {"size": 12}) as seen:
        await seen.click("D4")
        await seen.click("D4")
        await seen.pilot.click("#play")
        await seen.pilot.pause()
        assert seen.moves == ["*D4"]
        assert not seen.app.query_one("#play").display


async def test_antipalos_moves_rods_in_phase_two():
    async with table("antipalos", {"size": 12, "rods": 1}) as seen:
        for text in ("B4*", "C5*"):
            seen.session.play_text(text)
        seen.app._renew()
        assert "Phase Two" in seen.text("#caption")
        await seen.click("B4")
        assert "Step 2" in seen.text("#prompt")
        await seen.click("E7")
        await seen.press("escape", "escape")
        assert "step 1" in seen.text("#prompt")
        await seen.click("B4")
        await seen.point("E7")
        await seen.press("backslash", "enter")
        assert seen.moves[-1] == "B4*-*E7"


async def test_antipalos_shows_the_rods_left():
    async with table("antipalos", {"size": 12, "rods": 5}) as seen:
        assert seen.text("#players").count("5 rods left") == 2


async def test_antipalos_can_be_seen_from_the_other_side():
    async with table("antipalos", {"size": 12}) as seen:
        seen.session.play_text("A1*")
        await seen.press("v")
        assert "1 L12*" in seen.text("#moves")
        assert seen.board.layout_shown.spots[0].name == "A1"
        await seen.point("A1")
        assert seen.board.pointed_name == "L12"
        await seen.press("v")
        assert "1 A1*" in seen.text("#moves")


async def test_the_mail_ruleset_is_played_with_a_swap():
    async with table("antipalos", {"ruleset": "mail", "size": 5}) as seen:
        await seen.point("B2")
        assert "Cursor: b2-c3 or b3-c2" in seen.text("#players")
        await seen.press("slash", "enter")
        assert seen.moves == ["b2-c3"]
        assert "w to swap" in seen.text("#prompt")
        await seen.press("w")
        assert seen.moves == ["b2-c3", "swap"]


async def test_hex_is_played_by_keys_and_mouse_with_a_swap():
    async with table("hex", {"size": 5}) as seen:
        await seen.press("up", "right", "enter")
        assert len(seen.moves) == 1
        await seen.press("w")
        assert seen.moves[1] == "swap"
        await seen.press("w")  # not legal any more
        await seen.click("a5")
        assert seen.moves[2] == "a5"


async def test_the_winning_chain_is_shown():
    async with table("hex", {"size": 2, "swap": "off"}) as seen:
        for name in ("a1", "b1", "a2"):
            await seen.click(name)
        assert "Black wins by connection" in seen.text("#caption")
        assert seen.picture.count("*") == 2
        await seen.press("z")
        assert seen.picture.count("◆") == 2
        await seen.click("b2")
        assert len(seen.moves) == 3


async def test_cylindrical_hex_goes_round_by_keys_and_mouse():
    async with table("cylindrical-hex", {"rows": 3, "columns": 4}) as seen:
        await seen.point("a2")
        await seen.press("left", "enter")
        assert seen.moves == ["d2"]
        await seen.click("b3")
        assert seen.moves == ["d2", "b3"]


async def test_diagonal_keys_move_along_the_slanted_lines():
    async with table("hex", {"size": 5}) as seen:
        await seen.point("c3")
        for key, name in (("9", "d2"), ("1", "c3"), ("3", "c4"), ("7", "c3"), ("pageup", "d2")):
            await seen.press(key)
            assert seen.board.pointed_name == name
