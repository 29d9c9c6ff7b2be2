"""The page that answers whether the games are fair."""

from html import unescape

from antipodes.games.antipod import FAIR
from antipodes.lab.knowledge import answers


def test_the_page_has_every_question_with_its_answer_and_table(client, db):
    text = unescape(client.get("/knowledge/").content.decode())
    for answer in answers():
        assert f'id="{answer.key}"' in text
        assert str(answer.question) in text
        assert all(str(paragraph) in text for paragraph in answer.paragraphs)
        for row in answer.table.rows if answer.table else ():
            assert "".join(f"<td>{cell}</td>" for cell in row) in text


def test_the_page_is_translated(client, db):
    text = client.get("/knowledge/", headers={"accept-language": "de"}).content.decode()
    assert "Ist Antipod fair?" in text
    assert "Stufe 3" in text


def test_a_game_with_the_fair_handicap_shows_its_stones(client, db):
    page = client.get("/new/antipod/").content.decode()
    assert '<option value="fair">' in page
    fields = {"option-side": 5, "option-handicap": "fair", "option-extra_stones": 0}
    answer = client.post("/new/antipod/", {**fields, "opponent": "link", "uses": 1}, follow=True)
    assert f"extra stones {FAIR[5]}" in answer.content.decode()
