"""The one settings file. What differs between machines is an environment variable (docs/deploy.md lists them).

Without any variable this is the small site of `python3 run.py`: SQLite, no Redis, plain HTTP on this machine.
PRODUCTION=1 asks for HTTPS everywhere and refuses to start with keys that everybody knows.
"""

from pathlib import Path
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

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
    "oceans",
    "accounts",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
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
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
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
            ],
        },
    },
]

# --- Database ------------------------------------------------------------------------------------------------------

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'site.sqlite3'}")}
DATABASES["default"]["CONN_MAX_AGE"] = 60

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A transaction that reads and later writes cannot wait for its turn unless it is IMMEDIATE from the start, and with
    # synchronous=FULL a move that was acknowledged survives a power cut (docs/decisions).
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 30,
        "transaction_mode": "IMMEDIATE",
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16000;"
            "PRAGMA mmap_size=134217728; PRAGMA journal_size_limit=67108864;"
        ),
    }
else:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    DATABASES["default"]["OPTIONS"] = {
        "options": "-c lock_timeout=3s -c statement_timeout=10s -c idle_in_transaction_session_timeout=15s"
    }

# --- Redis: the queue and the shared cache, both of which may be lost at any time ----------------------------------

REDIS_URL = env.str("REDIS_URL", default="")

if REDIS_URL:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}
else:
    # Limits on sign-in attempts must count for all web processes together, so the cache is a table.
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache"}}

# --- People --------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"email", "username"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1*"]
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_PREVENT_ENUMERATION = "strict"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_PASSKEY_SIGNUP_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not PRODUCTION
# One write per request otherwise.
USERSESSIONS_TRACK_ACTIVITY = False

# --- Language, time, static files ----------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
USE_I18N = True
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

# --- What browsers may do ------------------------------------------------------------------------------------------

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
