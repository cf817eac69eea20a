"""Drafts, entries that open and close at a time, and who sees what until then."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts import closing
from accounts.models import Notice
from oceans.refusals import BadRequest, Refusal
from tests.tournaments.made import fields
from tests.tournaments.test_event_pages import choices, text_of
from tournaments import directing, running, ticking
from tournaments.models import Entrant, Tournament

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def made(by, now, **terms):
    usual = {"name": "Winter cup", "format": "round-robin", "game": "oe-twos", "pace": "classic", "most": 4}
    return Tournament.objects.get(pk=running.create(by=by, now=now, **{**usual, **terms}))


def enter(event, people, now):
    for one in people:
        running.enter(tournament_id=event.pk, user_id=one.pk, now=now)
    event.refresh_from_db()


def stamp(instant):
    """As a browser sends a date."""
    return f"{instant:%Y-%m-%dT%H:%M}"


class TestDraft:
    @pytest.fixture
    def now(self):
        return timezone.now()

    def test_a_draft_is_there_for_its_directors_only_until_it_is_opened(self, maker, staff, stranger):
        page = maker.post("/tournaments/new/", choices(draft="1", directors="stranger"))["Location"]
        event = Tournament.objects.get()
        assert event.is_draft
        others, helper = Client(), Client()
        others.force_login(fields(1)[0])
        helper.force_login(stranger)
        for client in (Client(), others):
            assert client.get(page).status_code == 404
            assert client.get(f"{page}figures.json").status_code == 404
            assert "Winter" not in text_of(client.get("/tournaments/"))
        for verb in ("enter", "open", "say", "cancel"):
            assert others.post(f"{page}{verb}/", {"text": "hello"}).status_code == 404
        assert others.get(f"{page}edit/").status_code == 404
        assert "Winter" in text_of(helper.get("/tournaments/")) and "only directors and staff" in text_of(
            helper.get(page)
        )
        for _twice in range(2):
            assert "It is open for entries." in text_of(maker.post(f"{page}open/", follow=True))
        assert "Sign in to enter" in text_of(Client().get(page))
        assert "Winter" in text_of(others.get("/tournaments/"))

    def test_a_form_posted_twice_makes_one_event(self, maker):
        for draft in ({"draft": "1"}, {}):
            first, second = (maker.post("/tournaments/new/", choices(**draft)) for _twice in range(2))
            assert first.status_code == second.status_code == 303
            assert first["Location"] == second["Location"]
        assert Tournament.objects.count() == 2

    def test_beside_an_open_event_a_member_may_keep_three_drafts(self, maker, player, now):
        assert maker.post("/tournaments/new/", choices()).status_code == 303
        page = text_of(maker.get("/tournaments/new/"))
        assert "Keep as a draft" in page and "Open for entries" not in page
        for number in range(3):
            draft = maker.post("/tournaments/new/", choices(draft="1", name=f"Draft {number}"))
            assert draft.status_code == 303
        refused = maker.post("/tournaments/new/", choices(draft="1", name="Draft 4"))
        assert (
            refused.status_code == 409 and "three drafts" in text_of(refused) and 'value="Draft 4"' in text_of(refused)
        )
        answer = text_of(maker.post(f"{draft['Location']}open/", follow=True))
        assert "let it start before you open another one" in answer
        first = Tournament.objects.get(state="open")
        directing.cancel(tournament_id=first.pk, by=player, now=now)
        assert "It is open for entries." in text_of(maker.post(f"{draft['Location']}open/", follow=True))

    def test_a_draft_thrown_away_is_seen_by_nobody(self, maker):
        page = maker.post("/tournaments/new/", choices(draft="1"))["Location"]
        for _twice in range(2):
            assert maker.post(f"{page}cancel/", follow=True).status_code == 200
        assert Client().get(page).status_code == 404
        assert "Winter" not in text_of(maker.get("/tournaments/"))
        assert maker.post("/tournaments/new/", choices(draft="1")).status_code == 303

    def test_the_page_says_when_entries_open(self, maker, rival, now):
        opens = now + 2 * DAY
        page = maker.post("/tournaments/new/", choices(opens_at=stamp(opens)))["Location"]
        client = Client()
        client.force_login(rival)
        told = f"Entries open on {opens:%Y-%m-%d %H:%M} UTC."
        seen = text_of(client.get(page))
        assert told in seen and f"{page}enter/" not in seen
        assert "Opening soon" in text_of(Client().get("/tournaments/"))
        assert told in text_of(client.post(f"{page}enter/", follow=True))
        assert not Entrant.objects.exists()
        assert "about to open" in text_of(maker.get("/tournaments/new/"))
        answer = maker.post(f"{page}edit/", choices(opens_at=""))
        assert answer.status_code == 400 and "set another time" in text_of(answer)
        later = opens + DAY
        assert maker.post(f"{page}edit/", choices(opens_at=stamp(later), pace="brisk")).status_code == 303
        ticking.steps(opens + timedelta(minutes=1))
        assert Tournament.objects.get().is_draft
        ticking.steps(later)
        event = Tournament.objects.get()
        assert event.is_open and event.pace == "brisk" and event.due_at is None

    def test_a_draft_with_a_time_is_announced_by_a_button(self, maker, now):
        page = maker.post("/tournaments/new/", choices(draft="1", opens_at=stamp(now + DAY)))["Location"]
        assert Client().get(page).status_code == 404
        ticking.steps(now + timedelta(hours=1))
        assert "Announce it" in text_of(maker.get(page))
        for _twice in range(2):
            assert "can see now when entries open" in text_of(maker.post(f"{page}announce/", follow=True))
        assert "Entries open on" in text_of(Client().get(page))

    def test_who_takes_himself_off_a_draft_is_led_to_a_page_he_may_see(self, maker, rival):
        page = maker.post("/tournaments/new/", choices(draft="1", directors="rival"))["Location"]
        helper = Client()
        helper.force_login(rival)
        answer = helper.post(f"{page}edit/", choices(directors=""), follow=True)
        assert answer.status_code == 200 and "Kept." in text_of(answer)
        assert helper.get(page).status_code == 404

    def test_drafts_go_with_the_account_that_made_them(self, maker, player, now):
        maker.post("/tournaments/new/", choices(draft="1"))
        maker.post("/tournaments/new/", choices(draft="1", name="Shared", directors="rival"))
        closing.close(player.pk, now)
        assert Tournament.objects.get().name == "Shared"


def test_a_forgotten_draft_stays_one_and_is_looked_at_again_when_it_opens(now, staff):
    event = made(staff, now, is_draft=True, starts="date", starts_at=now + 5 * DAY, opens_at=now + DAY)
    ticking.steps(now + 6 * DAY)
    event.refresh_from_db()
    assert event.is_draft and not event.is_announced and not Notice.objects.exists()
    with pytest.raises(BadRequest, match="date in the future"):
        directing.open_entries(tournament_id=event.pk, by=staff, now=now + 6 * DAY)
    directing.change(tournament_id=event.pk, by=staff, now=now, starts_at=now + 9 * DAY)
    with pytest.raises(Refusal, match="Open it for entries first"):
        directing.start(tournament_id=event.pk, by=staff, now=now)
    directing.open_entries(tournament_id=event.pk, by=staff, now=now + 6 * DAY)
    event.refresh_from_db()
    assert event.is_open and event.due_at == now + 9 * DAY


def test_an_old_page_does_not_say_that_a_running_event_is_open(now, staff):
    event = made(staff, now, is_draft=True)
    directing.open_entries(tournament_id=event.pk, by=staff, now=now)
    enter(event, fields(4), now)
    for verb in (directing.open_entries, directing.announce, directing.start):
        with pytest.raises(Refusal, match="begun already"):
            verb(tournament_id=event.pk, by=staff, now=now)


def test_who_comes_when_entries_open_need_not_wait_for_the_tick(now, staff):
    real = timezone.now()
    event = made(staff, real - 2 * DAY, opens_at=real - DAY)
    page = text_of(Client().get(f"/tournaments/{event.pk}/"))
    assert "open for entries" in page and "opens on" not in page
    enter(event, fields(1), real)
    assert event.is_open and event.entered == 1


@pytest.mark.parametrize(
    ("times", "words"),
    [
        ({"opens_at": -1}, "open in the future"),
        ({"closes_at": -1}, "close in the future"),
        ({"closes_at": 9}, "close before the start"),
        ({"opens_at": 8}, "open before they close"),
        ({"opens_at": 4, "closes_at": 3}, "open before they close"),
        ({"opens_at": 732}, "look at its year"),
    ],
)
def test_times_that_do_not_follow_on_one_another_are_refused(now, staff, times, words):
    times = {name: now + days * DAY for name, days in times.items()}
    with pytest.raises(BadRequest, match=words):
        made(staff, now, starts="date", starts_at=now + 8 * DAY, **times)


def test_what_starts_by_itself_has_no_end_of_entries(now, staff):
    with pytest.raises(BadRequest, match="close when it starts"):
        made(staff, now, format="mini-cup", closes_at=now + DAY)


def test_between_the_end_of_entries_and_the_start_nobody_enters(now, staff, time_machine):
    time_machine.move_to(now, tick=False)
    event = made(staff, now, most=9, starts="date", starts_at=now + 8 * DAY, closes_at=now + 5 * DAY)
    *people, late = fields(5)
    enter(event, people, now)
    assert "entries are closed" not in text_of(Client().get("/tournaments/"))
    time_machine.move_to(now + 5 * DAY, tick=False)
    ticking.steps(now + 5 * DAY)
    with pytest.raises(Refusal, match="Entries closed on 2026-07-06 12:00 UTC"):
        enter(event, [late], now + 5 * DAY)
    assert "entries are closed" in text_of(Client().get("/tournaments/"))
    directing.change(tournament_id=event.pk, by=staff, now=now + 6 * DAY, text="See you")
    with pytest.raises(Refusal, match="later, but not earlier"):
        directing.change(tournament_id=event.pk, by=staff, now=now, closes_at=now + 4 * DAY)
    ticking.steps(now + 7 * DAY)
    event.refresh_from_db()
    assert event.is_open and event.text == "See you"
    ticking.steps(now + 8 * DAY)
    event.refresh_from_db()
    assert event.is_running and event.entered == 4


def test_entries_may_be_closed_later_and_so_open_again(now, staff):
    event = made(staff, now, most=9, starts="hand", closes_at=now + 5 * DAY)
    *people, late = fields(4)
    enter(event, people, now)
    ticking.steps(now + 5 * DAY)
    directing.change(tournament_id=event.pk, by=staff, now=now + 6 * DAY, closes_at=now + 7 * DAY)
    enter(event, [late], now + 6 * DAY)
    ticking.steps(now + 9 * DAY)
    directing.start(tournament_id=event.pk, by=staff, now=now + 9 * DAY)
    event.refresh_from_db()
    assert event.is_running and event.entered == 4


def test_what_starts_when_full_starts_at_the_end_of_entries_with_who_is_in(now, staff):
    event = made(staff, now, most=9, closes_at=now + 5 * DAY)
    enter(event, fields(3), now)
    ticking.steps(now + 4 * DAY)
    event.refresh_from_db()
    assert event.is_open
    ticking.steps(now + 5 * DAY)
    event.refresh_from_db()
    assert event.is_running


@pytest.mark.parametrize("starts", [{"starts": "full"}, {"starts": "hand"}, {"starts": "date", "starts_at": 8}])
def test_with_too_few_at_the_end_of_entries_they_stay_open_for_a_week_once(now, staff, starts):
    if "starts_at" in starts:
        starts = {**starts, "starts_at": now + 8 * DAY}
    event = made(staff, now, most=9, closes_at=now + 5 * DAY, **starts)
    enter(event, fields(2), now)
    ticking.steps(now + 5 * DAY)
    event.refresh_from_db()
    assert event.is_open and event.closes_at == now + 12 * DAY
    assert event.starts_at in (None, now + 15 * DAY)
    ticking.steps(now + 12 * DAY)
    event.refresh_from_db()
    assert event.state == "cancelled"
    told = Notice.objects.filter(kind="event-starts", dedup__contains="cancelled")
    assert set(told.values_list("user__username", flat=True)) == {"p1", "p2", "staff"}
