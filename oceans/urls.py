"""Every address of the site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from oceans import health, metrics

# Django's own admin sign-in knows neither the limits nor the second factor of the site's.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("accounts/", include("allauth.urls")),
    path("", include("accounts.urls")),
    path("admin/", admin.site.urls),
    path("healthz/live", health.live),
    path("healthz/ready", health.ready),
    path("healthz/deep", health.deep),
    path("metrics", metrics.page),
]

handler500 = "oceans.errors.server_error"
