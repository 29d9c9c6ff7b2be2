"""Unreadable addresses of clients, counted by process."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("platform", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="processrow",
            name="unreadable",
            field=models.PositiveBigIntegerField(
                db_default=0,
                default=0,
                help_text="client addresses from proxies that it could not read",
            ),
        ),
    ]
