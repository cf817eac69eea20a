"""The one settings file. What differs between machines is an environment variable (docs/deploy.md lists them).

Without any variable this is the small site of `python3 run.py`: SQLite, no Redis, plain HTTP on this machine.
PRODUCTION=1 asks for HTTPS everywhere and refuses to start with keys that everybody knows.
"""

import re
from pathlib import Path
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from oceans import logs

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var")))

PRODUCTION = env.bool("PRODUCTION", default=False)
DEBUG = env.bool("DEBUG", default=False)

# --- The site ------------------------------------------------------------------------------------------------------

SITE_NAME = env.str("SITE_NAME", default="Slowdeal")
SITE_URL = env.str("SITE_URL", default="http://localhost:8000").rstrip("/")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[urlsplit(SITE_URL).hostname, "localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = [SITE_URL]

ROOT_URLCONF = "oceans.urls"
WSGI_APPLICATION = "oceans.wsgi.application"

# --- Keys ----------------------------------------------------------------------------------------------------------

KNOWN_SECRET_KEY = "insecure: for tests and for trying things on one's own machine only"
KNOWN_MASTER_KEY = bytes(32)


def secret_file(name: str, default: Path) -> str:
    """The stripped contents of the file that the variable `name` points to, or an empty string if it does not exist."""
    path = Path(env.str(name, default=str(default)))
    return path.read_text(encoding="ascii").strip() if path.is_file() else ""


def master_keys(text: str) -> dict[int, bytes]:
    """Read lines of `number hex`, the keys that server seeds derive from. New matches use the highest number."""
    try:
        return {int(number): bytes.fromhex(key) for number, key in (line.split() for line in text.splitlines())}
    except ValueError as error:
        raise ImproperlyConfigured(
            "The master key file must have lines of a number, a space and 64 hexadecimal digits."
        ) from error


SECRET_KEY = env.str("SECRET_KEY", default="") or secret_file("SECRET_KEY_FILE", VAR_DIR / "secret_key")
MASTER_KEYS = master_keys(secret_file("MASTER_KEY_FILE", VAR_DIR / "master_key"))

if PRODUCTION:
    if SECRET_KEY in ("", KNOWN_SECRET_KEY):
        raise ImproperlyConfigured("Set SECRET_KEY, or SECRET_KEY_FILE, to a long random value (docs/deploy.md, Keys).")
    if not MASTER_KEYS or any(len(key) != 32 or key == KNOWN_MASTER_KEY for key in MASTER_KEYS.values()):
        raise ImproperlyConfigured("Set MASTER_KEY_FILE to a file with a random master key (docs/deploy.md, Keys).")
else:
    SECRET_KEY = SECRET_KEY or KNOWN_SECRET_KEY
    MASTER_KEYS = MASTER_KEYS or {0: KNOWN_MASTER_KEY}

# --- Apps, middleware, templates -----------------------------------------------------------------------------------

INSTALLED_APPS = [
    "tournaments",  # before oceans, for when an account is closed: events are locked before matches
    "oceans",
    "accounts",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "django_htmx",
    "csp",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "oceans.middleware.logged",
    "csp.middleware.CSPMiddleware",
    "oceans.middleware.same_site_only",
    "oceans.middleware.private",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.GuestsAside",
    "accounts.middleware.LastSeen",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "oceans.site.names",
                "oceans.context.frame",
            ],
        },
    },
]

# --- Database ------------------------------------------------------------------------------------------------------

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'site.sqlite3'}")}

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A transaction that reads and later writes cannot wait for its turn unless it is IMMEDIATE from the start, and with
    # synchronous=FULL a move that was acknowledged survives a power cut (docs/decisions/0010-one-settings-file.md).
    DATABASES["default"] |= {
        "CONN_MAX_AGE": 60,
        "OPTIONS": {
            "timeout": 30,
            "transaction_mode": "IMMEDIATE",
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16000;"
                "PRAGMA mmap_size=134217728; PRAGMA journal_size_limit=67108864;"
            ),
        },
    }
else:
    statement_timeout = env.str("STATEMENT_TIMEOUT", default="10s")
    DATABASES["default"] |= {
        "CONN_HEALTH_CHECKS": True,
        "CONN_MAX_AGE": 0 if PRODUCTION else 60,
        "OPTIONS": {
            "options": (
                f"-c lock_timeout=3s -c statement_timeout={statement_timeout}"
                " -c idle_in_transaction_session_timeout=15s"
            ),
        },
    }
    if PRODUCTION:
        DATABASES["default"]["OPTIONS"]["pool"] = {"min_size": 1, "max_size": env.int("POOL_MAX", default=2)}

# --- Redis: the queue and the shared cache, either of which may vanish at any time ---------------------------------

REDIS_URL = env.str("REDIS_URL", default="")

if REDIS_URL:
    CACHES = {
        "default": {
            "BACKEND": "oceans.caching.FallbackRedisCache",
            # Not the index of the queue, which must never evict anything.
            "LOCATION": env.str("CACHE_URL", default=urlsplit(REDIS_URL)._replace(path="/1").geturl()),
            "OPTIONS": {"socket_connect_timeout": 0.3, "socket_timeout": 0.5},
        }
    }
    SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"
