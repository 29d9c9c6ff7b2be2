"""Commands that show boards, lists and ratings, and never private data of others."""

import pytest

from antipodes.games.registry import make_game
from antipodes.match import ANY, ConditionalMoves, Play, Resign, SetConditionalMoves
from antipodes.web.email_play.commands import listings
from antipodes.web.email_play.commands.lines import game_lines
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out

STRANGER = "stranger@example.org"


def play(number, *moves):
    row = MatchRow.objects.get(pk=number)
    game = make_game(row.game_id, row.options)
    position = game.initial()
    for ply, text in enumerate(moves):
        seat = position.seat_to_move
        move = position.parse_move(text)
        carry_out(row.slug, Play(seat=seat, ply=ply, key=f"{ply}", move=move))
        position = position.play(move)


def test_lists_name_the_player_to_move(board):
    number = board()
    for moves in ((), ("a1",)):
        play(number, *moves)
        row = MatchRow.objects.get(pk=number)
        (line,) = game_lines([row])
        assert row.seat_to_move is not None
        assert (line.turn, line.moves) == (line.players[row.seat_to_move], len(moves))


def hide(number):
    MatchRow.objects.filter(pk=number).update(is_private=True)


@pytest.mark.parametrize("words", ["help", "help move", "antipod help", "HELP hex", "Re: help **"])
def test_help_needs_no_account(post, words):
    assert len(post.only(STRANGER, words).text) > 200


def test_help_on_an_unknown_topic_is_refused(post):
    assert "mail/unknown-topic" in post.only(STRANGER, "help chess").text


def test_the_list_counts_public_boards_only(post, board):
    board()
    hide(board("antipod"))
    lines = post.only(STRANGER, "list").text.splitlines()
    by_game = {line.split()[0]: line.split()[-1] for line in lines if line.startswith("  ")}
    assert by_game["hex"] == "1"
    assert by_game["antipod"] == "0"
    assert str(board()) in post.only(STRANGER, "list hex").text


def test_a_board_is_shown_now_and_after_a_ply(post, board):
    number = board()
    play(number, "a1", "b2", "c3")
    now = post.only(STRANGER, f"show {number}")
    assert f"Board {number}" in now.subject
    assert "3. c3" in now.text.replace("  ", " ").replace("  ", " ")
    assert now.html
    before = post.only(STRANGER, f"show {number}#1")
    assert "after 1 of 3 moves" in before.text
    assert before.text != now.text
    assert "mail/no-such-ply" in post.only(STRANGER, f"show {number}#9").text


def test_a_private_board_does_not_exist_for_others(post, players, board):
    number = board()
    hide(number)
    missing = post.only(STRANGER, f"show {number + 1}")
    private = post.only(STRANGER, f"show {number}")
    assert "mail/no-such-board" in private.text
    assert private.text.replace(str(number), "N") == missing.text.replace(str(number + 1), "N")
    assert "no board" not in players[0].ask("showas", f"{number}").text
    assert "0 boards" in post.only(STRANGER, "all show ann").text
    assert "Games: 0" in post.only(STRANGER, "games ann").text


def test_only_showas_shows_conditional_moves(post, players, board):
    number = board()
    row = MatchRow.objects.get(pk=number)
    answer = row.game.initial().parse_move("k11")
    plan = ConditionalMoves.line(ANY, int(answer))
    carry_out(row.slug, SetConditionalMoves(seat=1, ply=0, key="p", moves=plan))
    ann, bob, *_ = players
    assert "k11" in bob.ask("showas", f"{number}").text
    assert "k11" in bob.ask("showas").text
    assert "k11" not in ann.ask("showas", f"{number}").text
    assert "k11" not in post.only(STRANGER, f"show {number}").text
    assert "k11" not in post.only(STRANGER, "show bob").text


def test_showas_needs_a_token(post, board):
    board()
    assert "mail/no-proof" in post.only(STRANGER, "showas ann").text


