// The tray's page: how it is and what lies there, while somebody looks. Teaching itself is plain forms.
import { byId, el } from "./dom.js";
import { t, titled } from "./language.js";
import { listen } from "./shell.js";

const EVERY = 500;
let shown = "";

function paint({ places }) {
  const lines = places.map((place) => t("Place {number}: {words}", { number: place.slot + 1, words: place.words }));
  const words = lines.length ? lines : [t("The tray reads no tag now.")];
  if (words.join("\n") === shown) return;
  shown = words.join("\n");
  byId("places").replaceChildren(...words.map((line) => el("li", {}, el("span", {}, line))));
}

async function look() {
  if (!document.hidden) {
    try {
      const answer = await fetch("/api/v1/tray");
      if (answer.ok) paint(await answer.json());
    } catch {
      // The header says that the kiosk does not answer; the next look may.
    }
  }
  setTimeout(look, EVERY);
}
listen({
  sources: false,
  paint: (view) => {
    const tray = view.sources.find((one) => one.source === "tray");
    if (!tray) return;
    byId("condition").replaceChildren(el("strong", {}, `${titled(tray.state)}.`), ` ${tray.what} ${tray.remedy}`);
  },
});
look();
