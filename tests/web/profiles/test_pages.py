"""Players' pages: names in another letter case."""

import pytest
from django.urls import reverse

from antipodes.web.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["ANN", "Ann", "aNN"])
def test_a_name_in_another_letter_case_redirects_to_the_exact_name(client, people, name):
    answer = client.get(f"/people/{name}/")
    assert answer.status_code == 302
    assert answer.headers["Location"] == reverse("profile", args=["ann"])


def test_a_name_with_capital_letters_is_found_in_lower_case(client, db):
    User.objects.create(username="McCarthy")
    assert client.get("/people/McCarthy/").status_code == 200
    answer = client.get("/people/mccarthy/")
    assert answer.headers["Location"] == reverse("profile", args=["McCarthy"])


def test_an_exact_name_precedes_one_in_another_letter_case(client, db):
    first = User.objects.create(username="Zoe")
    User.objects.create(username="zoo")
    User.objects.filter(username="zoo").update(username="zoe")
    assert client.get("/people/zoe/").context["person"].username == "zoe"
    assert client.get("/people/Zoe/").context["person"] == first


def test_an_unknown_name_answers_404(client, people):
    assert client.get("/people/zoe/").status_code == 404
