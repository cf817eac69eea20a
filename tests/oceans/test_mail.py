"""Mails about play: who is told what and when, what the mails show, and that opening their links changes nothing."""

import re
from datetime import timedelta

import pytest
from django.apps import apps
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts import blocking, sending
from accounts.models import Leave, Notice, TurnMail, User
from accounts.news import Kind
from oceans import mail_games, offers, play, queries, service, tick
from oceans.clock import DAY
from oceans.models import Match
from tests.builders import (
    answer,
    answer_until_turn_passes,
    at_service_time,
    due_seat,
    give_notice,
    opened,
    other_seat,
    play_out,
    state_of,
)

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _letters_are_kept(settings, monkeypatch):
    monkeypatch.setattr(service, "wall_clock", timezone.now)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def send(time_machine, now):
    """Sends what is due so long after the test began."""

    def send(after=timedelta()):
        time_machine.move_to(now + after, tick=False)
        return sending.dispatch(now + after)

    time_machine.move_to(now, tick=False)
    return send


@pytest.fixture
def match(player, rival, now):
    return opened(now, player, rival)


def to(user):
    return [one for one in mail.outbox if one.to == [user.email]]


def parts(one):
    return one.body, one.alternatives[0].content


def states(kind):
    return sorted(Notice.objects.filter(kind=kind).values_list("state", flat=True))


# Your turn


def test_half_an_hour_after_the_turn_passed_the_player_is_told(match, send):
    send(29 * MINUTE)
    assert mail.outbox == []
    send(31 * MINUTE)
    (one,) = mail.outbox
    assert one.to == [due_seat(match).user.email]
    rival = other_seat(match, due_seat(match)).user.username
    assert one.subject == f"Your move against {rival}: Ocean's Eleven, twos wild, 10 days left"


def test_who_has_been_here_since_is_not_told(match, send, now):
    User.objects.update(last_seen_at=now + 10 * MINUTE)
    send(31 * MINUTE)
    assert mail.outbox == []
    assert states(Kind.YOUR_TURN) == ["skipped"]


def test_who_has_moved_since_is_not_told(match, send, now):
    answer_until_turn_passes(match, now + 10 * MINUTE)
    send(31 * MINUTE)
    assert mail.outbox == []


def test_one_mail_for_each_absence(match, player, rival, stranger, send, now, time_machine):
    away = due_seat(match).user
    send(31 * MINUTE)
    second = opened(now + 2 * HOUR, away, stranger)
    if due_seat(second).user_id != away.pk:
        answer_until_turn_passes(second, now + 2 * HOUR)
    send(3 * HOUR)
    assert len(to(away)) == 1
    User.objects.filter(pk=away.pk).update(last_seen_at=now + 4 * HOUR)
    third = opened(now + 5 * HOUR, away, stranger)
    if due_seat(third).user_id != away.pk:
        answer_until_turn_passes(third, now + 5 * HOUR)
    send(6 * HOUR)
    assert len(to(away)) == 2
    assert to(away)[1].subject.startswith("Your move in 3 games, the first within 10 days")


def test_every_turn_is_told_to_those_who_want_it(match, send, now):
    reader = due_seat(match).user
    User.objects.filter(pk=reader.pk).update(turn_mail=TurnMail.EVERY, last_seen_at=now + 10 * MINUTE)
    send(31 * MINUTE)
    assert len(to(reader)) == 1


@pytest.mark.parametrize("wish", [TurnMail.NEVER, TurnMail.DAILY])
def test_those_who_want_none_get_none(match, send, wish):
    User.objects.update(turn_mail=wish)
    send(31 * MINUTE)
    assert mail.outbox == []


def test_games_that_begin_together_make_one_mail_and_list_all_once(player, rival, stranger, now, send):
    for _ in range(6):
        opened(now, player, rival)
    opened(now, player, rival, game="guts")
    send(31 * MINUTE)
    assert len(mail.outbox) == 2
    for one in mail.outbox:
        reader = User.objects.get(email=one.to[0])
        waiting = [row.id for row in queries.waiting_for(reader)]
        for part in parts(one):
            shown = [int(number) for number in re.findall(r"http://localhost:8000/game/(\d+)/", part)]
            assert shown == waiting


def test_a_run_of_cards_tells_the_player_nothing_and_the_opponent_once(match, send, now):
    """Behaviour 9: no mail about one's own further turns, one to the opponent who is away, one result mail each."""
    mover = due_seat(match)
    away = other_seat(match, mover).user
    answer_until_turn_passes(match, now)
    send(31 * MINUTE)
    assert to(mover.user) == []
    assert len(to(away)) == 1
    play_out(match, now + 40 * MINUTE)
    mail.outbox.clear()
    send(2 * HOUR)
    assert sorted(one.to[0] for one in mail.outbox) == sorted([mover.user.email, away.email])
    assert all("You won" in one.subject or "You lost" in one.subject for one in mail.outbox)


