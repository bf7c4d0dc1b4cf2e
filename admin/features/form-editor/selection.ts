/** What is chosen in the form editor: a row and a frame show it at once, the rest of the editor a moment later. */
import { startTransition, useCallback, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

export type Keys = ReadonlySet<string>;

/** What is chosen now, for what draws nothing else of it. */
export interface Chosen {
  now(): Keys;
  subscribe(listener: () => void): () => void;
}

export interface Selection {
  /** What is chosen, as the inspector and the menus know it. */
  readonly keys: Keys;
  readonly chosen: Chosen;
  set(keys: Keys): void;
  /** As `set`, with the inspector and the menus behind the next frame. */
  show(keys: Keys): void;
  /** Has what was shown known everywhere, before something goes on from it. */
  settle(): void;
}

const isEqual = (one: Keys, other: Keys): boolean => one.size === other.size && [...one].every((key) => other.has(key));

export function useSelection(): Selection {
  const [keys, setKeys] = useState<Keys>(new Set());
  const now = useRef(keys);
  const [chosen, notify] = useMemo(() => {
    const listeners = new Set<() => void>();
    const subscribe = (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    };
    return [
      { now: () => now.current, subscribe },
      () => {
        for (const listener of listeners) listener();
      },
    ];
  }, []);
  const change = useCallback(
    (next: Keys): boolean => {
      if (isEqual(next, now.current)) return false;
      now.current = next;
      notify();
      return true;
    },
    [notify],
  );
  const set = useCallback(
    (next: Keys) => {
      if (change(next)) setKeys(next);
    },
    [change],
  );
  const show = useCallback(
    (next: Keys) => {
      if (change(next)) startTransition(() => setKeys(next));
    },
    [change],
  );
  const settle = useCallback(() => {
    if (keys !== now.current) flushSync(() => setKeys(now.current));
  }, [keys]);
  return useMemo(() => ({ keys, chosen, set, show, settle }), [keys, chosen, set, show, settle]);
}

export const useIsChosen = (chosen: Chosen, key: string): boolean =>
  useSyncExternalStore(chosen.subscribe, () => chosen.now().has(key));

/** The key that alone is chosen. */
export function onlyOf(keys: Keys): string | null {
  const [first = null, ...others] = keys;
  return others.length === 0 ? first : null;
}

export const useOnlyChosen = (chosen: Chosen): string | null =>
  useSyncExternalStore(chosen.subscribe, () => onlyOf(chosen.now()));
