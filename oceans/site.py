"""What the site is called and where it lives, for templates and for links in mail."""

from django.conf import settings
from django.http import HttpRequest


def names(_request: HttpRequest) -> dict[str, str]:
    """Context processor: `site_name` and `site_url` in every template."""
    return {"site_name": settings.SITE_NAME, "site_url": settings.SITE_URL}


def absolute(path: str) -> str:
    """The full address of a path such as `/games/3/`. It never depends on the Host header of a request."""
    return settings.SITE_URL + path
