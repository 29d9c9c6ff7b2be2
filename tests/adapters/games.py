"""Games of all kinds and seatings on small boards, as ids and options."""

CASES = [
    ("hex", {"size": 4, "swap": "sides"}),
    ("hex", {"size": 4, "swap": "pieces"}),
    ("cylindrical-hex", {"rows": 4, "columns": 4}),
    ("antipod", {"side": 3, "swap": "on"}),
    ("antipode", {}),
    ("antipalos", {"ruleset": "mail", "size": 6}),
    ("antipalos", {"size": 12, "rods": 3, "seats": "team", "phase_two_limit": 3}),
    ("antipalos", {"size": 12, "rods": 2, "seats": "cutthroat3", "phase_two_limit": 3}),
    ("antipalos", {"size": 12, "rods": 2, "seats": "cutthroat4", "phase_two_limit": 3}),
]


def name_of(case):
    return "-".join([case[0], *(str(value) for value in case[1].values())])
