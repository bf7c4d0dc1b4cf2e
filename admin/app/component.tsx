/** The admin as a React component, for hosts that use React. */
import "../styles/index.css";
import type { ReactNode } from "react";
import type { AdminOptions } from "../types/options.d.ts";
import { Admin } from "./admin.tsx";
import { BrowserModuleProvider, loadBrowserModule } from "../shared/browser-module.ts";

export type * from "../types/options.d.ts";

export function FormsAdmin(options: AdminOptions): ReactNode {
  return (
    <BrowserModuleProvider value={loadBrowserModule}>
      <Admin {...options} />
    </BrowserModuleProvider>
  );
}
