"""Analyses no longer wait for kernels."""

from typing import Any

from django.db import migrations, models

CHOICES = [
    ("waiting", "Waiting"),
    ("working", "Working"),
    ("done", "Done"),
    ("stopped", "Stopped"),
]


def begin_again(apps: Any, _editor: Any) -> None:
    for name in ("AnalysisRow", "ReviewRow"):
        model = apps.get_model("analysis", name)
        model.objects.filter(state="warming").update(state="waiting")


class Migration(migrations.Migration):
    dependencies = [("analysis", "0001_initial")]

    operations = [
        migrations.RunPython(begin_again, migrations.RunPython.noop),
        *(
            migrations.AlterField(
                model_name=name,
                name="state",
                field=models.CharField(choices=CHOICES, default="waiting", max_length=12),
            )
            for name in ("analysisrow", "reviewrow")
        ),
    ]
