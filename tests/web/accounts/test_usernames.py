"""Names that look alike, and invisible characters."""

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from antipodes.errors import InputError
from antipodes.web.accounts.api_tokens import KIND
from antipodes.web.accounts.confusables import skeleton
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer
from antipodes.web.accounts.usernames import check_name
from antipodes.web.clubs import services as clubs
from antipodes.web.clubs.models import ClubRow
from antipodes.web.email_play.commands import accounts as mail_accounts
from antipodes.web.moderation import services
from tests.raising import code_of

pytestmark = pytest.mark.django_db

KELVIN = "\u212aate"  # looks like Kate, and is not
ALIKE = [
    ("Paul", "PauI"),
    ("Paul", "Pau1"),
    ("Bob", "B0b"),
    ("Bob", "bob"),
    ("martin", "rnartin"),
    ("william", "vvilliam"),
    ("ann-bob", "ann_bob"),
]


@pytest.mark.parametrize("name", [KELVIN, "mar\u0131a", "\u017fam", "Kat\u0435", "k\u00e1te"])
def test_names_of_accounts_are_ascii(name):
    with pytest.raises(ValidationError) as refused:
        check_name(name)
    assert refused.value.code == "name-characters"


@pytest.mark.parametrize(
    "name", ["Adm1n", "R00T", "adrnin", "c0mputer", "guest", "SuPP0rt", "bot7", "help-1", "TheBot"]
)
def test_lookalikes_of_reserved_names_are_reserved(name):
    with pytest.raises(ValidationError) as refused:
        check_name(name)
    assert refused.value.code == "name-reserved"


@pytest.mark.parametrize("name", ["Volunteer", "vo1unteer"])
def test_names_of_volunteers_with_engines_are_reserved(settings, name):
    check_name(name)
    settings.ENGINE_ACCOUNTS = frozenset({"Volunteer"})
    with pytest.raises(ValidationError) as refused:
        check_name(name)
    assert refused.value.code == "name-reserved"


@pytest.mark.parametrize(
    "name", ["ann", "bill", "oliver", "mad-hatter", "roots", "admiral", "z" * 20]
)
def test_other_names_are_allowed(name):
    check_name(name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ab", "A name has 3 to 20 characters; “ab” has 2."),
        ("z" * 21, f"A name has 3 to 20 characters; “{'z' * 21}” has 21."),
        ("guest-9", "The name “guest-9” is reserved."),
        ("deleted-3", "The name “deleted-3” is reserved."),
    ],
)
def test_a_refusal_of_a_name_says_why(name, message):
    with pytest.raises(ValidationError) as refused:
        check_name(name)
    assert refused.value.messages == [message]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_share_a_skeleton(one, other):
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Antipodes", "\u0410ntip\u043edes"),  # Cyrillic
        ("Kate", KELVIN),
        ("Kate", "Ka\u200bte\ufe0f"),
        ("Cafe", "Caf\u00e9"),
        ("Bob", "\uff22\uff4f\uff42"),  # of full width
        ("Bob", "\U0001d401\U0001d428\U0001d41b"),  # mathematical
    ],
)
def test_names_of_other_scripts_that_look_alike_share_a_skeleton(one, other):
    assert skeleton(one) == skeleton(other)


def test_names_that_differ_have_different_skeletons():
    names = ["ann", "anna", "bob", "rob", "kate", "cate", "e5", "es", "東京", "京都", "कि", "की"]
    assert len({skeleton(name) for name in names}) == len(names)


@pytest.mark.parametrize("name", ["Pau1", "PAUI", "paul"])
def test_a_name_that_looks_like_another_cannot_sign_up(client, name):
    User.objects.create_user("Paul")
    form = {"username": name, "email": "p@example.org", "password1": "a quiet heron"}
    response = client.post("/accounts/signup/", form)
    assert "username" in response.context["form"].errors
    assert User.objects.count() == 1


