"""Sessions are written only when they have changed."""


def test_a_page_that_changes_no_session_takes_no_lock_of_the_database(client):
    # Without the mark django_db any transaction fails.
    assert client.get("/boards.json?game=hex").status_code == 200
