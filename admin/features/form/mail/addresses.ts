/** A comma list of recipients, as items of a setting and as chips. */

/** One address, with or without a name before it. */
const MAILBOX = /^(?:[^<>]*<\s*)?[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+(?:\s*>)?$/;
/** An answer, whose value is known when the mail is written. */
const ANSWER = /\[[^[\]]+\]/;

/** Splits a list at commas, semicolons and lines, but not within quotation marks or angle brackets. */
export function itemsOf(list: string): readonly string[] {
  const items = list.match(/(?:"[^"]*"|<[^>]*>|[^,;\r\n"<])+/g) ?? [];
  return items.flatMap((item) => {
    const text = item.trim();
    // Addresses that only spaces separate, as some programs copy them.
    const words = text.split(/\s+/);
    return words.length > 1 && words.every((word) => MAILBOX.test(word)) ? words : text === "" ? [] : [text];
  });
}

export const isRecipient = (item: string): boolean => ANSWER.test(item) || MAILBOX.test(item);

/** Name of the answer when an item is only a placeholder, such as `email` for `[email]`. */
export const answerOf = (item: string): string | null => /^\[\s*([\w.:-]+)\s*\]$/.exec(item)?.[1] ?? null;
