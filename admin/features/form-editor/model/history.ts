/** One history of a form's content, over its fields and its HTML alike. */
import type { Content, FormSchema } from "./content.ts";
import { apply, type Command } from "./commands.ts";

/** More steps back are forgotten. */
const MAX_STEPS = 500;

export interface History {
  readonly shown: Content;
  readonly past: readonly Content[];
  readonly future: readonly Content[];
  /** What is stored as work in progress, or as the form. */
  readonly stored: Content;
  /** Edits with the same word, one right after the other, are one step: the letters of a text. */
  readonly word: string | null;
}

export const begin = (content: Content): History => ({
  shown: content,
  past: [],
  future: [],
  stored: content,
  word: null,
});

export function run(history: History, command: Command, word: string | null = null): History {
  const shown = apply(history.shown, command);
  if (shown === history.shown) return history;
  const isSameStep = word !== null && word === history.word && history.past.length > 0;
  const past = isSameStep ? history.past : [...history.past, history.shown].slice(-MAX_STEPS);
  return { ...history, shown, past, future: [], word };
}

export function undo(history: History): History {
  const shown = history.past.at(-1);
  if (shown === undefined) return history;
  return { ...history, shown, past: history.past.slice(0, -1), future: [history.shown, ...history.future], word: null };
}

export function redo(history: History): History {
  const [shown, ...future] = history.future;
  if (shown === undefined) return history;
  return { ...history, shown, past: [...history.past, history.shown], future, word: null };
}

/** Notes that this content was stored; what was edited meanwhile is still to be stored. */
export const stored = (history: History, content: Content): History => ({ ...history, stored: content, word: null });

/** Gives the HTML that is shown the fields that it reads as, which is no step of its own. */
export function reread(history: History, schema: FormSchema): History {
  const shown = { ...history.shown, schema };
  return { ...history, shown, stored: history.stored === history.shown ? shown : history.stored };
}

export const isUnsaved = ({ shown, stored: kept }: History): boolean => shown !== kept;
