// Tasks ready to declare: what the gamemaster asked for, what was declared before, what the character does best.
import { percent } from "./chances.js";
import { byId, el, keyed } from "./dom.js";
import { t, titled } from "./language.js";

function skills({ declaration: { attribute, discipline, label, difficulty, focus }, chance, to_win: needed }) {
  const fills = { attribute: titled(attribute), discipline: titled(discipline), difficulty, needed, chance: percent(chance) };
  const first = label || t("{attribute} + {discipline}", fills);
  const pair = focus ? t("{attribute} + {discipline}, focus", fills) : t("{attribute} + {discipline}", fills);
  const more = needed ? t("{needed} to win: {chance}", fills) : t("Difficulty {difficulty}: {chance}", fills);
  return [el("span", {}, first), el("small", {}, label ? `${pair}. ${more}` : more)];
}

/**
 * Keeps `#presets`, and `#asked` with what the gamemaster asks for, in step: `paint(view, characterId)`. `declare(declaration, form)` sends one as it stands,
 * `load(declaration)` puts it into the form to be changed.
 */
export function wirePresets(declare, load) {
  let known = "";
  return async function paint({ sequence, table }, characterId) {
    const place = byId("presets");
    const closed = byId("declare").hidden || !characterId || table.task?.declaration.character_id === characterId;
    const now = closed ? "" : `${characterId}/${sequence}`;
    if (now === known && (now || !place.firstChild)) return;
    known = now;
    let presets = [];
    if (!closed) {
      try {
        const answer = await fetch(`/api/v1/presets?character=${encodeURIComponent(characterId)}`, { cache: "no-store" });
        if (!answer.ok) throw new Error(String(answer.status));
        ({ presets } = await answer.json());
      } catch {
        if (known === now) known = ""; // asked again with the next view
        return; // the connection says so itself; what was shown stays
      }
      if (known !== now) return;
    }
    const name = table.characters.find((one) => one.character_id === characterId)?.name ?? "";
    const asked = presets.filter((one) => one.why === "asked");
    const usual = presets.filter((one) => one.why !== "asked");
    keyed(byId("asked"), asked, () => asked.length > 0 && el("section", { class: "card asked-for", "aria-labelledby": "asked-title" },
      el("h2", { id: "asked-title" }, t("The gamemaster asks for")),
      asked.map((one) => [
        el("button", { type: "button", class: "main-action preset", onclick: () => declare(one.declaration) }, skills(one)),
        el("button", { type: "button", onclick: () => load(one.declaration) }, t("Change it before declaring"))]).flat()));
    const tracks = closed ? [] : table.extended.map((one) => one.label);
    keyed(place, [name, usual, tracks], () => usual.length > 0 && el("section", { "aria-labelledby": "presets-title" },
      el("h2", { id: "presets-title" }, t("What does {name} do?", { name })),
      el("div", { class: "presets" }, usual.map((one) =>
        el("button", { type: "button", class: "preset", onclick: () => load(one.declaration) }, skills(one))),
        tracks.length > 0 && el("a", { class: "button", href: `/conflict?who=${encodeURIComponent(characterId)}&deed=personal/extended` },
          t("Extended Tasks"), el("small", {}, tracks.join(", "))))));
  };
}
