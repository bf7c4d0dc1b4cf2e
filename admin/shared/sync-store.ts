/**
 * Replaces the package `use-sync-external-store`. React has the hook since version 18, and the package's CommonJS would
 * load a second React.
 */
import { useSyncExternalStore } from "react";

export { useSyncExternalStore };
export default { useSyncExternalStore };
