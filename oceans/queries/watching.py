"""Who may look at private matches: besides those who play there, those whom the event of the match lets in."""

from collections.abc import Callable

_hooks: list[Callable[[str, int], bool]] = []


def let_watch(hook: Callable[[str, int], bool]) -> None:
    """Have `hook(event, user_id)` asked whether the event lets somebody in; once, from AppConfig.ready."""
    if hook not in _hooks:
        _hooks.append(hook)


def may_watch(event: str, user_id: int | None) -> bool:
    """Whether an event lets somebody look at its private matches; strangers never."""
    return user_id is not None and any(hook(event, user_id) for hook in _hooks)
