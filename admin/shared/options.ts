/** Context with the options of the admin. */
import { createContext, useContext } from "react";
import type { AdminOptions } from "../types/options.d.ts";

const OptionsContext = createContext<AdminOptions>({ apiRoot: "" });
export const OptionsProvider = OptionsContext.Provider;

export function useOptions(): AdminOptions {
  return useContext(OptionsContext);
}

/**
 * Whether the user may change anything. The API enforces this; the admin only hides controls whose requests the API
 * would reject.
 */
export function useCanChange(): boolean {
  return useContext(OptionsContext).user?.access !== "submissions_read";
}