def test_after_an_outage_of_the_mail_only_what_is_still_true_goes(match, send, now):
    """Behaviour 8."""
    for step in range(4):
        answer_until_turn_passes(match, now + step * HOUR)
    send(timedelta(days=1))
    (one,) = mail.outbox
    assert one.to == [due_seat(match).user.email]


# What a mail shows


def test_a_mail_names_both_rows_and_what_they_are_worth(match, send, now):
    seat = due_seat(match)
    send(31 * MINUTE)
    text, html = parts(mail.outbox[0])
    view = queries.view_of(match, None).view
    for one in view.seats:
        for card in one.row:
            letters = mail_games.sign(card) + "cdhsr"[card.suit]
            assert letters in text
            assert mail_games.sign(card) + mail_games.SUIT_SIGNS[card.suit] + "\ufe0e" in html
    assert "You are behind: " in text
    assert re.search(r"left \(until \w{3} \d+ \w{3}, \d\d:\d\d UTC at least\)", text)
    assert seat.user.username in text


def test_each_mail_of_a_match_has_its_commitment_and_the_head_of_its_log(match, send):
    send(31 * MINUTE)
    head = queries.fair_record(match, None)["log_head"]
    for part in parts(mail.outbox[0]):
        assert match.commitment in part and head in part


def test_suits_never_turn_into_coloured_pictures(match, send):
    send(31 * MINUTE)
    _text, html = parts(mail.outbox[0])
    signs = re.findall("[\u2660\u2663\u2665\u2666\u273f](.)", html)
    assert signs and set(signs) == {"\ufe0e"}


def test_times_are_in_the_readers_zone(match, send):
    User.objects.update(time_zone="Asia/Tokyo")
    send(31 * MINUTE)
    assert "JST at least" in mail.outbox[0].body


def test_hidden_cards_and_seeds_are_in_no_mail(player, rival, now, send):
    match = opened(now, player, rival, game="guts")
    hidden = {held.card for place in state_of(match).state.table.places for held in place.hole}
    send(31 * MINUTE)
    assert len(mail.outbox) == 2
    for one in mail.outbox:
        for part in parts(one):
            for card in hidden:
                spellings = (str(card), mail_games._letters(card, None), mail_games._signs(card, None), card.name)
                assert not any(re.search(rf"\b{re.escape(text)}\b", part) for text in spellings)


def test_what_a_mail_shows_does_not_depend_on_hidden_cards(player, rival, now, send):
    """Two matches of the same public course: their mails differ in numbers, commitments and addresses alone."""
    texts = set()
    for _ in range(3):
        match = opened(now, player, rival, game="guts")
        (row,) = [row for row in queries.waiting_for(player, now) if row.id == match.pk]
        game = mail_games.mail_game(row, now)
        texts.add((game.about, game.verdict, game.rows, game.question, game.left))
    assert len(texts) == 1


# Running out, time-outs, results


def test_the_final_reminder_says_how_long_is_left(match, send, now):
    seat = due_seat(match)
    at_service_time(seat.remind_s, now)
    tick.reminders.remind(now, seat.remind_s)
    send(MINUTE)
    (one,) = to(seat.user)
    assert one.subject.startswith("1 day 23 hours left against ")
    assert "your clock runs out in" in one.body
    seat.refresh_from_db()
    assert seat.notice_s is not None and seat.effective_s == seat.deadline_s


def reminder_of(match, send, now):
    """What the final reminder of the seat that is due says."""
    seat = due_seat(match)
    at_service_time(seat.remind_s, now)
    tick.reminders.remind(now, seat.remind_s)
    send(HOUR)
    return next(one.body for one in to(seat.user) if "your clock runs out in" in one.body)


@pytest.mark.parametrize(
    ("terms", "moves", "said"),
    [
        ({"leave_allowed": "none"}, 0, "the game is called off."),
        ({}, 0, "the game is called off. Leave stops it"),
        ({"leave_allowed": "none"}, 2, "you lose the game."),
        ({}, 2, "a day of your leave is spent."),
        ({"event": "test:1", "leave_allowed": "none"}, 0, "you lose the game."),
    ],
)
def test_the_final_reminder_says_what_follows(player, rival, send, now, terms, moves, said):
    match = opened(now, player, rival, **terms)
    for _move in range(moves):
        answer_until_turn_passes(match, now)
    assert f"If it does, {said}" in reminder_of(match, send, now)


