"""What tests of moderation share: somebody who moderates, and somebody who may do everything."""

import pytest
from django.contrib.auth.models import Group

from antipodes.web.community.moderators import MODERATORS
from antipodes.web.people.models import User


@pytest.fixture
def moderator(db):
    """Somebody of the group that the migration has made."""
    user = User.objects.create(username="mod", is_staff=True)
    user.groups.add(Group.objects.get(name=MODERATORS))
    return user


@pytest.fixture
def root(db):
    """A superuser."""
    return User.objects.create(username="rooty", is_staff=True, is_superuser=True)
