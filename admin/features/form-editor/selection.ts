/** Selection of the form editor. Rows and the mark in the preview update at once, the rest after a transition. */
import { startTransition, useCallback, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

export type Keys = ReadonlySet<string>;

/** The effect of a click on the selection: one field, a range up to it, or toggling it. */
export type SelectMode = "only" | "range" | "toggle";

/** Store of the current selection, for components that render only the selection. */
export interface LiveSelection {
  now(): Keys;
  subscribe(listener: () => void): () => void;
}

export interface Selection {
  /** Selected keys, as the inspector and the menus know them. */
  readonly keys: Keys;
  readonly live: LiveSelection;
  set(keys: Keys): void;
  /** Selects keys; the inspector and the menus follow in a transition. */
  show(keys: Keys): void;
  /** Replaces a key that is selected. */
  rename(from: string, to: string): void;
  /** Ends the pending transition, so that all components know the current selection. */
  flush(): void;
}

const isEqual = (one: Keys, other: Keys): boolean => one.size === other.size && [...one].every((key) => other.has(key));

export function useSelection(): Selection {
  const [keys, setKeys] = useState<Keys>(new Set());
  const now = useRef(keys);
  const [live, notify] = useMemo(() => {
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
  const rename = useCallback(
    (from: string, to: string) => {
      if (now.current.has(from)) set(new Set([...now.current].map((key) => (key === from ? to : key))));
    },
    [set],
  );
  const flush = useCallback(() => {
    if (keys !== now.current) flushSync(() => setKeys(now.current));
  }, [keys]);
  return useMemo(() => ({ keys, live, set, show, rename, flush }), [keys, live, set, show, rename, flush]);
}

export const useIsSelected = (live: LiveSelection, key: string): boolean =>
  useSyncExternalStore(live.subscribe, () => live.now().has(key));

/** Returns the keys that a click on one selects; `all` are the keys in their order. */
export function selectedBy(how: SelectMode, key: string, before: Keys, all: readonly string[]): Keys {
  if (how === "toggle")
    return new Set(before.has(key) ? [...before].filter((other) => other !== key) : [...before, key]);
  const [anchor] = before;
  if (how === "only" || anchor === undefined || !all.includes(anchor)) return new Set([key]);
  const [from, to] = [all.indexOf(anchor), all.indexOf(key)];
  const range = all.slice(Math.min(from, to), Math.max(from, to) + 1);
  // The anchor stays the first key.
  return new Set(from <= to ? range : range.reverse());
}

/** Returns the only selected key; null if there are none or several. */
export function onlyKey(keys: Keys): string | null {
  const [first = null, ...others] = keys;
  return others.length === 0 ? first : null;
}

export const useSelectedKeys = (live: LiveSelection): Keys => useSyncExternalStore(live.subscribe, () => live.now());
