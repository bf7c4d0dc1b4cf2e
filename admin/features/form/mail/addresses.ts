/** Recipients separated by commas, as a setting stores them and as chips show them. */

/** One address, with or without a name before it. */
const MAILBOX = /^(?:[^<>]*<\s*)?[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+(?:\s*>)?$/;
/** Placeholder of an answer, whose value is known only when the mail is composed. */
const ANSWER = /\[[^[\]]+\]/;

/** Splits a list at commas, semicolons and lines, but not within quotation marks or angle brackets. */
export function itemsOf(list: string): readonly string[] {
  const items = list.match(/(?:"[^"]*"|<[^>]*>|[^,;\r\n"<])+/g) ?? [];
  return items.flatMap((item) => {
    const text = item.trim();
    // Some programs copy addresses with only spaces between them.
    const words = text.split(/\s+/);
    return words.length > 1 && words.every((word) => MAILBOX.test(word)) ? words : text === "" ? [] : [text];
  });
}

export const isRecipient = (item: string): boolean => ANSWER.test(item) || MAILBOX.test(item);

/** Name of the answer when an item is only a placeholder, such as `email` for `[email]`. */
export const answerOf = (item: string): string | null => /^\[\s*([\w.:-]+)\s*\]$/.exec(item)?.[1] ?? null;