def test_the_final_reminder_of_who_has_no_leave_left_promises_none(player, rival, send, now):
    match = opened(now, player, rival)
    for _move in range(2):
        answer_until_turn_passes(match, now)
    due = due_seat(match).user
    Leave.objects.create(user=due, starts_at=now, days=5, begun_at=now, ended_at=now, is_automatic=True)
    User.objects.update(date_joined=now)
    text = reminder_of(match, send, now)
    assert "If it does, you lose the game." in text
    assert "leave" not in text.lower().split("take a holiday")[0]


@pytest.mark.parametrize(
    ("patience", "said"), [(2, "the game answers for you."), (1, "you leave this game, and the others play on.")]
)
def test_the_final_reminder_at_a_larger_table_says_what_follows(player, rival, stranger, send, now, patience, said):
    match = opened(now, player, rival, stranger, game="five-draw", patience=patience, leave_allowed="none")
    answer(match, "check", now)
    assert f"If it does, {said}" in reminder_of(match, send, now)


def test_a_reminder_whose_player_has_moved_is_not_sent(match, send, now):
    seat = due_seat(match)
    at_service_time(seat.remind_s, now)
    tick.reminders.remind(now, seat.remind_s)
    answer_until_turn_passes(match, now)
    send(MINUTE)
    assert to(seat.user) == []
    assert states(Kind.RUNNING_OUT) == ["skipped"]


def test_a_reminder_is_sent_to_who_has_turned_a_card_up_but_is_still_to_answer(match, send, now):
    """Cards turned up within a visit do not move its deadline: the warning is as true as before."""
    seat = due_seat(match)
    at_service_time(seat.remind_s, now)
    tick.reminders.remind(now, seat.remind_s)
    Match.objects.filter(pk=match.pk).update(turn=match.turn + 1)
    send(MINUTE)
    assert states(Kind.RUNNING_OUT) == ["sent"]


def test_both_hear_of_a_loss_on_time_once_and_get_no_turn_mail(match, send, now):
    answer_until_turn_passes(match, now)
    answer_until_turn_passes(match, now)
    User.objects.update(auto_leave=False)
    give_notice(match)
    loser = due_seat(match)
    at_service_time(loser.effective_s, now)
    assert play.run_out_clock(match_id=match.pk, now=now)
    send(2 * HOUR)
    assert len(mail.outbox) == 2
    (one,) = to(loser.user)
    assert one.subject.startswith("You lost ") and "Ended by: time." in one.body


def test_a_table_of_three_tells_who_was_answered_for(player, rival, stranger, now, send):
    match = opened(now, player, rival, stranger, game="guts", pace="days-1", leave_allowed="none")
    answer(match, "in", now, seat=0)
    answer(match, "in", now, seat=1)
    give_notice(match)
    late = match.seats.get(number=2).user
    at_service_time(DAY, now)
    play.run_out_clock(match_id=match.pk, now=now)
    send(MINUTE)
    (one,) = to(late)
    assert one.subject == "Your time ran out: Guts, 3 players"
    assert "the next time, you leave the game" in one.body


def test_a_cancelled_match_tells_both_why(match, send, now):
    play.resign(match_id=match.pk, seat=0, now=now)
    send(MINUTE)
    assert len(mail.outbox) == 2
    assert all("was cancelled: a player left before the first move" in one.body for one in mail.outbox)


def test_an_invitation_leads_to_the_page_with_the_buttons_and_ends_with_the_offer(player, rival, now, send):
    made = offers.post(user=player, game="oe-twos", invite="rival", now=now)
    send(MINUTE)
    (one,) = to(rival)
    assert one.subject == "player invites you to Ocean's Eleven, twos wild"
    assert "http://localhost:8000/turn/" in one.body
    assert Match.objects.get(pk=made[0]).commitment in one.body
    second = offers.post(user=player, game="oe-twos", invite="rival", now=now)
    offers.withdraw(match_id=second[0], user=player, now=now)
    send(2 * HOUR)
    assert len(to(rival)) == 1


def test_an_invitation_is_not_told_after_a_block(player, rival, now, send):
    offers.post(user=player, game="oe-twos", invite="rival", now=now)
    blocking.block(rival.pk, player.pk, now)
    send(MINUTE)
    assert to(rival) == []


