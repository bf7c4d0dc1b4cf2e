/** Number of stored answers by name, including names that no field has any more. */
import { useMemo } from "react";
import { useQuery } from "@tanstack/react-query";
import type { AnswerNameList } from "../../../client/index.ts";
import { useClient } from "../../shared/api/client.ts";
import { answerNamesQuery } from "../../shared/api/resources.ts";

const NONE: AnswerNameList = [];

export function useAnswerCounts(formId: number): ReadonlyMap<string, number> {
  const client = useClient();
  const { data = NONE } = useQuery(answerNamesQuery(client, formId));
  return useMemo(() => new Map(data.map(({ name, count }) => [name, count])), [data]);
}
