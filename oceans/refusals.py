"""What the site refuses to do. The text of each is one sentence for the person who asked, saying what to do."""

from django.utils.translation import gettext as _


class Refusal(Exception):
    """Something that cannot be done as asked; nothing has changed. `status` is the HTTP status that says so."""

    status = 409

    def __init__(self, sentence: str | None = None) -> None:
        super().__init__(sentence or self.sentence())

    def sentence(self) -> str:
        """What is said where the place of refusal knows nothing better."""
        return _("This cannot be done now. Load the page again.")


class BadRequest(Refusal):
    """What was asked makes no sense, whatever the state of things."""

    status = 400


class StaleTurn(Refusal):
    """The page is behind the game."""

    def sentence(self) -> str:
        return _("The game has moved on since this page was loaded. Look at the table and choose again.")


class NotYourTurn(Refusal):
    """The seat has nothing to answer."""

    def sentence(self) -> str:
        return _("It is not your turn: wait for the others to move.")


class TimeIsUp(Refusal):
    """The answer came after the seat's time had run out."""

    def sentence(self) -> str:
        return _("Your time had run out before this move came. The table shows what followed.")


class NotRunning(Refusal):
    """The match has not begun, has ended, or is stopped for repair."""

    def sentence(self) -> str:
        return _("This game is not running, so nothing can be changed in it.")


class OfferGone(Refusal):
    """The offer was taken, withdrawn or has expired."""

    def sentence(self) -> str:
        return _("This offer is no longer open. Choose another one in the lobby.")


class Busy(Refusal):
    """Something else of the player's is being changed, and who waits here would be waited for there."""

    status = 503

    def sentence(self) -> str:
        return _("The site is at work on this game at this moment. Send it again in a few seconds.")


class TooMany(Refusal):
    """A limit on how much one person may ask of the site."""

    status = 429
