"""What staff may see and mend about people. Nothing here shows a message or a code."""

import allauth.mfa.admin
import allauth.usersessions.admin  # noqa: F401  registers what is replaced below
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.http import HttpRequest

from accounts.models import FormerName, Leave, MailBreaker, Notice, User


class FormerNames(admin.TabularInline):
    """The names somebody had before."""

    model = FormerName
    extra = 0


@admin.register(User)
class UserAdmin(admin.ModelAdmin):
    """People: who they are and what they may do, not what they prefer."""

    list_display = ["username", "date_joined", "is_guest", "is_bot", "is_staff", "closed_at", "address_refused_at"]
    list_filter = ["is_guest", "is_bot", "is_staff", "is_active"]
    search_fields = ["username", "email", "former_names__name"]
    fields = [
        "username",
        "email",
        "is_active",
        "is_staff",
        "is_superuser",
        "groups",
        "time_zone",
        "address_refused_at",
        "renamed_at",
        "date_joined",
        "closed_at",
    ]
    readonly_fields = ["date_joined", "closed_at", "renamed_at"]
    filter_horizontal = ["groups"]
    inlines = [FormerNames]

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Accounts are closed, never deleted: finished games point at them."""
        return False


@admin.register(Notice)
class NoticeAdmin(admin.ModelAdmin):
    """The outbox, to read."""

    list_display = ["dedup", "state", "attempts", "ambiguous", "due_at", "ended_at", "reason"]
    list_filter = ["state", "kind"]
    search_fields = ["dedup", "user__username"]
    readonly_fields = ["dedup", "state", "user", "context", "attempts", "ambiguous", "faults", "reason", "message_id"]
    readonly_fields += ["created_at", "due_at", "tried_at", "leased_until", "ended_at"]
    fields = tuple(readonly_fields)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Notice | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Notice | None = None) -> bool:
        return False


@admin.register(Leave)
class LeaveAdmin(admin.ModelAdmin):
    """Leave, to read: changing it here would not tell the clocks."""

    list_display = ["user", "starts_at", "days", "is_automatic", "begun_at", "ended_at"]
    search_fields = ["user__username"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Leave | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Leave | None = None) -> bool:
        return False


# What allauth registered shows secrets and session keys, with which one could be anybody.
admin.site.unregister([Authenticator, UserSession])


@admin.register(Authenticator)
class AuthenticatorAdmin(admin.ModelAdmin):
    """Second factors, to take away from somebody who has lost them. What is secret in them is not shown."""

    list_display = ["user", "type", "created_at", "last_used_at"]
    list_filter = ["type"]
    search_fields = ["user__username"]
    fields = readonly_fields = ("user", "type", "created_at", "last_used_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Authenticator | None = None) -> bool:
        return False


admin.site.register(MailBreaker)
