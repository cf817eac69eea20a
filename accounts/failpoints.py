"""Named spots where a fault test kills the process, to prove that nothing is lost or doubled there.

Inert unless the environment variable OCEANS_FAILPOINT names the spot.
"""

import os
import signal


def reach(name: str) -> None:
    """Die at once, without any clean-up, if this spot is armed."""
    if os.environ.get("OCEANS_FAILPOINT") == name:
        os.kill(os.getpid(), signal.SIGKILL)
