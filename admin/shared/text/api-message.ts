/**
 * Translates the English messages of the API. The id of a text is `english.` and the English sentence, in which a name
 * in braces matches any words.
 */
import type { I18n } from "@lingui/core";
import { useLingui } from "@lingui/react";
import { useCallback } from "react";

const PREFIX = "english.";

/** Limit on the length of a message that is compared with the sentences. */
const MAX_LENGTH = 4_000;

interface Sentence {
  readonly id: string;
  /** Matches the sentence; the last group is the text after it. */
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/** Sentences of each language, the longest first, so that the most specific one counts. */
const known = new WeakMap<I18n["messages"], readonly Sentence[]>();

function sentencesOf({ messages }: I18n): readonly Sentence[] {
  const sentences = known.get(messages) ?? readSentences(messages);
  known.set(messages, sentences);
  return sentences;
}

const readSentences = (messages: I18n["messages"]): readonly Sentence[] =>
  Object.keys(messages)
    .filter((id) => id.startsWith(PREFIX))
    .map((id) => ({ id, parts: id.slice(PREFIX.length).split(/\{(\w+)\}/) }))
    .sort((one, other) => literalLength(other.parts) - literalLength(one.parts))
    .map(({ id, parts }) => {
      const source = parts
        .map((part, index) => (index % 2 === 1 ? "(.+?)" : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)))
        .join("");
      return {
        id,
        // A value at the end cannot be told apart from text that follows the sentence.
        pattern: new RegExp(`^${source}${parts.at(-1) === "" ? "" : "(?: (.+))?"}$`, "s"),
        names: parts.filter((_, index) => index % 2 === 1),
      };
    });

const literalLength = (parts: readonly string[]): number =>
  parts.reduce((sum, part, index) => sum + (index % 2 === 1 ? 0 : part.length), 0);

/** Returns the message in the language of the texts; null if one of its sentences is unknown. */
export function translateMessage(i18n: I18n, message: string): string | null {
  if (message.length > MAX_LENGTH) return null;
  for (const { id, pattern, names } of sentencesOf(i18n)) {
    const match = pattern.exec(message);
    if (match === null) continue;
    const following = match[names.length + 1];
    const rest = following === undefined ? "" : translateMessage(i18n, following);
    if (rest === null) continue;
    const values = Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? ""]));
    return `${i18n._(id, values)}${rest === "" ? "" : ` ${rest}`}`;
  }
  return null;
}

/** Returns a function that translates a message of the API; null for one that has no translation. */
export function useApiMessage(): (message: string) => string | null {
  const { i18n } = useLingui();
  return useCallback((message) => translateMessage(i18n, message), [i18n]);
}
