"""The site's addresses, and two views that every figure of site.py is compared with."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from oceans import urls
from oceans.models import Seat


def constant(_request: HttpRequest) -> HttpResponse:
    """A view that does nothing: what the middlewares and the test client cost."""
    return HttpResponse("ok")


def me(request: HttpRequest) -> HttpResponse:
    """Session, user and one row more."""
    seat = Seat.objects.filter(user=request.user, is_due=True).first()
    return HttpResponse(f"{request.user.username} {seat}")


urlpatterns = [*urls.urlpatterns, path("bench/constant/", constant), path("bench/me/", me)]
