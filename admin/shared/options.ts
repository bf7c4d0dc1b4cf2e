/** The options the admin was mounted with, for its screens. */
import { createContext, useContext } from "react";
import type { AdminOptions } from "../types/options.d.ts";

const OptionsContext = createContext<AdminOptions>({ apiRoot: "" });
export const OptionsProvider = OptionsContext.Provider;

export function useOptions(): AdminOptions {
  return useContext(OptionsContext);
}

/** Whether the person may change things. The API decides; this only hides what it would refuse. */
export function useMayChange(): boolean {
  return useContext(OptionsContext).user?.access !== "submissions_read";
}
