/** Pagination of API lists, with the page number in the URL. */
import type { ReactNode } from "react";
import { useText } from "../shared/text/text.tsx";
import { useQueryState } from "./address.ts";
import { Button } from "./button.tsx";

const PER_PAGE = 25;

/** Returns the page number of the URL as parameters of an API list. */
export function usePageParameters(): { readonly page: number; readonly per_page: number } {
  const [address] = useQueryState();
  return { page: Math.max(1, Number(address.get("page")) || 1), per_page: PER_PAGE };
}

export function Pagination({ total }: { readonly total: number }): ReactNode {
  const t = useText();
  const [, change] = useQueryState();
  const { page } = usePageParameters();
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
