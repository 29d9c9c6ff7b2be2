"""Names that look alike share a skeleton, which only one account may have."""

from typing import Any

from django.db import migrations, models

import antipodes.web.people.confusables
import antipodes.web.people.models
import antipodes.web.people.names
from antipodes.web.people.confusables import fill_skeletons


def fill(apps: Any, _editor: Any) -> None:
    fill_skeletons(apps.get_model("people", "User"), "username")


class Migration(migrations.Migration):
    dependencies = [("people", "0001_initial")]

    operations = [
        migrations.AlterModelManagers(
            name="user", managers=[("objects", antipodes.web.people.models.Users())]
        ),
        migrations.AlterField(
            model_name="user",
            name="username",
            field=models.CharField(
                max_length=150,
                unique=True,
                validators=[antipodes.web.people.names.check_shape],
                verbose_name="username",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="skeleton",
            field=antipodes.web.people.confusables.SkeletonField(
                of="username", help_text="what names that look alike share"
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
