/** Counters beside the entries of the navigation. */
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../shared/api/client.ts";
import { failedDeliveriesQuery, unreadCountQuery } from "../shared/api/resources.ts";
import { useCanChange } from "../shared/options.ts";
import type { BadgeName } from "./screen-list.tsx";

/** Interval at which both counters are fetched again. They are also fetched when the window gets the focus. */
const REFRESH_MS = 30_000;

export function useBadges(): Readonly<Record<BadgeName, number>> {
  const client = useClient();
  const canChange = useCanChange();
  const unread = useQuery({ ...unreadCountQuery(client), refetchInterval: REFRESH_MS });
  const failed = useQuery({ ...failedDeliveriesQuery(client), refetchInterval: REFRESH_MS, enabled: canChange });
  return { unread: unread.data ?? 0, failed: failed.data ?? 0 };
}
