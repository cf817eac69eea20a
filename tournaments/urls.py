"""The addresses of ratings, ladders and events."""

from django.urls import path

from tournaments.views import ladders, ratings

urlpatterns = [
    path("ratings/", ratings.pools, name="ratings"),
    path("ratings/<slug:pool>/", ratings.board, name="rating_board"),
    path("ladders/", ladders.ladders, name="ladders"),
    path("ladders/<slug:slug>/", ladders.ladder, name="ladder"),
    path("ladders/<slug:slug>/join/", ladders.join, name="ladder_join"),
    path("ladders/<slug:slug>/leave/", ladders.leave, name="ladder_leave"),
    path("ladders/<slug:slug>/challenge/", ladders.challenge, name="ladder_challenge"),
    path("ladders/<slug:slug>/history/", ladders.history, name="ladder_history"),
    path("challenge/<int:challenge_id>/<slug:verb>/", ladders.answer, name="challenge"),
]
