"""News from play to whoever listens; play itself knows no listener."""

from django.dispatch import Signal

match_finished = Signal()
"""A match that had begun, or that an event opened, is over: played to its end, resigned, timed out or cancelled.

Argument: `match_id: int`. Sent after commit, at least once and possibly again, so receivers must be idempotent; one
that raises is asked again by the tick. `queries.result_of(match_id)` tells the result; None means cancelled.
"""
