"""The frame around every page: headers, limits, errors, health and metrics."""

from urllib.parse import urlencode

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from django.test import RequestFactory

from oceans import errors, health, settings
from oceans.caching import FallbackRedisCache


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


def test_metrics_count_requests_by_route(client):
    client.get("/healthz/live")
    assert 'oceans_requests_total{method="GET",route="healthz/live",status="200"}' in client.get("/metrics").text


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
