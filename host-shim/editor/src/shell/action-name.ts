/** How actions are called and coloured, wherever they are listed. */
import { useActionTypes } from "../api/queries.ts";
import type { Tone } from "../ui/page.tsx";

export const TONES: Readonly<Record<string, Tone>> = { pending: "wait", processing: "info", retrying: "wait", failed: "bad", completed: "good", cancelled: "neutral", success: "good", skipped: "neutral" };

/** Came together with the ids of actions, their names and switches, and retries with today's settings. */
export const CANCEL_ROUTE = "/action-queue/{id}/cancel";

/** The name that its author gave it, else the label of its type. */
export function useActionName(): (type: string, name?: string) => string {
  const { data } = useActionTypes();
  return (type, name = "") => (name === "" ? (data?.find((own) => own.type === type)?.label ?? type) : name);
}