def test_boards_are_listed_by_their_state(post, people, board):
    over, going_on = board(), board("antipod")
    carry_out(MatchRow.objects.get(pk=over).slug, Resign(seat=0, ply=0, key="r"))
    play(going_on, "d4")

    def listed(words):
        text = post.only(STRANGER, f"games {words}").text
        return {number for number in (over, going_on) if f"\n  {number} " in text}

    assert listed("ann all") == {over, going_on}
    assert listed("ann active") == {going_on}
    assert listed("ann inactive") == {over}
    assert listed("bob next") == {going_on}
    assert listed("ann next") == set()
    assert listed("cy") == set()


def test_all_show_shows_boards_of_all_games(post, board):
    one, other = board(), board("antipod")
    shown = post.only(STRANGER, "all show ann next").text
    assert "2 boards of ann" in shown
    assert f"Board {one}" in shown
    assert f"Board {other}" in shown
    only = post.only(STRANGER, "hex show ann").text
    assert f"Board {other}" not in only


def test_unknown_users_are_refused(post, people):
    assert "mail/unknown-user" in post.only(STRANGER, "games zoe").text
    assert "mail/unknown-user" in post.only(STRANGER, "hex history zoe").text


def test_standings_and_history_follow_a_rated_game(post, people):
    from antipodes.match import Terms
    from antipodes.web.matches.services import begin_match
    from antipodes.web.ratings import services as ratings

    ann, bob, *_ = people
    game = make_game("hex")
    terms = Terms(game=game, players=(str(ann.pk), str(bob.pk)), rated=True)
    row = begin_match(terms, [ann, bob])
    play(row.pk, "a1", "b2")
    carry_out(row.slug, Resign(seat=0, ply=2, key="r"))
    ratings.rate(MatchRow.objects.get(pk=row.pk))
    standings = post.only(STRANGER, "hex standings").text
    assert standings.index("bob") < standings.index("ann")
    assert "ann" not in post.only(STRANGER, "hex ratings bob").text
    history = post.only(STRANGER, "hex history ann").text
    assert "lost" in history
    assert "bob" in history
    assert str(row.pk) in history
    assert "mail/no-game" in post.only(STRANGER, "standings").text


def test_the_history_has_unrated_games(post, board):
    number = board()
    play(number, "a1", "b2")
    carry_out(MatchRow.objects.get(pk=number).slug, Resign(seat=0, ply=2, key="r"))
    assert str(number) in post.only(STRANGER, "hex history ann").text


def test_the_boards_of_one_mail_are_limited(post, players, board, monkeypatch):
    monkeypatch.setattr(listings, "_MAX_BOARDS", 2)
    ann, *_ = players
    numbers = [board() for _ in range(3)]
    assert len(ann.say("showas", f"{numbers[0]} {numbers[1]}")) == 2
    refused = ann.ask("showas", " ".join(map(str, numbers))).text
    told = "mail/too-many-boards; 3 boards are too many for one mail; at most 2"
    assert told in " ".join(refused.split())
    shown = post.send(STRANGER, f"show {numbers[0]} {numbers[1]}")
    assert len(shown) == 2  # the board of the command counts once
    names = post.only(STRANGER, "show ann").text
    assert "The first 2 boards of ann; games ann lists all." in " ".join(names.split())
    assert sum(f"Board {number}" in names for number in numbers) == 2
    MatchRow.objects.filter(pk=numbers[2]).delete()
    assert "2 boards of ann." in post.only(STRANGER, "show ann").text


def test_of_several_boards_each_must_be_there(post, board):
    number = board()
    refused = post.send(STRANGER, f"show {number} {number + 1}")[-1]
    assert f"mail/no-such-board; there is no board {number + 1}" in refused.text


def test_a_list_without_names_is_that_of_its_sender(post, players, board):
    board()
    ann, *_ = players
    assert "Boards of ann." in post.only(ann.address, f"games {ann.token}").text
    assert "mail/no-proof" in post.only(ann.address, "games").text
