/** A list of the API, page by page, the page in the address. */
import type { ReactNode } from "react";
import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { hostPath, type QueryValue, useApi } from "../shared/api/http.ts";
import { useText } from "../shared/text/text.tsx";
import { useQueryState } from "./address.ts";
import { Button } from "./button.tsx";

const PER_PAGE = 25;

export interface PagedList<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

export function usePaged<Item>(key: string, path: string, query: Readonly<Record<string, QueryValue>>, refetchInterval: number | false = false): UseQueryResult<PagedList<Item>> {
  const api = useApi();
  const [address] = useQueryState();
  const page = Math.max(1, Number(address.get("page")) || 1);
  return useQuery({
    queryKey: [key, path, query, page],
    placeholderData: keepPreviousData,
    refetchInterval,
    queryFn: async ({ signal }) => {
      const { data, total } = await api.answer<readonly Item[]>("GET", path, { query: { ...query, per_page: PER_PAGE, page }, signal });
      return { items: data, total };
    },
  });
}

export function Pages({ total }: { readonly total: number }): ReactNode {
  const t = useText();
  const [address, change] = useQueryState();
  const page = Math.max(1, Number(address.get("page")) || 1);
  const pages = Math.max(1, Math.ceil(total / PER_PAGE));
  if (pages === 1) return null;
  return (
    <nav className="row end" aria-label={t("common.page", { page, pages })}>
      <Button isDisabled={page <= 1} onPress={() => change({ page: page === 2 ? null : String(page - 1) }, true)}>{t("common.previous")}</Button>
      <span className="muted number">{t("common.page", { page, pages })}</span>
      <Button isDisabled={page >= pages} onPress={() => change({ page: String(page + 1) }, true)}>{t("common.next")}</Button>
    </nav>
  );
}

export { hostPath };