def test_a_rematch_of_a_larger_table_is_told_to_all_others_until_they_have_joined(player, rival, stranger, now, send):
    match = opened(now, player, rival, stranger, game="guts")
    play_out(match, now)
    (wish,) = {offers.rematch(match_id=match.pk, user=user, now=now) for user in (player, stranger)}
    send(MINUTE)
    send(6 * HOUR)
    asked = {one.to[0] for one in mail.outbox if "invites you to a game" in one.body}
    assert asked == {rival.email}
    assert Match.objects.get(pk=wish).commitment in "".join(one.body for one in to(rival))


def test_two_runs_of_the_tick_send_one_mail(match, send, now, time_machine):
    time_machine.move_to(now + 31 * MINUTE, tick=False)
    tick.tick()
    tick.tick()
    assert len(mail.outbox) == 1


# Links


VISITS = {"last_login", "last_seen_at", "seen_number", "end_seen_at"}
"""Columns that say that somebody was here and looked, which is all that looking may change."""


def everything() -> dict[str, list]:
    """All rows of the database, but for sessions and the columns of visits."""
    models = [model for model in apps.get_models() if model._meta.app_label not in ("sessions", "usersessions")]
    return {
        model._meta.label: sorted(
            map(
                repr,
                model.objects.values_list(
                    *(field.attname for field in model._meta.concrete_fields if field.attname not in VISITS)
                ),
            )
        )
        for model in models
    }


def mails_of_every_kind(player, rival, stranger, now, send):
    User.objects.filter(pk__in=[player.pk, rival.pk]).update(date_joined=now - timedelta(days=100))
    late = opened(now, player, rival, pace="days-1")
    answer_until_turn_passes(late, now)
    answer_until_turn_passes(late, now)
    lost = opened(now, player, stranger, pace="days-1", leave_allowed="none")
    answer_until_turn_passes(lost, now)
    answer_until_turn_passes(lost, now)
    table = opened(now, player, rival, stranger, game="guts", pace="days-1", leave_allowed="none")
    answer(table, "in", now, seat=0)
    called_off = opened(now, player, rival)
    play.resign(match_id=called_off.pk, seat=0, now=now)
    offers.post(user=player, game="oe-twos", invite="rival", now=now)
    send(31 * MINUTE)
    for seat in late.seats.filter(is_due=True):
        tick.reminders.remind(now, seat.remind_s)
    at_service_time(DAY - 60, now)
    tick.reminders.remind(now, DAY)
    send(32 * MINUTE)
    for match in (late, lost, table):
        give_notice(match)
    at_service_time(DAY, now)
    for match in (late, lost, table):
        play.run_out_clock(match_id=match.pk, now=now)
    User.objects.filter(pk=player.pk).update(turn_mail=TurnMail.DAILY)
    tick.reminders.owe_digests(now)
    for hours in range(2, 30, 2):
        send(hours * HOUR)


def links_of(one) -> set[str]:
    return set(re.findall(r"""https?://[^\s"'<>]+""", " ".join(part.replace("&amp;", "&") for part in parts(one))))


def test_opening_every_link_of_every_mail_changes_nothing(player, rival, stranger, now, send):
    """Behaviour 19: scanners open links, with and without the owner's cookies."""
    mails_of_every_kind(player, rival, stranger, now, send)
    kinds = set(Notice.objects.filter(state="sent").values_list("kind", flat=True))
    assert kinds >= {
        Kind.YOUR_TURN,
        Kind.RUNNING_OUT,
        Kind.LEAVE_SPENT,
        Kind.TIMED_OUT,
        Kind.RESULT,
        Kind.CANCELLED,
        Kind.INVITATION,
        Kind.DIGEST,
    }
    before = everything()
    for one in mail.outbox:
        owner = Client()
        owner.force_login(User.objects.get(email=one.to[0]))
        for link in links_of(one):
            assert link.startswith("http://localhost:8000/"), link
            assert "token" not in link or "/settings/mail/off/" in link
            for client in (owner, Client()):
                for verb in (client.get, client.head, client.options):
                    assert verb(link.removeprefix("http://localhost:8000")).status_code < 500
    assert everything() == before


def test_every_mail_can_be_stopped_by_one_post(match, send):
    send(31 * MINUTE)
    (one,) = mail.outbox
    link = one.extra_headers["List-Unsubscribe"].strip("<>").removeprefix("http://localhost:8000")
    assert one.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    reader = User.objects.get(email=one.to[0])
    Client().get(link)
    assert User.objects.get(pk=reader.pk).news == reader.news
    Client(enforce_csrf_checks=True).post(link, {"List-Unsubscribe": "One-Click"})
    assert User.objects.get(pk=reader.pk).news["your-turn"]["mail"] is False
