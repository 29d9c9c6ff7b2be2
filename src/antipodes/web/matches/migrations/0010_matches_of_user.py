"""All matches of somebody are read off one index."""

from __future__ import annotations

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("matches", "0009_speeds_of_challenges"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="seatrow",
            index=models.Index(fields=["user", "match"], name="matches_of_user"),
        ),
    ]
