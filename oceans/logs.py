"""How the site writes its log: one line per event on standard error, JSON in production, without secrets.

Cards, keys, cookies, tokens and mail addresses have no business in a log, so the last step before a line is written
takes out what looks like one, wherever it stands. Objects that hold cards also keep them out of their repr.
"""

import re
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

REMOVED = "[removed]"

SECRET_NAME = re.compile(
    r"cookie|token|passw|secret|authori[sz]ation|mail|csrf|session|seed|card|deck|hole|opening|master|api_?key", re.I
)
SECRET_TEXT = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"  # mail addresses
    r"|\b(?:Bearer|Basic)\s+\S+"
    r"|\b[\w-]*(?:session|token|csrf|passw)[\w-]*=[^\s;&,]+"
    r"|(?:\b(?:10|[2-9TJQKA])[cdhs]\b[\s,/-]*){2,}"  # cards in a row; a single one could be a word
    r"|(?=[\w:-]*\d)(?=[\w:-]*[a-zA-Z])\b[\w:-]{28,}",  # keys, signatures, sealed choices
    re.I,
)


def scrub(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Structlog processor: take secrets out of a line, by the names of its fields and by what texts look like."""
    return {name: REMOVED if SECRET_NAME.search(name) else cleaned(value) for name, value in event.items()}


def cleaned(value: Any) -> Any:
    """The value without secrets. Whatever is no plain number or text is written out as text first."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return scrub(None, "", value)
    if isinstance(value, list | tuple | set | frozenset):
        return [cleaned(each) for each in value]
    return SECRET_TEXT.sub(REMOVED, str(value))


def shared() -> list[Processor]:
    """The steps that lines of structlog and lines of the standard library have in common."""
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def configuration(*, as_json: bool, level: str) -> dict[str, Any]:
    """Configure structlog, and return Django's LOGGING, which sends every other logger through the same steps."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    renderer: Processor = (
        structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=False)
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "lines": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": shared(),
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.format_exc_info,
                    scrub,
                    renderer,
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            # Anybody can send any Host header; it is refused, and no news.
            "django.security.DisallowedHost": {"handlers": [], "propagate": False},
        },
    }
