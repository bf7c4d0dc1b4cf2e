/** Red dot on the row of a form with a failed delivery; links to the failures. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useClient } from "../../shared/api/client.ts";
import { failedFormsQuery } from "../../shared/api/resources.ts";
import { useText } from "../../shared/text/text.tsx";

export function FailedDot({ formId }: { readonly formId: number }): ReactNode {
  const t = useText();
  const { data: failed } = useQuery(failedFormsQuery(useClient()));
  if (!failed?.has(formId)) return null;
  return (
    <Link href="/deliveries/failures" className="failed-dot" title={t("delivery.failedBadge")}>
      <span className="visually-hidden">{t("delivery.failedBadge")}</span>
    </Link>
  );
}