else:
    # Limits on sign-in attempts must count for all web processes together, so the cache is a table.
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache"}}
    SESSION_ENGINE = "django.contrib.sessions.backends.db"

# Tasks are hints: they may be lost or run twice, and the tick does whatever no hint led to. Hence no results, no
# repeats and no waiting for a broker that does not answer.
CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_connect_timeout": 0.3,
    "socket_timeout": 0.5,
    "visibility_timeout": 3600,
    # Without this a page would wait through several attempts to connect, whatever the task asks for.
    "max_retries": 0,
}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = False
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_SOFT_TIME_LIMIT = 90
CELERY_TASK_TIME_LIMIT = 120
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 1000
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE = {"tick": {"task": "oceans.tasks.tick", "schedule": 30.0, "options": {"expires": 25}}}

# --- People --------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"email", "username"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1*"]
ACCOUNT_ADAPTER = "accounts.adapter.Adapter"
ACCOUNT_USERNAME_VALIDATORS = "accounts.names.validators"
ACCOUNT_USERNAME_MIN_LENGTH = 3
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 15 * 60
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = 15 * 60
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_PREVENT_ENUMERATION = "strict"
MFA_TOTP_ISSUER = SITE_NAME
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_PASSKEY_SIGNUP_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not PRODUCTION
# One write per request otherwise.
USERSESSIONS_TRACK_ACTIVITY = False

# --- Mail ----------------------------------------------------------------------------------------------------------

DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default=f"{SITE_NAME} <moves@{urlsplit(SITE_URL).hostname}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
# Where undelivered mail comes back to; each mail has a signed part of its own after a "+" (docs/deploy.md).
BOUNCE_ADDRESS = env.str("BOUNCE_ADDRESS", default="")
if BOUNCE_ADDRESS and not re.fullmatch(r"[\w.-]{1,20}@[\w.-]+", BOUNCE_ADDRESS):
    raise ImproperlyConfigured(
        "BOUNCE_ADDRESS must be an address such as bounces@cards.example.org, with at most 20 signs before the @."
    )
EMAIL_HOST = env.str("EMAIL_HOST", default="")
EMAIL_PORT = env.int("EMAIL_PORT", default=587)
EMAIL_HOST_USER = env.str("EMAIL_HOST_USER", default="")
EMAIL_HOST_PASSWORD = env.str("EMAIL_HOST_PASSWORD", default="")
EMAIL_USE_TLS = env.bool("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 10
# A site without a mail server keeps its mails, and shows them at /mailbox/ to whoever sits at this machine.
LOCAL_MAILBOX = not EMAIL_HOST and not PRODUCTION
EMAIL_BACKEND = "accounts.mailbox.LocalMailbox" if LOCAL_MAILBOX else "accounts.delivery.WatchedBackend"

# The services of browser makers that notifications may go through, by origin. Nothing else is connected to for them.
PUSH_SERVICES = env.list(
    "PUSH_SERVICES",
    default=[
        "https://fcm.googleapis.com",
        "https://updates.push.services.mozilla.com",
        "https://*.push.apple.com",
        "https://*.notify.windows.com",
    ],
)

# --- Language, time, static files ----------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
# Looking texts up in a catalogue that does not exist would be a tenth of what a page costs.
USE_I18N = len(LANGUAGES) > 1
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(BASE_DIR / "staticfiles")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# --- What browsers may do and send ---------------------------------------------------------------------------------

# How many proxies of ours stand in front and write X-Forwarded-For and X-Forwarded-Proto.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

if PRODUCTION:
    SECURE_SSL_REDIRECT = True
    # Those who watch the site ask from inside, without TLS.
    SECURE_REDIRECT_EXEMPT = [r"^healthz/", r"^metrics$"]
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_INCLUDE_SUBDOMAINS", default=True)
    SECURE_HSTS_PRELOAD = SECURE_HSTS_INCLUDE_SUBDOMAINS
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
SESSION_COOKIE_SECURE = PRODUCTION
CSRF_COOKIE_SECURE = PRODUCTION
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 60 * 24 * 3600
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
DATA_UPLOAD_MAX_NUMBER_FILES = 0

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "base-uri": [NONE],
        "object-src": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# --- Competition ---------------------------------------------------------------------------------------------------

# Games whose ratings start with another deviation or widen at another pace, as {"oe-mini": {"rd0": 150, "c": 3}}.
RATING_PARAMS = env.json("RATING_PARAMS", default={})

# --- Watching the site ---------------------------------------------------------------------------------------------

METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
# Where the tick asks whether players can use the site, such as http://web:8000/healthz/ready. While the answer is not
# 200 no clock runs. Empty: nobody asks.
FRONT_DOOR_URL = env.str("FRONT_DOOR_URL", default="")
LOGGING = logs.configuration(
    as_json=PRODUCTION, level=env.str("LOG_LEVEL", default="INFO" if PRODUCTION else "WARNING")
)
