/** Queries of the lists of submissions of `cf/v1`. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Submission } from "../../../client/index.ts";
import type { Client } from "./client.ts";
import { keys, type ListPart, type SubmissionFilters } from "./keys.ts";

/** Returns the operation that lists the submissions of one form or of all. Both take the same parameters. */
const listOf = ({ form_id: formId }: SubmissionFilters) =>
  (formId === undefined ? "listSubmissions" : "listFormSubmissions") as "listSubmissions";

/** A page of the inbox's list. */
export interface SubmissionPage {
  readonly rows: readonly Submission[];
  readonly total: number;
  /** Whether the API stopped counting at `total`, so that there may be more. */
  readonly isLowerBound: boolean;
  readonly next: ListPosition | null;
}

const PAGE_SIZE = 100;

/** Position in a list: a part of it, and the API's cursor in that part. */
interface ListPosition {
  readonly part: number;
  readonly cursor: string;
}

/** Limit of empty parts that one page skips, so that a page sends a bounded number of requests. */
const MAX_EMPTY_PARTS = 10;

/**
 * Reads a list page by page. With parts, such as one for each form, the list is sorted by them: each part's submissions
 * follow the previous part's.
 */
export const submissionsQuery = (client: Client, filters: SubmissionFilters, parts: readonly ListPart[] = []) =>
  infiniteQueryOptions({
    queryKey: keys.submissionList(filters, parts),
    initialPageParam: { part: 0, cursor: "" } as ListPosition,
    staleTime: 10_000,
    // Structural sharing would compare all loaded pages with each new one, at a cost that grows while scrolling.
    structuralSharing: false,
    queryFn: async ({ pageParam, signal }): Promise<SubmissionPage> => {
      const readPart = async ({ part, cursor }: ListPosition) => {
        const input = { ...filters, ...parts[part] };
        return client.answer(
          listOf(input),
          { ...input, per_page: PAGE_SIZE, cursor: cursor === "" ? undefined : cursor },
          { signal },
        );
      };
      let position = pageParam;
      let response = await readPart(position);
      for (let skipped = 0; response.data.length === 0 && position.part + 1 < parts.length; skipped += 1) {
        if (skipped === MAX_EMPTY_PARTS) break;
        position = { part: position.part + 1, cursor: "" };
        response = await readPart(position);
      }
      // The total of one part is not the total of the list.
      const isFirst = pageParam.part === 0 && pageParam.cursor === "";
      const counted =
        parts.length > 0 && isFirst
          ? await client.answer(listOf(filters), { ...filters, per_page: 1, _fields: ["id"] }, { signal })
          : response;
      const cursor = response.headers.get("x-cf-next-cursor");
      return {
        rows: response.data,
        total: counted.total ?? 0,
        isLowerBound: counted.headers.get("x-cf-total-is-least") === "true",
        next:
          cursor !== null
            ? { part: position.part, cursor }
            : position.part + 1 < parts.length
              ? { part: position.part + 1, cursor: "" }
              : null,
      };
    },
    getNextPageParam: (page: SubmissionPage) => page.next ?? undefined,
  });

/** Polls a list for its newest submission and its total. The API reads one row and a counter. */
export const pollQuery = (client: Client, filters: SubmissionFilters) =>
  queryOptions({
    queryKey: keys.pollOf(filters),
    queryFn: async ({ signal }) => {
      const { data, total } = await client.answer(
        listOf(filters),
        { ...filters, order: undefined, per_page: 1, _fields: ["id"] },
        { signal },
      );
      return { newest: data[0]?.id ?? 0, total: total ?? 0 };
    },
  });
