"""Groups of jobs and places in them, so that a choice reads few rows."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="jobrow",
            name="client",
            field=models.CharField(
                db_default="", help_text="the outermost one that it counts for", max_length=32
            ),
        ),
        migrations.AddField(
            model_name="jobrow",
            name="group",
            field=models.CharField(
                choices=[
                    ("quick-move", "Quick Move"),
                    ("move", "Move"),
                    ("quick-study", "Quick Study"),
                    ("study", "Study"),
                    ("show", "Show"),
                ],
                db_default="study",
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="jobrow",
            name="place",
            field=models.PositiveIntegerField(
                db_default=0, help_text="among the client's jobs when it was added"
            ),
        ),
        migrations.AddField(
            model_name="jobrow",
            name="place_of_user",
            field=models.PositiveIntegerField(
                db_default=0, help_text="among the user's jobs when it was added"
            ),
        ),
        migrations.AddIndex(
            model_name="jobrow",
            index=models.Index(fields=["group", "id"], name="jobs_jobrow_group_bec9b5_idx"),
        ),
        migrations.AddIndex(
            model_name="jobrow",
            index=models.Index(
                fields=["group", "place", "id"], name="jobs_jobrow_group_09ba47_idx"
            ),
        ),
        migrations.AddIndex(
            model_name="jobrow",
            index=models.Index(
                fields=["group", "place_of_user", "id"], name="jobs_jobrow_group_f7e940_idx"
            ),
        ),
        migrations.AddIndex(
            model_name="jobrow",
            index=models.Index(
                fields=["group", "client", "place"], name="jobs_jobrow_group_d5addd_idx"
            ),
        ),
        migrations.AddIndex(
            model_name="jobrow",
            index=models.Index(
                fields=["group", "user", "place_of_user"], name="jobs_jobrow_group_2beeab_idx"
            ),
        ),
    ]
