"""Every address of the site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path, register_converter
from django.urls.converters import IntConverter

from oceans import health, metrics
from oceans.views import home, lobby, luck, match, orders, people, replay, rules, turn

# Django's own admin sign-in knows neither the limits nor the second factor of the site's.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]


class MatchNumber(IntConverter):
    """The number of a match, no longer than every database takes."""

    regex = "[0-9]{1,18}"


register_converter(MatchNumber, "match")

urlpatterns = [
    path("", home.home, name="home"),
    path("turn/", turn.turn, name="turn"),
    path("turn/next/", turn.next_game, name="turn_next"),
    path("game/<match:match_id>/", match.page, name="match"),
    path("game/<match:match_id>/move/", match.move, name="move"),
    path("game/<match:match_id>/aside/", turn.put_aside, name="put_aside"),
    path("game/<match:match_id>/concede/", match.sure, {"verb": "concede"}, name="concede"),
    path("game/<match:match_id>/fold/", match.sure, {"verb": "fold"}, name="fold"),
    path("game/<match:match_id>/resign/", match.resign, name="resign"),
    path("game/<match:match_id>/give-time/", match.give_time, name="give_time"),
    path("game/<match:match_id>/order/", orders.page, name="order"),
    path("game/<match:match_id>/order/clear/", orders.clear, name="order_clear"),
    path("game/<match:match_id>/chat/", match.chat, name="chat"),
    path("game/<match:match_id>/note/", match.note, name="note"),
    path("game/<match:match_id>/rematch/", match.rematch, name="rematch"),
    path("game/<match:match_id>/replay/", replay.replay, name="replay"),
    path("game/<match:match_id>/luck/", luck.luck, name="luck"),
    path("game/<match:match_id>/luck/ask/", luck.ask, name="luck_ask"),
    path("game/<match:match_id>/record.txt", replay.record_as_text, name="record_text"),
    path("game/<match:match_id>/record.json", replay.record_as_json, name="record_json"),
    path("game/<match:match_id>/fair/", replay.fair_match, name="fair_match"),
    path("game/<match:match_id>/fair.json", replay.fair_record, name="fair_record"),
    path("lobby/", lobby.lobby, name="lobby"),
    path("lobby/new/", lobby.new, name="lobby_new"),
    path("lobby/<match:match_id>/join/", lobby.accept, name="offer_join"),
    path("lobby/<match:match_id>/decline/", lobby.decline, name="offer_decline"),
    path("lobby/<match:match_id>/withdraw/", lobby.withdraw, name="offer_withdraw"),
    path("join/<str:token>/", lobby.join, name="join"),
    path("bot/", lobby.bot, name="bot"),
    path("player/<str:name>/", people.player, name="player"),
    path("player/<str:name>/block/", people.block, name="player_block"),
    path("games/", rules.games, name="games"),
    path("games/<slug:slug>/", rules.rules, name="rules"),
    path("fair/", rules.fair, name="fair"),
    path("help/", rules.help_page, name="help"),
    path("accounts/", include("allauth.urls")),
    path("", include("accounts.urls")),
    path("", include("tournaments.urls")),
    path("admin/", admin.site.urls),
    path("healthz/live", health.live),
    path("healthz/ready", health.ready),
    path("healthz/deep", health.deep),
    path("metrics", metrics.page),
]

handler500 = "oceans.errors.server_error"
