"""What the site declares to Django: fields of forms, pages of the admin, settings; without texts.

Run ``python -m tests.golden.site.declarations`` to write the file again, and read the difference.
"""

import os
import runpy
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

FILE = Path(__file__).with_name("declarations.txt")
# A host that has set nothing, and one that has a domain.
HOSTS: Mapping[str, Mapping[str, str]] = {
    "a new site": {},
    "a public site": {"HTTPS": "yes", "SITE_URL": "https://play.example.org"},
}
OWN = ("SECRET_KEY", "ANTIPODES_DATA", "PATH", "HOME")


def declarations() -> str:
    return "".join(f"{line}\n" for line in (*forms(), *admin_pages(), *settings()))


def forms() -> Iterator[str]:
    """Yield each class of forms with its fields."""
    from django.conf import settings
    from django.forms import BaseForm
    from django.urls import get_resolver
    from django.utils.module_loading import import_string

    assert get_resolver().url_patterns  # imports all views
    for path in settings.MFA_FORMS.values():
        import_string(path)  # allauth does so only when it shows the form
    for form in sorted(subclasses(BaseForm), key=name_of):
        if form.__module__.startswith("antipodes.") and form.base_fields:
            yield f"form {name_of(form)}"
            for name, field in form.base_fields.items():
                facts = plain({**vars(field), **vars(field.widget), **field.widget.attrs})
                words = " ".join(f"{key}={value}" for key, value in facts.items())
                mark = "" if field.required else "?"
                kinds = f"{type(field).__name__} {type(field.widget).__name__}"
                yield f"    {name}{mark}: {kinds} {words}".rstrip()


def admin_pages() -> Iterator[str]:
    """Yield each page of the admin with its options."""
    from django.contrib import admin

    for model, page in sorted(admin.site._registry.items(), key=lambda pair: name_of(pair[0])):
        if type(page).__module__.startswith("antipodes."):
            yield f"admin {name_of(model)}"
            for one in reversed(type(page).__mro__):
                if one.__module__.startswith("antipodes."):
                    yield from (f"    {name} = {value}" for name, value in options(one).items())
                    yield from (f"    {name}: {vars(column)}" for name, column in columns(one))


def options(page: type) -> Mapping[str, object]:
    """Return the options that a class sets."""
    return {
        name: value
        for name, value in vars(page).items()
        if isinstance(value, int | str | tuple) and not name.startswith("__")
    }


def columns(page: type) -> Iterator[tuple[str, Any]]:
    """Yield the methods of a class that are columns of a list."""
    for name, value in vars(page).items():
        if hasattr(value, "short_description"):
            yield name, value


def settings() -> Iterator[str]:
    """Yield the settings that are numbers or truth values, as hosts have them."""
    from antipodes.web.project import settings as module

    kept = {name: os.environ[name] for name in OWN if name in os.environ}
    for host, variables in HOSTS.items():
        yield f"settings of {host}"
        with mock.patch.dict(os.environ, {**kept, **variables}, clear=True):
            found = runpy.run_path(str(module.__file__))
        for name, value in sorted(found.items()):
            if name.isupper() and isinstance(value, int):
                yield f"    {name} = {value}"


def plain(values: Mapping[str, Any]) -> Mapping[str, object]:
    """Return those values that are numbers, or truths other than Django's defaults."""
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, int | float)
        and value is not (name == "strip")
        and name not in ("creation_counter", "required", "is_required")
    }


def subclasses(parent: type) -> set[Any]:
    """Return all classes below one."""
    found: set[Any] = set(parent.__subclasses__())
    return found.union(*map(subclasses, found))


def name_of(one: type) -> str:
    """Return the name of a class with its module."""
    return f"{one.__module__.removeprefix('antipodes.web.')}.{one.__qualname__}"


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.web.settings")
    django.setup()
    FILE.write_text(declarations(), encoding="utf-8")
