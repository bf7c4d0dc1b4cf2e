/** A screen's choices, kept in the address, so that a link shows the same. */
import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";

export type Changes = Readonly<Record<string, string | null>>;

/** The query of the address, and a function that changes some of it; null and empty take a name away. */
export function useQueryState(): readonly [URLSearchParams, (changes: Changes, asNew?: boolean) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback(
    (changes: Changes, asNew = false) => {
      const next = new URLSearchParams(search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === "") next.delete(name);
        else next.set(name, value);
      }
      const text = next.toString();
      navigate(text === "" ? path : `${path}?${text}`, { replace: !asNew });
    },
    [search, path, navigate],
  );
  return [query, change];
}
