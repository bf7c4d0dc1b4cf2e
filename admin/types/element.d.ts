/** Importing it defines `<cf-forms-admin>`, with React and its style inside an open shadow root. */
import type { AdminOptions } from "./options.d.ts";

export type * from "./options.d.ts";
/**
 * The attributes `api-root`, `nonce-endpoint`, `routing` and `language` give the options of these names;
 * all others are given by the property `options`, which wins.
 */
export declare class FormsAdminElement extends HTMLElement {
  options: AdminOptions | undefined;
}
