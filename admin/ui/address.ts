/** Screen state in the URL's query, so that a link restores it. */
import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";

export type Changes = Readonly<Record<string, string | null>>;

/** Returns the URL's query and a function that updates it; null and empty values remove a parameter. */
export function useQueryState(): readonly [URLSearchParams, (changes: Changes, shouldPush?: boolean) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback(
    (changes: Changes, shouldPush = false) => {
      const next = new URLSearchParams(search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === "") next.delete(name);
        else next.set(name, value);
      }
      const text = next.toString();
      navigate(text === "" ? path : `${path}?${text}`, { replace: !shouldPush });
    },
    [search, path, navigate],
  );
  return [query, change];
}
