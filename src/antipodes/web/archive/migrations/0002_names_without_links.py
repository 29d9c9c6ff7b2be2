# What is called how is made again with the files of open data.

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("archive", "0001_initial"),
    ]

    operations = [
        migrations.DeleteModel(name="NameRow"),
        migrations.CreateModel(
            name="NameRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("user", models.BigIntegerField(help_text="key of the user", unique=True)),
                ("name", models.CharField(max_length=150)),
            ],
        ),
    ]
