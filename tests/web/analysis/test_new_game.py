"""Analyses of the game of the page "Adding a game"."""

from tests.web.analysis.conftest import address_of


def test_a_position_is_analysed(client, work_off, crater):
    asked = client.post("/analyses", {"game": crater.id, "side": "3", "moves": "a1"})
    assert asked.status_code == 202
    work_off()
    told = client.get(address_of(asked.json())).json()
    assert told["state"] == "done"
    assert told["found"]["moveInfos"]
