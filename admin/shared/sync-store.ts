/** In place of the package `use-sync-external-store`: React has had it since 18, and its CommonJS would ask for a React of its own. */
import { useSyncExternalStore } from "react";

export { useSyncExternalStore };
export default { useSyncExternalStore };
