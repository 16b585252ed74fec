// The page shown before the kiosk is ready: it asks again every second, and never yields to a browser's error page.

const EVERY = 1_000;
const { body } = document;

async function look() {
  try {
    const answer = await fetch(location.href, { cache: "no-store", headers: { Accept: "text/html" } });
    if (answer.headers.get("X-Trueroll") !== "starting") return location.reload();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.title = page.title;
    document.getElementById("trouble").textContent = page.getElementById("trouble").textContent;
    body.dataset.state = page.body.dataset.state;
  } catch {
    if (body.dataset.state !== "failed") body.dataset.state = "gone"; // why it could not start stays there to be read
  }
  return setTimeout(look, EVERY);
}

setTimeout(look, EVERY);
