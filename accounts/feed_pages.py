"""The feeds as programs fetch them: unchanged ones cost a few queries and no body. Fetching is no visit."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.syndication.views import Feed as SyndicationFeed
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import linebreaks
from django.utils.translation import gettext as _
from django.views.decorators.http import condition, require_safe
from icalendar import Calendar, Event

from accounts import feeds
from accounts.feeds import Item
from accounts.letters import one_line
from accounts.models import Feed, User

ASK_AGAIN: Final = timedelta(hours=1)
"""How often calendars should fetch the dates; they decide."""

Writer = Callable[[HttpRequest, User, list[Item]], HttpResponse]


@require_safe
def news(request: HttpRequest, token: str) -> HttpResponse:
    """Games that wait and results, as Atom, latest first."""
    return _answer(request, Feed.Kind.NEWS, token, _atom)


@require_safe
def dates(request: HttpRequest, token: str) -> HttpResponse:
    """Deadlines and starts of rounds, as iCalendar."""
    return _answer(request, Feed.Kind.DATES, token, _calendar)


def _answer(request: HttpRequest, kind: str, token: str, write: Writer) -> HttpResponse:
    reader = feeds.reader_of(kind, token)
    if reader is None:
        raise Http404
    sheet = feeds.sheet_of(kind, reader, timezone.now())

    # The same stamp means the same items, if not the same bytes: a weak tag.
    @condition(etag_func=lambda _request: f'W/"{sheet.stamp}"')
    def written(request: HttpRequest) -> HttpResponse:
        return write(request, reader, list(sheet.write()))

    response = written(request)
    # Moved deadlines have no date of their own to tell by.
    response.headers.pop("Last-Modified", None)
    response["Cache-Control"] = "private, no-cache"
    return response


class _News(SyndicationFeed):
    """The Atom feed of one reader."""

    feed_type = Atom1Feed

    def __init__(self, reader: User, path: str, items: list[Item]) -> None:
        self.reader, self.path = reader, path
        self.all_items = sorted(items, key=lambda item: item.at, reverse=True)

    def title(self) -> str:
        return _("%(site)s: news for %(name)s") % {"site": settings.SITE_NAME, "name": self.reader.shown_name}

    def link(self) -> str:
        return settings.SITE_URL + reverse("turn")

    def feed_url(self) -> str:
        return settings.SITE_URL + self.path

    def author_name(self) -> str:
        return settings.SITE_NAME

    def items(self) -> list[Item]:
        return self.all_items

    def item_title(self, item: Item) -> str:
        return one_line(item.title)

    def item_description(self, item: Item) -> str:
        return linebreaks("\n".join(map(one_line, item.lines)), autoescape=True)

    def item_link(self, item: Item) -> str:
        return item.link

    def item_guid(self, item: Item) -> str:
        return f"{item.link}#{item.key}"

    def item_pubdate(self, item: Item) -> datetime:
        return item.at

    def item_updateddate(self, item: Item) -> datetime:
        return item.at


def _atom(request: HttpRequest, reader: User, items: list[Item]) -> HttpResponse:
    return _News(reader, request.path, items)(request)


def _calendar(_request: HttpRequest, reader: User, items: list[Item]) -> HttpResponse:
    calendar = Calendar()
    calendar.add("prodid", f"-//{settings.SITE_NAME}//{urlsplit(settings.SITE_URL).hostname}//")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", settings.SITE_NAME)
    calendar.add("refresh-interval", ASK_AGAIN, parameters={"VALUE": "DURATION"})
    for item in sorted(items, key=lambda item: (item.at, item.key)):
        event = Event()
        event.add("uid", f"{item.key}@{urlsplit(settings.SITE_URL).hostname}")
        event.add("dtstamp", item.since.astimezone(UTC))
        event.add("dtstart", item.at.astimezone(UTC))
        event.add("summary", one_line(item.title))
        event.add("description", "\n".join(map(one_line, item.lines)))
        event.add("url", item.link)
        # Nobody is busy at a deadline.
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    return HttpResponse(calendar.to_ical(), content_type="text/calendar; charset=utf-8")
