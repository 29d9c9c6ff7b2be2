"""Names that look alike share a skeleton, which only one club may have."""

from typing import Any

from django.db import migrations

import antipodes.web.people.confusables
from antipodes.web.people.confusables import fill_skeletons


def fill(apps: Any, _editor: Any) -> None:
    fill_skeletons(apps.get_model("clubs", "ClubRow"), "name")


class Migration(migrations.Migration):
    dependencies = [("clubs", "0001_clubs")]

    operations = [
        migrations.AddField(
            model_name="clubrow",
            name="skeleton",
            field=antipodes.web.people.confusables.SkeletonField(
                of="name", help_text="what names that look alike share"
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
