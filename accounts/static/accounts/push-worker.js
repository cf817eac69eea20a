// Runs in the browser while the site is closed: shows each line that is pushed, and opens its page when it is clicked.
"use strict";

self.addEventListener("push", (event) => {
  const { title, link, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { tag, renotify: true, data: { link } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data.link));
});
