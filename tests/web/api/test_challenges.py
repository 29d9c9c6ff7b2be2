"""Challenges in the API are visible to those who may see them on the site."""


def test_only_members_see_the_challenges_of_a_club(ask, token, people):
    club = ask("POST", "clubs", token(), {"name": "The Poles"}).data
    body = {"game": "hex", "opponent": "club", "club": club["slug"]}
    challenge = ask("POST", "challenges", token(), body).data["challenge"]
    for user, status in ((people[0], 200), (people[1], 404), (None, 404)):
        text = None if user is None else token(user)
        assert ask("GET", f"challenges/{challenge['slug']}", text).status_code == status
