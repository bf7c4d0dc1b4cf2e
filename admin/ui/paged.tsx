/** Lists of the API, page by page, the page in the address. */
import type { ReactNode } from "react";
import { useText } from "../shared/text/text.tsx";
import { useQueryState } from "./address.ts";
import { Button } from "./button.tsx";

const PER_PAGE = 25;

/** The page that the address names, as a list of the API takes it. */
export function usePaging(): { readonly page: number; readonly per_page: number } {
  const [address] = useQueryState();
  return { page: Math.max(1, Number(address.get("page")) || 1), per_page: PER_PAGE };
}

export function Pages({ total }: { readonly total: number }): ReactNode {
  const t = useText();
  const [, change] = useQueryState();
  const { page } = usePaging();
  const pages = Math.max(1, Math.ceil(total / PER_PAGE));
  if (pages === 1) return null;
  return (
    <nav className="row end" aria-label={t("common.page", { page, pages })}>
      <Button isDisabled={page <= 1} onPress={() => change({ page: page === 2 ? null : String(page - 1) }, true)}>
        {t("common.previous")}
      </Button>
      <span className="muted number">{t("common.page", { page, pages })}</span>
      <Button isDisabled={page >= pages} onPress={() => change({ page: String(page + 1) }, true)}>
        {t("common.next")}
      </Button>
    </nav>
  );
}
