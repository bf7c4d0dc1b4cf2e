/** Undo history of a form's content: the fields and the HTML. */
import type { Content, FormSchema } from "./content.ts";
import { apply, type Command } from "./commands.ts";

/** Limit on the undo steps. Beyond the limit, the oldest steps are dropped. */
const MAX_STEPS = 500;

export interface History {
  readonly shown: Content;
  readonly past: readonly Content[];
  readonly future: readonly Content[];
  /** Content that is stored as the draft or as the form. */
  readonly stored: Content;
  /** Key of the last edit. Consecutive edits with the same key, such as the keystrokes of a text, are one undo step. */
  readonly mergeKey: string | null;
}

export const startHistory = (content: Content): History => ({
  shown: content,
  past: [],
  future: [],
  stored: content,
  mergeKey: null,
});

export function run(history: History, command: Command, mergeKey: string | null = null): History {
  const shown = apply(history.shown, command);
  if (shown === history.shown) return history;
  const isSameStep = mergeKey !== null && mergeKey === history.mergeKey && history.past.length > 0;
  const past = isSameStep ? history.past : [...history.past, history.shown].slice(-MAX_STEPS);
  return { ...history, shown, past, future: [], mergeKey };
}

export function undo(history: History): History {
  const shown = history.past.at(-1);
  if (shown === undefined) return history;
  return {
    ...history,
    shown,
    past: history.past.slice(0, -1),
    future: [history.shown, ...history.future],
    mergeKey: null,
  };
}

export function redo(history: History): History {
  const [shown, ...future] = history.future;
  if (shown === undefined) return history;
  return { ...history, shown, past: [...history.past, history.shown], future, mergeKey: null };
}

/** Marks content as stored. Edits that were made while this content was being saved stay unsaved. */
export const markStored = (history: History, content: Content): History => ({
  ...history,
  stored: content,
  mergeKey: null,
});

/** Maps the shown content and the content of each step, for example to merge another user's change. */
export const mapHistory = (history: History, map: (content: Content) => Content): History => ({
  ...history,
  shown: map(history.shown),
  past: history.past.map(map),
  future: history.future.map(map),
});

/** Replaces the schema with the schema that was parsed from the HTML, without an undo step. */
export function withParsedSchema(history: History, schema: FormSchema): History {
  const shown = { ...history.shown, schema };
  return { ...history, shown, stored: history.stored === history.shown ? shown : history.stored };
}

export const isUnsaved = ({ shown, stored }: History): boolean => shown !== stored;
