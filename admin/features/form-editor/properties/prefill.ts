/** Fields that parameters of the page's address may fill in, as the engine decides (crates/model/src/logic/prefill.rs). */
import type { Field } from "../../../shared/draft/content.ts";

/** Types that an address never fills in. */
const NEVER: ReadonlySet<string> = new Set(["consent", "password", "file"]);

/** Attributes of fields that an address never fills in. */
const NEVER_WITH = ["data-calc", "disabled"];

export const hasPrefill = ({ type, attributes }: Field, takesAnswer: boolean): boolean =>
  takesAnswer && !NEVER.has(type) && !NEVER_WITH.some((name) => name in attributes);
