"""The database of a benchmark, on PostgreSQL: made for it (`test_` before the name in DATABASE_URL), then dropped."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import django


@contextmanager
def own_database(*, keep: bool = False) -> Iterator[None]:
    """Django set up, static files collected, and a database with all tables; with `keep`, one that is there is used and
    left there. Raises SystemExit unless DATABASE_URL names a PostgreSQL database."""
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        raise SystemExit(
            "Set DATABASE_URL to a PostgreSQL database, such as postgres://postgres@127.0.0.1/oceans_bench."
        )
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "oceans.settings")
    # Filling and dropping a large database takes as long as it takes.
    os.environ["STATEMENT_TIMEOUT"] = "0"
    with tempfile.TemporaryDirectory() as static_root:
        os.environ["STATIC_ROOT"] = static_root
        django.setup()
        from django.core.management import call_command
        from django.db import connection

        call_command("collectstatic", verbosity=0, interactive=False)
        name = connection.settings_dict["NAME"]
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False, keepdb=keep)
        try:
            yield
        finally:
            connection.creation.destroy_test_db(name, verbosity=0, keepdb=keep)
