"""Staff pages of play: they open, they tell no hidden card, they change nothing but what they say."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.urls import reverse

from accounts.models import User
from oceans import ledger, offers, play
from oceans.models import Chat, Match, Note, Order, SealedAnswer, Shuffle
from tests.builders import answer, opened, state_of

SECRET_PARTS = {"secret", "seed"}
SECRET = (Shuffle, SealedAnswer, Order, Note)


@pytest.fixture
def staff_client(client, db):
    client.force_login(User.objects.create_superuser("keeper", "keeper@example.org", "a password for tests"))
    return client


def test_what_is_secret_has_no_page():
    assert not [model for model in SECRET if model in admin.site._registry]


def test_the_page_of_a_running_match_tells_neither_cards_nor_seeds(staff_client, player, rival, now):
    match = opened(now, player, rival, game="guts")
    answer(match, "in", now, seat=0)
    secrets = ledger.secrets_of(match)
    hidden = {held.card for place in state_of(match).state.table.places for held in place.hole}
    for url in (
        reverse("admin:oceans_match_changelist"),
        reverse("admin:oceans_match_change", args=[match.pk]),
    ):
        text = staff_client.get(url).content.decode()
        assert match.fair_id in text
        assert secrets.seed.hex() not in text
        assert not [card for card in hidden if f">{card}<" in text or f" {card} " in text]


def test_second_factors_can_be_taken_away_but_not_read(staff_client, player):
    """Whoever could read them could sign in as anybody."""
    TOTP.activate(player, "JBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(player)
    factors = Authenticator.objects.filter(user=player)
    urls = [reverse("admin:mfa_authenticator_change", args=[factor.pk]) for factor in factors]
    for url in (reverse("admin:mfa_authenticator_changelist"), *urls):
        page = staff_client.get(url).content.decode()
        assert "player" in page
        assert not any(factor.data[name] in page for factor in factors for name in factor.data.keys() & SECRET_PARTS)
    staff_client.post(reverse("admin:mfa_authenticator_delete", args=[factors[0].pk]), {"post": "yes"})
    assert factors.all().count() == 1


def test_sessions_of_others_cannot_be_read():
    assert UserSession not in admin.site._registry


def test_lists_open_and_offer_no_way_to_write(staff_client, player, rival, now):
    opened(now, player, rival)
    offers.post(user=player, game="oe-twos", now=now, private=True)
    for model in admin.site._registry:
        if model._meta.app_label == "oceans":
            name = f"admin:oceans_{model._meta.model_name}"
            assert staff_client.get(reverse(f"{name}_changelist")).status_code == 200
            refused = staff_client.get(reverse(f"{name}_add"))
            assert refused.status_code == 403
            assert "You may not see this page" in refused.content.decode()


def test_the_token_of_a_private_link_is_not_told(staff_client, player, now):
    (match_id,) = offers.post(user=player, game="oe-twos", now=now, private=True)
    token = offers.Offer.objects.get().token
    page = staff_client.get(reverse("admin:oceans_offer_change", args=[match_id])).content.decode()
    assert "player" in page and token not in page


def test_a_stopped_match_can_be_let_go_on(staff_client, player, rival, now):
    match = opened(now, player, rival)
    for _ in range(5):
        play.note_failure(match_id=match.pk, now=now)
    url = reverse("admin:oceans_match_changelist")
    staff_client.post(url, {"action": "let_go_on", "_selected_action": [match.pk]})
    assert Match.objects.get().is_running


def test_a_line_of_talk_can_be_deleted(staff_client, player, rival, now):
    match = opened(now, player, rival)
    play.say(match_id=match.pk, user_id=player.pk, text="nothing nice", now=now)
    line = Chat.objects.get()
    staff_client.post(reverse("admin:oceans_chat_delete", args=[line.pk]), {"post": "yes"})
    assert not Chat.objects.exists()
