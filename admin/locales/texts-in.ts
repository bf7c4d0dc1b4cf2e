/** The texts of one language, of texts that are declared in every language side by side. */
export function textsIn<Id extends string, Code extends string>(
  texts: Readonly<Record<Id, Readonly<Record<Code, string>>>>,
  language: Code,
): Readonly<Record<Id, string>> {
  const entries = Object.entries<Readonly<Record<Code, string>>>(texts);
  return Object.fromEntries(entries.map(([id, text]) => [id, text[language]])) as Record<Id, string>;
}
