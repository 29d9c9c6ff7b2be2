"""Django settings: one process and SQLite, unless environment variables say otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from antipodes.games.registry import allow_games
from antipodes.web.platform import mail_settings
from antipodes.web.platform.config import (
    caches,
    channel_layers,
    database,
    docs_folder,
    env,
    redis_url,
    secret_key,
    site_url,
)
from antipodes.web.platform.logs import logging_to_output

_WEB = Path(__file__).parent.parent  # of templates, static files and translations

SECRET_KEY = secret_key()
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])

# The site is reached by HTTPS only; browsers remember that for a year.
HTTPS = env.bool("HTTPS", default=False)
SESSION_ENGINE = "antipodes.web.accounts.session_store"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = False  # scripts read it to send forms
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]  # probes come without TLS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = False  # subdomains may be other sites
if HTTPS:
    # A proxy terminates TLS, and passes the scheme on in a header.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # HSTS for subdomains, preload

# From the bottom to the top: each imports only those before it.
INSTALLED_APPS = [
    "antipodes.web.platform",
    "antipodes.web.accounts",
    "antipodes.web.connections",
    "antipodes.web.jobs",
    "antipodes.web.relations",
    "antipodes.web.clubs",
    "antipodes.web.matches",
    "antipodes.web.ratings",
    "antipodes.web.archive",
    "antipodes.web.analysis",
    "antipodes.web.challenges",
    "antipodes.web.notifications",
    "antipodes.web.matchmaking",
    "antipodes.web.puzzles",
    "antipodes.web.courses",
    "antipodes.web.studies",
    "antipodes.web.tournaments",
    "antipodes.web.simuls",
    "antipodes.web.lobby",
    "antipodes.web.profiles",
    "antipodes.web.offline",
    "antipodes.web.club_pages",
    "antipodes.web.moderation",
    "antipodes.web.email_play",
    "antipodes.web.api",
    "antipodes.web.rules",
    "antipodes.web.site_pages",
    "antipodes.web.project",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "channels",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
]

MIDDLEWARE = [
    "antipodes.web.platform.request_middleware.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "antipodes.web.accounts.sessions.SiteSessionMiddleware",
    "antipodes.web.accounts.language_middleware.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "antipodes.web.accounts.adapter.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "antipodes.web.platform.security_headers.ContentSecurityPolicy",
    "antipodes.web.platform.request_middleware.RefuseNul",
    "antipodes.web.platform.limits.RateLimitMiddleware",
    "antipodes.web.platform.request_middleware.HeadRequests",
]

# `project.admission` limits bodies before Django reads them. They stay in memory, so that clients
# cannot fill the disk.
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = 16 * 1024 * 1024
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500
DATA_UPLOAD_MAX_NUMBER_FILES = 50

ROOT_URLCONF = "antipodes.web.project.urls"
ASGI_APPLICATION = "antipodes.web.project.asgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [_WEB / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "antipodes.web.accounts.adapter.host_settings",
                "antipodes.web.notifications.context_processors.bell",
            ],
        },
    }
]

DATABASES: dict[str, dict[str, Any]] = {"default": database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# One process works without Redis; several share it.
REDIS_URL = redis_url()
CHANNEL_LAYERS = channel_layers()
CACHES = caches()

# Whether workers search moves and analyses, and accounts whose engines do so over HTTPS.
OWN_ENGINE = env.bool("OWN_ENGINE", default=True)
ENGINE_ACCOUNTS = frozenset(env.list("ENGINE_ACCOUNTS", default=[]))

# Requests with this token may read metrics from other machines.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
# Where a worker serves its metrics.
WORKER_METRICS = mail_settings.parse_listen_address(
    "WORKER_METRICS", env.str("WORKER_METRICS", default="")
)

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "lobby"
ACCOUNT_ADAPTER = "antipodes.web.accounts.adapter.AccountAdapter"
# Guests are users too, so allauth must not redirect them; `AccountMiddleware` redirects accounts.
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_USERNAME_VALIDATORS = "antipodes.web.accounts.usernames.NAME_VALIDATORS"
ACCOUNT_CHANGE_EMAIL = True
# Signing up does not reveal which e-mail addresses have an account.
ACCOUNT_PREVENT_ENUMERATION = "strict"
# The site has rate limits of its own; with allauth's, anyone could lock others out.
ACCOUNT_RATE_LIMITS = False
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# Two-factor authentication: codes of an app, and recovery codes. Where no mail is sent, addresses
# cannot be verified.
MFA_ADAPTER = "antipodes.web.accounts.two_factor.TwoFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_FORMS = {
    "authenticate": "antipodes.web.accounts.adapter.CodeForm",
    "reauthenticate": "antipodes.web.accounts.adapter.ReauthenticationCodeForm",
}
MFA_TOTP_ISSUER = "Antipodes"
MFA_TOTP_TOLERANCE = 1  # periods that a code may be early or late
SESSION_COOKIE_AGE = 365 * 24 * 3_600  # seconds; guests are identified by this cookie only
TRUSTED_PROXIES = ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXIES", default=0)

# Outgoing mail. Without a mail server it is written to the log, or, if only this machine reaches
# the site, to a folder for `antipodes mail read`.
MAIL_FOLDER = mail_settings.maildir()
EMAIL_CONFIG: dict[str, Any] = mail_settings.sending()
vars().update(EMAIL_CONFIG)
MAIL_IS_SENT = EMAIL_CONFIG["EMAIL_BACKEND"].endswith(
    ("smtp.EmailBackend", "locmem.EmailBackend", "MaildirBackend")
)
MFA_ALLOW_UNVERIFIED_EMAIL = not MAIL_IS_SENT
DEFAULT_FROM_EMAIL = mail_settings.sender()
# Incoming mail: the address, and the transports.
MAIL_HOST = mail_settings.host()
MAIL_USER = mail_settings.user()
MAIL_LMTP = mail_settings.lmtp()
MAIL_SMTP = mail_settings.smtp()
MAIL_IMAP = mail_settings.imap()
MAIL_WEBHOOK_SECRET = mail_settings.webhook_secret()
ANYMAIL: dict[str, Any] = mail_settings.webhooks()
MAIL_AUTHSERV_ID = mail_settings.authserv_ids()
# For links in mail, which is sent outside of requests.
SITE_URL = site_url()
SOURCE_URL = env.str("SOURCE_URL", default="")
# Games of other packages that the site offers, of those that are installed.
GAMES_OF_PACKAGES = env.list("GAMES_OF_PACKAGES", default=[])
allow_games(GAMES_OF_PACKAGES)
# The lobby has a chat, which moderators have to watch.
LOBBY_CHAT = env.bool("LOBBY_CHAT", default=False)
# Tournaments and simuls have a chat, in which their hosts delete lines too.
EVENT_CHAT = env.bool("EVENT_CHAT", default=True)

LOGGING = logging_to_output(
    env.str("LOG_FORMAT", default="text"), env.str("LOG_LEVEL", default="WARNING")
)

LANGUAGE_CODE = "en-gb"
# Each with its name in itself.
LANGUAGES = [("en-gb", "English"), ("de", "Deutsch"), ("fr", "Français")]
LOCALE_PATHS = [_WEB / "locale"]
FORMAT_MODULE_PATH = "antipodes.web.platform.formats"
LANGUAGE_COOKIE_NAME = "language"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [_WEB / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},  # no file is uploaded
    "staticfiles": {"BACKEND": "antipodes.web.platform.static_files.ReleasedStorage"},
}
# Served from the package, so that collectstatic is not needed.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
# The built documentation, served at /docs/; None where it has not been built.
DOCS_FOLDER = docs_folder()
WHITENOISE_INDEX_FILE = True
