/** The admin as a React component; the host provides React 18 or 19. Import `cf-forms/admin/style.css` beside it. */
import type { ReactElement } from "react";
import type { AdminOptions } from "./options.d.ts";

export type * from "./options.d.ts";
/** Renders the admin inside the element that holds it. */
export declare function FormsAdmin(options: AdminOptions): ReactElement;
