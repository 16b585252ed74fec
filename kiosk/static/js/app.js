// Makes a page of the kiosk an app on a phone, by a worker if the browser allows one. Plain http on a local
// network has none, and every page works as well without.
import "./awake.js";

if ("serviceWorker" in navigator && globalThis.isSecureContext) {
  navigator.serviceWorker.register("/worker.js").catch(() => {});
}
