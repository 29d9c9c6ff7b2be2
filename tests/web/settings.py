"""The site's settings for tests: a folder of its own, and secrets that are none."""

import os
import tempfile

os.environ.setdefault("ANTIPODES_DATA", tempfile.mkdtemp(prefix="antipodes-tests-"))
os.environ.setdefault("SECRET_KEY", "not a secret")
os.environ.setdefault("EMAIL_URL", "consolemail://")  # no maildir: tests look at Django's outbox

# A Redis of its own for each process that tests, since each test forgets what was counted in it;
# processes that are started by such a one have the same.
_worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
_redis = os.environ.get("REDIS_URL", "")
if _worker and _redis and _redis != os.environ.get("OWN_REDIS_URL"):
    _server, _, _number = _redis.rpartition("/")
    os.environ["REDIS_URL"] = f"{_server}/{int(_number) + int(_worker)}"
    os.environ["OWN_REDIS_URL"] = os.environ["REDIS_URL"]

from antipodes.web.project.settings import *  # noqa: E402, F403

DOCS_FOLDER = None  # whether or not somebody has built the documentation in this checkout

# Passwords are hashed often in tests.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# A test may be one transaction, however long it thinks between two questions.
_options = DATABASES["default"].get("OPTIONS", {})  # noqa: F405
if "options" in _options:
    _options["options"] += " -c idle_in_transaction_session_timeout=0"
