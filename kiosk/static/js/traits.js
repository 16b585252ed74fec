// The traits of the scene in words.
import { t, titled } from "./language.js";

export function traitWords({ name, kind, potency }) {
  if (potency > 1) return t("{name} ({kind}, potency {potency})", { name, kind: titled(kind), potency });
  return t("{name} ({kind})", { name, kind: titled(kind) });
}
