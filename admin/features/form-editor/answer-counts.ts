/** Number of stored answers by field. */
import { useCallback } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { answerNamesQuery } from "../../shared/api/resources.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import { formerNamesIn } from "../../shared/draft/renames.ts";

/** Returns the number of a field's stored answers, including answers under its former names; null while loading. */
export type CountAnswers = (name: string) => number | null;

export function useAnswerCounts({ form, content }: Pick<Draft, "form" | "content">): CountAnswers {
  const client = useClient();
  const { data } = useQuery(answerNamesQuery(client, form.id));
  return useCallback(
    (name) => {
      if (data === undefined) return null;
      const names = [name, ...(formerNamesIn(content)[name] ?? [])];
      return data.reduce((sum, answers) => sum + (names.includes(answers.name) ? answers.count : 0), 0);
    },
    [data, content],
  );
}
