"""The frame around every page: headers, limits, errors, health and metrics."""

from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from django.test import RequestFactory
from django.utils import timezone

from accounts.models import Notice
from oceans import errors, health, settings
from oceans.caching import FallbackRedisCache
from oceans.models import ServiceClock


def test_a_page_with_a_session_is_kept_by_no_cache(client):
    response = client.get("/accounts/login/")
    assert response["Cache-Control"] == "private, no-store"
    assert "Cookie" in response["Vary"]
    assert not response.has_header("ETag")


def test_browsers_are_told_to_load_and_run_only_what_is_ours(client):
    policy = client.get("/accounts/login/")["Content-Security-Policy"]
    assert "script-src 'self'" in policy and "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("site", "mode", "destination", "method", "refused"),
    [
        ("cross-site", "navigate", "document", "get", False),
        ("cross-site", "navigate", "iframe", "get", True),
        ("cross-site", "no-cors", "image", "get", True),
        ("cross-site", "navigate", "document", "post", True),
        ("same-origin", "cors", "empty", "get", False),
        ("none", "navigate", "document", "get", False),
    ],
)
def test_other_sites_may_link_here_and_nothing_else(client, site, mode, destination, method, refused):
    response = getattr(client, method)(
        "/accounts/login/",
        headers={"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": destination},
    )
    assert (response.status_code == 403) is refused


@pytest.mark.parametrize(
    "data",
    [{"login": "x" * 70_000}, {f"field{number}": "x" for number in range(300)}],
    ids=["too long", "too many fields"],
)
def test_a_form_beyond_any_honest_size_is_refused(client, data):
    response = client.post("/accounts/login/", urlencode(data), content_type="application/x-www-form-urlencoded")
    assert response.status_code == 400


def test_the_site_says_try_again_when_its_database_is_away():
    try:
        raise OperationalError
    except OperationalError:
        response = errors.server_error(RequestFactory().get("/"))
    assert response.status_code == 503
    assert response["Retry-After"] == "30"
    assert "Nothing was changed" in response.content.decode()


def test_other_faults_are_plain_server_errors():
    try:
        raise RuntimeError
    except RuntimeError:
        response = errors.server_error(RequestFactory().get("/"))
    assert response.status_code == 500


def test_a_process_that_answers_is_live(client):
    assert client.get("/healthz/live").json() == {"ok": True}


@pytest.mark.django_db
def test_a_process_with_a_database_is_ready(client):
    assert client.get("/healthz/ready").json() == {"ok": True, "checks": {"database": "ok"}}


def test_a_check_that_complains_is_named(client):
    response = health.report({"database": lambda: None, "tick": lambda: "too old"})
    assert response.status_code == 503
    assert b'"tick": "too old"' in response.content


@pytest.mark.django_db
class TestDeepHealth:
    """The page that says whether the work of the tick gets done."""

    @pytest.fixture
    def clock(self):
        now = timezone.now()
        return ServiceClock.objects.create(pk=1, last_wall=now, last_tick_at=now)

    def test_all_is_well_after_a_tick(self, client, clock):
        assert client.get("/healthz/deep").json()["ok"] is True

    def test_a_site_that_never_ticked_is_not_well(self, client):
        response = client.get("/healthz/deep")
        assert (response.status_code, response.json()["checks"]["tick"]) == (503, "no tick of late")

    def test_an_old_tick_is_named(self, client, clock):
        clock.last_tick_at -= timedelta(seconds=100)
        clock.save()
        assert client.get("/healthz/deep").json()["checks"]["tick"] == "no tick of late"
        assert "oceans_tick_age_seconds 10" in client.get("/metrics").text

    def test_mail_that_waits_is_named(self, client, clock, player):
        due_at = timezone.now() - timedelta(minutes=20)
        Notice.objects.create(dedup="a", user=player, kind="result", due_at=due_at)
        assert client.get("/healthz/deep").json()["checks"]["mail"].endswith("s late")

    def test_mail_for_later_is_not_late(self, client, clock, player):
        Notice.objects.create(dedup="a", user=player, kind="result", due_at=timezone.now() + timedelta(hours=1))
        assert client.get("/healthz/deep").json()["checks"]["mail"] == "ok"

    def test_a_clock_that_stands_still_for_hours_is_named(self, client, clock):
        clock.down_since = timezone.now() - timedelta(hours=2)
        clock.save()
        assert client.get("/healthz/deep").json()["checks"]["service time"] == "stands still"


@pytest.mark.django_db
def test_metrics_count_requests_by_route(client):
    client.get("/healthz/live")
    assert 'oceans_requests_total{method="GET",route="healthz/live",status="200"}' in client.get("/metrics").text


@pytest.mark.django_db
def test_metrics_are_not_for_a_socket_without_addresses(client):
    assert client.get("/metrics", REMOTE_ADDR="").status_code == 403


@pytest.mark.django_db
@pytest.mark.parametrize("body", [{"text": "x" * 70_000}, {f"field{number}": "" for number in range(300)}])
def test_a_post_that_is_too_large_is_refused_in_words(client, body):
    response = client.post("/accounts/login/", urlencode(body), content_type="application/x-www-form-urlencoded")
    assert response.status_code == 400
    assert "nothing was changed" in response.text


@pytest.mark.django_db
def test_metrics_are_for_this_machine_unless_there_is_a_token(client, settings):
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.7").status_code == 403
    settings.METRICS_TOKEN = "a token"
    assert client.get("/metrics").status_code == 403
    assert client.get("/metrics", headers={"Authorization": "Bearer a token"}).status_code == 200


def test_a_broken_master_key_file_is_named():
    with pytest.raises(ImproperlyConfigured, match="64 hexadecimal digits"):
        settings.master_keys("1 not-a-key")


def test_master_keys_are_read_by_number():
    assert settings.master_keys(f"1 {'00' * 32}\n2 {'ff' * 32}") == {1: bytes(32), 2: b"\xff" * 32}


class TestCacheWithoutRedis:
    """A cache whose server is away works on, in memory, and does not try again at every call."""

    @pytest.fixture
    def cache(self):
        params = {"OPTIONS": {"socket_connect_timeout": 0.3, "socket_timeout": 0.5}}
        cache = FallbackRedisCache("redis://127.0.0.1:1/0", params)
        cache.clear()
        return cache

    def test_it_remembers(self, cache):
        cache.set("attempts", 1)
        assert cache.incr("attempts") == 2
        assert cache.get("attempts") == 2
        assert cache.add("attempts", 5) is False

    def test_it_tries_again_after_a_pause(self, cache, monkeypatch):
        asked = []
        monkeypatch.setattr(cache._redis, "get", lambda *_: asked.append(1))
        cache.get("attempts")
        assert asked == []
        FallbackRedisCache._retry_at.clear()
        cache.get("attempts")
        assert asked == [1]


@pytest.mark.redis
def test_the_cache_lives_in_redis_while_it_is_there(redis_url):
    FallbackRedisCache._retry_at.clear()
    one, other = (FallbackRedisCache(redis_url, {}) for _ in range(2))
    one.set("greeting", "hello", 10)
    assert other._redis.get("greeting") == "hello"
    one.delete("greeting")
