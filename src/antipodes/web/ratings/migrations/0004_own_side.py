from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0003_voided"),
    ]

    operations = [
        migrations.AddField(
            model_name="profilerow",
            name="own_side",
            field=models.BooleanField(
                default=True,
                db_default=True,
                help_text="Antipalos is read from one's own side, not from the first seat's",
            ),
        ),
    ]
