// Keeps a screen awake while somebody looks at the table, where the browser lets a page do that: on https and on the
// kiosk itself. Elsewhere /me says what to do.
const stay = () => document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => {});
document.addEventListener("visibilitychange", stay);
void stay();
