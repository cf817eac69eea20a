"""A Redis cache that may disappear: while it does, each process remembers for itself."""

import time
from typing import Any, ClassVar

import structlog
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = structlog.get_logger("oceans.cache")

PAUSE = 30
"""Seconds without a further attempt after Redis failed to answer."""


class FallbackRedisCache(BaseCache):
    """Django's Redis cache; after an error, the memory of this process for PAUSE seconds.

    Nothing in this cache is the only copy of anything. While Redis is away, limits on attempts count per process.
    """

    _retry_at: ClassVar[dict[str, float]] = {}
    """By server, as Django makes one cache object for each thread: monotonic time of the next attempt."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._server = server
        self._redis = RedisCache(server, {**params, "OPTIONS": dict(params.get("OPTIONS", {}))})
        self._memory = LocMemCache(f"instead of {server}", {**params, "OPTIONS": {}})

    def _ask(self, verb: str, *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= self._retry_at.get(self._server, 0.0):
            try:
                return getattr(self._redis, verb)(*args, **kwargs)
            except RedisError as error:
                self._retry_at[self._server] = time.monotonic() + PAUSE
                log.warning("cache away", error=type(error).__name__, pause_s=PAUSE)
        return getattr(self._memory, verb)(*args, **kwargs)

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return self._ask("add", key, value, timeout, version)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._ask("get", key, default, version)

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        self._ask("set", key, value, timeout, version)

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return self._ask("touch", key, timeout, version)

    def delete(self, key: Any, version: int | None = None) -> bool:
        return self._ask("delete", key, version)

    def has_key(self, key: Any, version: int | None = None) -> bool:
        return self._ask("has_key", key, version)

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return self._ask("incr", key, delta, version)

    def clear(self) -> None:
        self._ask("clear")
