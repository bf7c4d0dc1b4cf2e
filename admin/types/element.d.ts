/** Importing this module defines `<cf-forms-admin>`; React and the styles live in an open shadow root. */
import type { AdminOptions } from "./options.d.ts";

export type * from "./options.d.ts";
/**
 * The attributes `api-root`, `nonce-endpoint`, `routing` and `language` set the options of these names. The property
 * `options` takes all options and has precedence over the attributes.
 */
export declare class FormsAdminElement extends HTMLElement {
  options: AdminOptions | undefined;
}
