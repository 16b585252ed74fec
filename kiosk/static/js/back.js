// Leads the kiosk's own screen back to the table's display once nobody has touched it for two minutes; never while
// something half-built is open, nor while a form holds what was typed into it and not sent.
const HALF_BUILT = "#declare-form, dialog[open], [data-typed]";
let ends = 0;
const stay = () => { clearTimeout(ends); ends = setTimeout(() => (document.querySelector(HALF_BUILT) ? stay() : location.assign("/display")), 120_000); };
for (const touch of ["pointerdown", "keydown", "input", "scroll"]) addEventListener(touch, stay, { capture: true, passive: true });
for (const event of ["input", "reset"]) addEventListener(event, ({ target }) => (target.form ?? target).toggleAttribute("data-typed", event === "input"), true);
stay();
