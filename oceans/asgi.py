"""The ASGI entry, for hosts that offer nothing else; WSGI is the faster one for this site (docs/decisions)."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "oceans.settings")

application = get_asgi_application()
