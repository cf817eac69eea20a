"""How pages of every app answer."""

from django.http import HttpResponseRedirect


class SeeOther(HttpResponseRedirect):
    """The answer to a post that was done: look there now. A reload or the back button does not post again."""

    status_code = 303
