"""Add the row by which all processes agree on the time."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add a table."""

    dependencies = [("ops", "0001_processes")]

    operations = [
        migrations.CreateModel(
            name="ClockRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ahead", models.BigIntegerField(default=0, help_text="milliseconds")),
                (
                    "since",
                    models.BigIntegerField(
                        default=0, help_text="milliseconds of the reference clock"
                    ),
                ),
            ],
        ),
    ]
