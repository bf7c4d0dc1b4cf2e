/** Types of the elements `<cf-form>` and `<cf-forms-admin>`: `import type {} from "cf-forms/jsx"`. Needs React's types. */
import type { DetailedHTMLProps, HTMLAttributes } from "react";

/** Attributes of `<cf-form>` (docs/embedding.md). */
export interface CfFormAttributes {
  /** Slug of the form. */
  readonly slug: string;
  /** Title of the frame, and text of the link when the form cannot be loaded. */
  readonly title?: string;
  /** Whether the form is in a frame; `""` for yes. */
  readonly frame?: "" | boolean;
  /** Whether the page's query fills in fields; `""` for yes. */
  readonly prefill?: "" | boolean;
}

/** Attributes of `<cf-forms-admin>` (docs/admin.md). */
export interface CfFormsAdminAttributes {
  /** Path or address of the REST root, such as `/api`. */
  readonly "api-root"?: string;
  /** Address that returns a fresh nonce for the session. */
  readonly "nonce-endpoint"?: string;
  readonly routing?: "hash" | "path" | "memory";
  /** Language tag of the texts. */
  readonly language?: string;
}

type ElementProperties = DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement>;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "cf-form": Omit<ElementProperties, "slug" | "title"> & CfFormAttributes;
      "cf-forms-admin": ElementProperties & CfFormsAdminAttributes;
    }
  }
}
