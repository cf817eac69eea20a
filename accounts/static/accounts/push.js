// Asks the browser for notifications when the button on the settings page is pressed, and tells the site where they go.
"use strict";

const form = document.getElementById("push-on");
const is_able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

if (form) {
  form.hidden = !is_able;
  document.getElementById("push-unable").hidden = is_able;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    switch_on().catch(() => say(form.dataset.refused));
  });
}

function say(words) {
  form.querySelector("[role=alert]").textContent = words;
}

async function switch_on() {
  say("");
  if (await Notification.requestPermission() !== "granted") throw new Error("not allowed");
  const registration = await navigator.serviceWorker.register(form.dataset.worker);
  const subscription = await subscribed(registration);
  const { endpoint, keys } = subscription.toJSON();
  const body = new URLSearchParams(new FormData(form));
  body.set("endpoint", endpoint);
  body.set("p256dh", keys.p256dh);
  body.set("auth", keys.auth);
  const answer = await fetch(form.action, { method: "POST", body });
  if (answer.status === 204) location.reload();
  else say(answer.status === 422 ? await answer.text() : form.dataset.refused);
}

async function subscribed(registration) {
  const options = { userVisibleOnly: true, applicationServerKey: form.dataset.key };
  const former = await registration.pushManager.getSubscription();
  // One that was made for a former key of the site would take nothing from us.
  if (former) await former.unsubscribe();
  return registration.pushManager.subscribe(options);
}
