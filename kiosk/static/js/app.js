// Makes a page of the kiosk an app on a phone. Plain http on a local network has no worker, and every page works without.
import "./awake.js";

navigator.serviceWorker?.register("/worker.js").catch(() => {});
