/** Registry of unsaved changes. The app asks for confirmation before the user leaves them (ui/unsaved-guard.tsx). */
import { createContext, useContext, useEffect } from "react";

/** Registers unsaved changes. Returns a function that withdraws them. */
export type Register = () => () => void;

export const UnsavedContext = createContext<Register>(() => () => undefined);

/** Asks before leaving the screen while there are unsaved changes. */
export function useUnsaved(isUnsaved: boolean): void {
  const register = useContext(UnsavedContext);
  useEffect(() => (isUnsaved ? register() : undefined), [isUnsaved, register]);
}
