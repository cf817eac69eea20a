"""The addresses of ratings, ladders and events."""

from django.urls import path

from tournaments.views import ratings

urlpatterns = [
    path("ratings/", ratings.pools, name="ratings"),
    path("ratings/<slug:pool>/", ratings.board, name="rating_board"),
]
