"""A process killed at any spot of a move, a tick or a mail loses nothing, doubles nothing, and leaves the rest to the
next one."""

import signal
import subprocess

import pytest

from tests.faults.conftest import LET_TIME_RUN_OUT, wait_until

MOVE = """
import os
from oceans import play
from oceans.models import Match
from oceans.rules.moves import Move
match = Match.objects.get()
seat, turn = int(os.environ["SEAT"]), int(os.environ["TURN"])
play.make_move(match_id=match.pk, seat=seat, turn=turn, move=Move("deal"), now=timezone.now())
"""

WHERE = """
from oceans.models import Match, MoveLog
from tests.builders import due_seat
match = Match.objects.get()
print(due_seat(match).number, match.turn, MoveLog.objects.filter(cause="seat").count())
"""

ENDING = """
from accounts.models import Notice
from oceans.models import Effect, Match, MoveLog, TimeOut
from oceans.management.rederiving import first_difference
match = Match.objects.get()
print(match.status, match.ended_by, TimeOut.objects.count(),
      Notice.objects.filter(kind="result").count(), Effect.objects.filter(done_at=None).count(),
      first_difference(match))
"""

SOON = """
from datetime import timedelta
from accounts.models import Notice
Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))
Notice.objects.filter(state="claimed").update(leased_until=timezone.now() - timedelta(minutes=1))
Notice.objects.filter(tried_at__isnull=False).update(tried_at=timezone.now() - timedelta(hours=1))
"""

STATES = """
from accounts.models import Notice
print(" ".join(sorted(Notice.objects.filter(kind="result").values_list("state", flat=True))))
"""


@pytest.mark.parametrize(("spot", "stored"), [("move.before_commit", 0), ("move.after_commit", 1)])
def test_a_move_is_whole_or_not_there_and_may_be_posted_again(site, spot, stored):
    seat, turn, count = site.run(WHERE).split()
    site.run(MOVE, failpoint=spot, SEAT=seat, TURN=turn)
    assert int(site.run(WHERE).split()[2]) == int(count) + stored
    site.run(MOVE, SEAT=seat, TURN=turn)
    assert int(site.run(WHERE).split()[2]) == int(count) + 1


@pytest.mark.parametrize(
    "spot", ["move.before_commit", "move.after_commit", "tick.after_reminders", "tick.after_judged", "tick.after_mails"]
)
def test_a_time_out_is_judged_once_whatever_kills_the_tick(site, mails, spot):
    site.run(LET_TIME_RUN_OUT)
    assert site.manage("tick", failpoint=spot) == -signal.SIGKILL
    assert site.manage("tick") == 0
    assert site.manage("tick") == 0
    assert site.run(ENDING) == "finished time 1 2 0 None"
    site.run(SOON)
    site.manage("tick")
    assert site.run(STATES) == "sent sent"
    assert len(mails.identities) == len(set(mails.identities)) == 2


@pytest.mark.parametrize(("spot", "first"), [("mail.before_data", 0), ("mail.after_data", 1), ("mail.before_mark", 1)])
def test_a_result_is_told_whatever_kills_the_sender_and_repeated_once_at_most(site, mails, spot, first):
    site.run(LET_TIME_RUN_OUT)
    assert site.manage("tick", failpoint=spot) == -signal.SIGKILL
    assert len(mails.identities) == first
    for _ in range(3):
        site.run(SOON)
        assert site.manage("tick") == 0
    assert site.run(STATES) == "sent sent"
    assert len(set(mails.identities)) == 2
    assert len(mails.identities) == 2 + first


def test_the_loop_is_killed_again_and_again_and_the_work_gets_done(site, mails):
    site.run(LET_TIME_RUN_OUT)
    for spot in ("tick.after_leases", "move.before_commit", "tick.after_effects", "mail.before_data"):
        with site.start("manage.py", "tick", "--loop", failpoint=spot) as loop:
            assert loop.wait(timeout=60) == -signal.SIGKILL
    site.run(SOON)
    with site.start("manage.py", "tick", "--loop", stdin=subprocess.PIPE) as loop:
        wait_until(lambda: len(set(mails.identities)) == 2)
        loop.send_signal(signal.SIGTERM)
        assert loop.wait(timeout=15) == 0
    assert site.run(ENDING) == "finished time 1 2 0 None"


def test_three_loops_at_once_do_everything_once(site, mails):
    site.run(LET_TIME_RUN_OUT)
    loops = [site.start("manage.py", "tick", "--loop", stdin=subprocess.PIPE) for _ in range(3)]
    wait_until(lambda: len(mails.identities) >= 2)
    for loop in loops:
        with loop:
            loop.send_signal(signal.SIGTERM)
            # One that was still starting when the others had done everything ends by the signal itself.
            assert loop.wait(timeout=30) in (0, -signal.SIGTERM)
    assert len(mails.identities) == len(set(mails.identities)) == 2
    assert site.run(ENDING) == "finished time 1 2 0 None"


def test_the_loop_ends_when_whoever_started_it_is_gone(site):
    with site.start("manage.py", "tick", "--loop", stdin=subprocess.PIPE) as loop:
        wait_until(
            lambda: site.run("from oceans.models import ServiceClock\nprint(ServiceClock.objects.count())") == "1"
        )
        loop.stdin.close()
        assert loop.wait(timeout=15) == 0


def test_the_loop_sends_within_seconds_what_another_process_writes(site, mails):
    with site.start("manage.py", "tick", "--loop", stdin=subprocess.PIPE) as loop:
        wait_until(
            lambda: site.run("from oceans.models import ServiceClock\nprint(ServiceClock.objects.count())") == "1"
        )
        site.run(
            "from oceans import play\nfrom oceans.models import Match\n"
            "play.resign(match_id=Match.objects.get().pk, seat=0, now=timezone.now())"
        )
        wait_until(lambda: len(mails.identities) == 2, seconds=5)
        loop.send_signal(signal.SIGINT)
        assert loop.wait(timeout=15) == 0
