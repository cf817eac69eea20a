"""The addresses of ratings, ladders and events."""

from django.urls import path

from tournaments.views import event_figures, event_verbs, events, ladders, ratings

urlpatterns = [
    path("ratings/", ratings.pools, name="ratings"),
    path("ratings/<slug:pool>/", ratings.board, name="rating_board"),
    path("ladders/", ladders.ladders, name="ladders"),
    path("ladders/ask/", ladders.ask, name="ladder_ask"),
    path("ladders/<slug:slug>/", ladders.ladder, name="ladder"),
    path("ladders/<slug:slug>/join/", ladders.join, name="ladder_join"),
    path("ladders/<slug:slug>/leave/", ladders.leave, name="ladder_leave"),
    path("ladders/<slug:slug>/challenge/", ladders.challenge, name="ladder_challenge"),
    path("ladders/<slug:slug>/history/", ladders.history, name="ladder_history"),
    path("tournaments/", events.events, name="tournaments"),
    path("tournaments/new/", events.new, name="tournament_new"),
    path("tournaments/wake/", event_verbs.wake, name="tournaments_wake"),
    path("tournaments/<int:pk>/", events.event, name="tournament"),
    path("tournaments/<int:pk>/edit/", events.edit, name="tournament_edit"),
    path("tournaments/<int:pk>/figures.json", event_figures.figures, {"kind": "json"}, name="tournament_json"),
    path(
        "tournaments/<int:pk>/standings.csv", event_figures.figures, {"kind": "standings"}, name="tournament_standings"
    ),
    path("tournaments/<int:pk>/pairings.csv", event_figures.figures, {"kind": "pairings"}, name="tournament_pairings"),
    path("tournaments/<int:pk>/<slug:verb>/", event_verbs.act, name="tournament_act"),
    path("challenge/<int:challenge_id>/<slug:verb>/", ladders.answer, name="challenge"),
]
