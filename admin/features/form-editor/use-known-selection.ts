/** Keeps the selection on fields and steps that exist: renamed fields stay selected, removed ones are deselected. */
import { useEffect, useRef } from "react";
import type { FormSchema } from "../../shared/draft/content.ts";
import { stepsOf } from "../../shared/draft/tree.ts";
import { useEvent } from "../../shared/use-event.ts";
import type { Selection } from "./selection.ts";

export function useKnownSelection(schema: FormSchema, { keys, set }: Selection): void {
  const earlierSchema = useRef(schema);
  const deselectUnknown = useEvent((now: FormSchema) => {
    const known = new Set([...now.fields.map(({ name }) => name), ...stepsOf(now).map(({ id }) => `step:${id}`)]);
    const newName = renamedTo(earlierSchema.current, now);
    earlierSchema.current = now;
    const selected = [...keys];
    if (selected.every((key) => known.has(key))) return;
    set(new Set(selected.map((key) => newName(key) ?? key).filter((key) => known.has(key))));
  });
  useEffect(() => deselectUnknown(schema), [schema]);
}

/** Returns a function from a renamed field's old name to its new name, which is at the same position. */
function renamedTo(before: FormSchema, after: FormSchema): (name: string) => string | undefined {
  if (before.fields.length !== after.fields.length) return () => undefined;
  const names = new Set(before.fields.map(({ name }) => name));
  return (name) => {
    const now = after.fields[before.fields.findIndex((field) => field.name === name)]?.name;
    return now === undefined || names.has(now) ? undefined : now;
  };
}
