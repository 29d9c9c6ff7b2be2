"""Challenges keep the seats that were promised to the invited players."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0010_matches_of_user")]

    operations = [
        migrations.AddField(
            model_name="challengerow",
            name="promised",
            field=models.JSONField(
                db_default=[], default=list, help_text="pairs of an invited user and their seat"
            ),
        ),
    ]
