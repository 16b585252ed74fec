// The page that is there before the kiosk: looks again every second, and never gives way to a browser's own error page.

const EVERY = 1_000;
const SLOW = 30_000;
const began = Date.now();
let failed = document.body.dataset.state === "failed";

function show(state) {
  if (document.body.dataset.state !== state) document.body.dataset.state = state;
}

async function look() {
  try {
    const answer = await fetch(location.href, { cache: "no-store", headers: { Accept: "text/html" } });
    if (answer.headers.get("X-Trueroll") !== "starting") {
      location.reload();
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    failed = page.body.dataset.state === "failed";
    document.title = page.title;
    document.getElementById("trouble").textContent = page.getElementById("trouble").textContent;
    show(failed ? "failed" : Date.now() - began > SLOW ? "slow" : "starting");
  } catch {
    if (!failed) show("gone"); // why it could not start stays there to be read
  }
  setTimeout(look, EVERY);
}

setTimeout(look, EVERY);
