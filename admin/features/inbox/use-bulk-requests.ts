/** Requests that change many submissions. */
import type { Input, Submission } from "../../../client/index.ts";
import { useClient } from "../../shared/api/client.ts";
import { useNotices } from "../../shared/notices.ts";
import { useText } from "../../shared/text/text.tsx";

/** Limit of ids that the API changes in one request. */
const BATCH_SIZE = 100;

type BulkChange = Omit<Input<"bulkSubmissions">["body"], "ids">;

export interface BulkRequests {
  /**
   * Sends a change in batches of the API's limit; false when the user canceled. With several batches, a notice shows
   * progress and can cancel.
   */
  sendInBatches(ids: readonly number[], change: BulkChange): Promise<boolean>;
  /** Sets each submission's status; returns false when the user canceled. */
  sendStatuses(submissions: readonly Submission[], statusOf: (submission: Submission) => string): Promise<boolean>;
}

export function useBulkRequests(): BulkRequests {
  const client = useClient();
  const t = useText();
  const notices = useNotices();
  const sendInBatches = async (ids: readonly number[], change: BulkChange) => {
    const progressText = (done: number) => t("inbox.working", { done, count: ids.length });
    const progress = ids.length > BATCH_SIZE ? notices.progress(progressText(0)) : null;
    try {
      for (let start = 0; start < ids.length && progress?.signal.aborted !== true; start += BATCH_SIZE) {
        await client.bulkSubmissions({ body: { ids: ids.slice(start, start + BATCH_SIZE), ...change } });
        progress?.update(progressText(Math.min(ids.length, start + BATCH_SIZE)));
      }
    } finally {
      progress?.end();
    }
    return progress?.signal.aborted !== true;
  };
  return {
    sendInBatches,
    async sendStatuses(submissions, statusOf) {
      for (const [status, members] of Map.groupBy(submissions, statusOf)) {
        const ids = members.map(({ id }) => id);
        if (!(await sendInBatches(ids, { action: "set_status", status }))) return false;
      }
      return true;
    },
  };
}
