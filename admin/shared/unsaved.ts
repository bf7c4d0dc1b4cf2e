/** Changes that are not saved, about which the app asks before leaving them (ui/unsaved-guard.tsx). */
import { createContext, useContext, useEffect } from "react";

/** Registers unsaved changes. Returns a function that withdraws them. */
export type Register = () => () => void;

export const UnsavedContext = createContext<Register>(() => () => undefined);

/** Asks before leaving the screen while there are unsaved changes. */
export function useUnsaved(isUnsaved: boolean): void {
  const register = useContext(UnsavedContext);
  useEffect(() => (isUnsaved ? register() : undefined), [isUnsaved, register]);
}
