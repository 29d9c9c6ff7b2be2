"""Analyses of the game of the page "Adding a game"."""


def test_a_position_is_analysed(client, work_off, crater):
    asked = client.post("/analyses", {"game": crater.id, "side": "3", "moves": "a1"})
    assert asked.status_code == 202
    work_off()
    told = client.get(asked.json()["address"]).json()
    assert told["state"] == "done"
    assert told["found"]["moveInfos"]
