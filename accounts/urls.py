"""Addresses of the settings pages. The pages for signing up and in are allauth's, under /accounts/."""

from django.urls import path

from accounts import feed_pages, mailbox, views

urlpatterns = [
    path("settings/", views.playing, name="settings"),
    path("settings/look/", views.look, name="settings_look"),
    path("settings/mail/", views.mail, name="settings_mail"),
    path("settings/mail/test/", views.test_mail, name="settings_mail_test"),
    path("settings/mail/off/", views.mail_off, name="mail_off"),
    path("settings/push/", views.push_kinds, name="settings_push"),
    path("settings/push/on/", views.push_on, name="settings_push_on"),
    path("settings/push/off/", views.push_off, name="settings_push_off"),
    path("settings/feeds/<slug:kind>/", views.feed, name="settings_feed"),
    path("settings/holiday/", views.holiday, name="settings_holiday"),
    path("settings/holiday/end/", views.holiday_end, name="settings_holiday_end"),
    path("settings/account/", views.account, name="settings_account"),
    path("settings/account/address/undo/", views.address_undo, name="address_undo"),
    path("settings/account/close/", views.close, name="settings_close"),
    path("feeds/<str:token>/news.atom", feed_pages.news, name="feed_news"),
    path("feeds/<str:token>/dates.ics", feed_pages.dates, name="feed_dates"),
    path("mailbox/", mailbox.every, name="mailbox"),
    path("mailbox/<int:mail_id>/", mailbox.one, name="mailbox_mail"),
    path("mailbox/<int:mail_id>/html/", mailbox.html, name="mailbox_html"),
]
