"""Every write to a match, one function per verb.

Each verb locks the Match row, loads the state, lets the kernel judge and move on, records what came of it, and owes
in the same transaction what others must hear (notices, effects). Nothing goes over a network meanwhile. A verb either
does all of that or raises (Refusal or IllegalMove, each with a sentence for the person) and changes nothing. The same
answer to the same turn may come twice; it counts once. `now` is an argument everywhere. Called by pages, the API,
offers, tournaments and the tick.

    open --(all have joined: begin)--> running --> finished
      |                                   |  \\--> cancelled
      \\--> cancelled                      \\--> parked --> running
"""

from oceans.play.bots import play_bots, play_show, waiting_for_bots
from oceans.play.hindsight import ask_for_hindsight, work_out
from oceans.play.leaving import call_off, withdraw_user
from oceans.play.moves import cancel_order, give_time, make_move, place_order, resign
from oceans.play.opening import begin, open_match, set_private
from oceans.play.talk import forget_notes, mark_seen, say, write_note
from oceans.play.timeouts import end_abandoned, note_failure, run_out_clock, unpark
from oceans.refusals import BadRequest, NotRunning, NotYourTurn, Refusal, StaleTurn, TimeIsUp, TooMany
from oceans.rules.moves import IllegalMove

__all__ = [
    "BadRequest",
    "IllegalMove",
    "NotRunning",
    "NotYourTurn",
    "Refusal",
    "StaleTurn",
    "TimeIsUp",
    "TooMany",
    "ask_for_hindsight",
    "begin",
    "call_off",
    "cancel_order",
    "end_abandoned",
    "forget_notes",
    "give_time",
    "make_move",
    "mark_seen",
    "note_failure",
    "open_match",
    "place_order",
    "play_bots",
    "play_show",
    "resign",
    "run_out_clock",
    "say",
    "set_private",
    "unpark",
    "waiting_for_bots",
    "withdraw_user",
    "work_out",
    "write_note",
]
