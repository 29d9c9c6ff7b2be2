"""The site's settings for tests, with a temporary data folder."""

import atexit
import os
import shutil
import tempfile

if "ANTIPODES_DATA" not in os.environ:
    _data = os.environ["ANTIPODES_DATA"] = tempfile.mkdtemp(prefix="antipodes-tests-")
    atexit.register(shutil.rmtree, _data, ignore_errors=True)
os.environ.setdefault("SECRET_KEY", "not a secret")
os.environ.setdefault("EMAIL_URL", "consolemail://")  # no maildir: tests use Django's outbox

# A Redis database for each test process, since each test resets the rate limits; child processes
# use the same.
_worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
_redis = os.environ.get("REDIS_URL", "")
if _worker and _redis and _redis != os.environ.get("OWN_REDIS_URL"):
    _server, _, _number = _redis.rpartition("/")
    os.environ["REDIS_URL"] = f"{_server}/{int(_number) + int(_worker)}"
    os.environ["OWN_REDIS_URL"] = os.environ["REDIS_URL"]

from antipodes.web.project.settings import *  # noqa: E402, F403

DOCS_FOLDER = None  # even if the documentation is built in this checkout

# A fast hash, since tests hash many passwords.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
_options = DATABASES["default"].get("OPTIONS", {})  # noqa: F405
# Threads share a database in memory. There readers would lock tables, and writers fail at once.
if "init_command" in _options:
    _options["init_command"] += " PRAGMA read_uncommitted=ON;"
# A test may be one transaction, however long it takes between two queries.
if "options" in _options:
    _options["options"] += " -c idle_in_transaction_session_timeout=0"
