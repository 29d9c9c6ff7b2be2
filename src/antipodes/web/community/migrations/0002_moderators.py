"""The group of moderators, with exactly what they may see and do."""

from typing import Any

from django.db import migrations

from antipodes.web.community.moderators import MODERATORS, PERMISSIONS


def make_group(apps: Any, schema_editor: Any) -> None:  # noqa: ARG001
    """Make the group; permissions that Django would make later are made now."""
    group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=MODERATORS)
    for app, model, codename in PERMISSIONS:
        kind, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(
            app_label=app, model=model
        )
        permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
            content_type=kind,
            codename=codename,
            defaults={"name": f"Can {codename.replace('_', ' ')}"},
        )
        group.permissions.add(permission)


class Migration(migrations.Migration):
    """Data alone."""

    dependencies = [
        ("community", "0001_people_and_measures"),
        ("matches", "0007_private"),
        ("people", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(make_group, migrations.RunPython.noop)]
