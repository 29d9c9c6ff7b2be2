"""The site's settings for tests: a folder of its own, and secrets that are none."""

import os
import tempfile

os.environ.setdefault("ANTIPODES_DATA", tempfile.mkdtemp(prefix="antipodes-tests-"))
os.environ.setdefault("SECRET_KEY", "not a secret")
os.environ.setdefault("EMAIL_URL", "consolemail://")  # no maildir: tests look at Django's outbox

from antipodes.web.settings import *  # noqa: F403

# Passwords are hashed often in tests.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# A test may be one transaction, however long it thinks between two questions.
_options = DATABASES["default"].get("OPTIONS", {})  # noqa: F405
if "options" in _options:
    _options["options"] += " -c idle_in_transaction_session_timeout=0"
