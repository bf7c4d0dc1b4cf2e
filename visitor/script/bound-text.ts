/**
 * Writes a day, month or week in English with the name of the month, since readers of English disagree about the order of
 * the numbers (`localized_bound` of crates/model/src/logic/localized.rs). Undefined for another language or text.
 */
export function boundText(format: string, text: string): string | undefined {
  const [date = "", year, month = "", day] = /^(\d+)-(W?\d+)(-\d+)?/.exec(text) ?? [];
  if (!/^(\{year\}-|$)/.test(format) || date === "") return;
  const week = month.split("W")[1];
  if (week) return `week ${+week}, ${year}`;
  const options = { timeZone: "UTC", month: "long", year: "numeric", day: day ? "numeric" : undefined } as const;
  return new Date(date).toLocaleDateString("en-GB", options) + text.slice(date.length).replace("T", " ");
}
