"""All tokens have one kind of rows; the table stays as it is, with the column ``label``."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("mailroom", "0001_mails"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # The program alone calls the column otherwise, so versions before and after run together.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="mailtokenrow",
                    name="label",
                    field=models.CharField(
                        db_column="label", help_text="what its owner calls it", max_length=60
                    ),
                ),
                migrations.RenameField(
                    model_name="mailtokenrow", old_name="label", new_name="name"
                ),
            ],
        ),
        migrations.AlterField(
            model_name="mailtokenrow",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="%(app_label)s_tokens",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