def test_concurrent_sign_ups_with_names_that_look_alike(client, monkeypatch):
    User.objects.create_user("Paul")
    monkeypatch.setattr(type(User.objects), "alike", lambda *_: User.objects.none())
    form = {"username": "PauI", "email": "p@example.org", "password1": "a quiet heron"}
    response = client.post("/accounts/signup/", form, follow=True)
    assert response.redirect_chain == [("/accounts/signup/", 302)]
    assert "looks like one" in response.content.decode()
    assert User.objects.count() == 1


def test_a_name_that_looks_like_another_cannot_sign_up_by_mail():
    User.objects.create_user("Paul")
    with pytest.raises(InputError, match="looks like one"):
        mail_accounts._check_available("PauI")


def test_moderators_cannot_rename_to_a_name_that_looks_like_another(moderator):
    User.objects.create_user("Paul")
    other = User.objects.create_user("ann")
    with pytest.raises(InputError, match="looks like one"):
        services.rename(moderator, other, "PauI", "a reason")
    services.rename(moderator, other, "Anna", "a reason")
    assert User.objects.alike("anna").get() == other
    assert not User.objects.alike("ann").exists()


def test_the_admin_refuses_names_that_look_like_another(client, root):
    User.objects.create_user("Paul")
    client.force_login(root, "django.contrib.auth.backends.ModelBackend")
    password = "a quiet heron"
    for name in ("PauI", "Kat\u0435", "Guest 7"):
        form = {"username": name, "password1": password, "password2": password}
        response = client.post("/admin/accounts/user/add/", form | {"usable_password": "true"})
        assert response.context["adminform"].form.errors, name
    assert set(User.objects.values_list("username", flat=True)) == {"Paul", "rooty"}


@pytest.mark.parametrize("name", ["PauI", "paul", "\u212aate", "a b"])
def test_superusers_cannot_have_names_that_look_like_another(name):
    User.objects.create_user("Paul")
    with pytest.raises((CommandError, ValidationError)):
        call_command("createsuperuser", username=name, email="a@example.org", interactive=False)
    assert User.objects.count() == 1


def test_skeletons_are_unique_in_the_database():
    User.objects.create(username="Paul")
    for make in (User.objects.create, lambda **fields: User.objects.bulk_create([User(**fields)])):
        with pytest.raises(IntegrityError), transaction.atomic():
            make(username="PauI")


def test_names_of_guests_and_the_computer_are_reserved(client):
    client.post("/play/hex/", {"level": "1"})
    guest = User.objects.get(is_guest=True)
    for user in (guest, computer("1")):
        assert user.skeleton == skeleton(user.username)
        with pytest.raises(ValidationError):
            check_name(user.username.replace(" ", "-"))


@pytest.fixture
def founder():
    return User.objects.create_user("ann")


def found(founder, name, slug):
    return clubs.create_club(founder, clubs.ClubDetails(name=name, slug=slug))


@pytest.mark.parametrize(
    "name",
    [
        "Antip\u043edeans",
        "ANTIP0DEANS",
        "Antipo\u200bdeans",
        "\u202eAntipodeans",
        "Ant\u00edpodeans",
    ],
)
def test_club_names_that_look_like_another_are_refused(founder, name):
    found(founder, "Antipodeans", "first")
    assert code_of(found, founder, name, "second") == "clubs/taken"


@pytest.mark.parametrize(
    "name", ["\u200b\u200c\u200d\u2060", "\u202e\u202e\u202e", "\u3164" * 5, "\ue000" * 5]
)
def test_invisible_club_names_are_refused(founder, name):
    assert code_of(found, founder, name, "hidden") == "clubs/name"
    assert not ClubRow.objects.exists()


def test_invisible_characters_are_removed_from_names(founder):
    assert found(founder, "\u202eA \u200b quiet\u00a0club\u00ad", "quiet").name == "A quiet club"
    row, _ = KIND.make(founder, "my\u202e \u2066bot\x85", scopes=[])
    assert row.name == "my bot"
    with pytest.raises(InputError):
        KIND.make(founder, "\u200b", scopes=[])
