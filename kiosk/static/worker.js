// Opens the phones' pages while the kiosk is away: fresh from the kiosk where it answers, else as they were last seen.
// The gamemaster's page is not kept, as hidden rolls stand in it. Nothing of the API is kept: what is true at the table only the kiosk knows.
const KEPT = `trueroll-${"@version@"}`;
const FILES = [/* files */];
const PAGES = ["/play", "/play/sheet", "/play/fight", "/play/log", "/play/table", "/conflict"];

self.addEventListener("install", (event) => event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(begin()));

/** Deletes what older versions have kept, and serves the pages that are open. */
async function begin() {
  for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
  await self.clients.claim();
}

async function fresh(request, path) {
  const cache = await caches.open(KEPT);
  const answer = await fetch(request).catch(() => null);
  if (answer?.ok && !answer.redirected) await cache.put(path, answer.clone()).catch(() => {}); // a full disk keeps no page from its reader
  return answer ?? await cache.match(path) ?? Response.error();
}

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== self.location.origin) return;
  if (PAGES.includes(pathname) || pathname.startsWith("/static/")) event.respondWith(fresh(event.request, pathname));
});
