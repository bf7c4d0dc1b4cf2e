/** How many answers are stored under each name, also under names that no field has any more. */
import { useMemo } from "react";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../shared/api/http.ts";

interface AnswerName {
  readonly name: string;
  readonly count: number;
}

const NONE: readonly AnswerName[] = [];

export function useAnswerCounts(formId: number): ReadonlyMap<string, number> {
  const api = useApi();
  const { data = NONE } = useQuery({ queryKey: ["answer-names", formId], queryFn: ({ signal }) => api.send<readonly AnswerName[]>("GET", `/forms/${formId}/answer-names`, { signal }) });
  return useMemo(() => new Map(data.map(({ name, count }) => [name, count])), [data]);
}
