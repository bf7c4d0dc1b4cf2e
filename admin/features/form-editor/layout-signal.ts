/** Signal that boxes in the preview may have moved, for everything that is drawn over it. */
import { useMemo } from "react";

export interface LayoutSignal {
  notify(): void;
  subscribe(listener: () => void): () => void;
}

export function useLayoutSignal(): LayoutSignal {
  return useMemo(() => {
    const listeners = new Set<() => void>();
    return {
      notify() {
        for (const listener of listeners) listener();
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
  }, []);
}
