/** The `mailto:` link that answers a submission. */
import type { Submission } from "../../../client/index.ts";
import { type AnswerField, answerText, labelOf, shownAnswer } from "./answers.ts";

/** Limit of the whole link; some mail programs cut longer ones. */
export const MAX_LINK_LENGTH = 1_800;

const MAX_SUBJECT_LENGTH = 100;
const MAX_GREETING_LENGTH = 80;

const ADDRESS = /^[^\s@<>()[\],;:"\\]{1,64}@[^\s@<>()[\],;:"\\/?#&]{1,255}$/u;
const ELLIPSIS = "…";

/**
 * Returns the visitor's address: the answer of the field that an action replies to, else of the first email field; null
 * without one.
 */
export function replyAddress(
  { data }: Pick<Submission, "data">,
  fields: readonly AnswerField[],
  replyFields: readonly string[] = [],
): string | null {
  const names = [...replyFields, ...fields.filter(({ type }) => type === "email").map(({ name }) => name)];
  const addresses = names.map((name) => answerText(data[name]).trim());
  return addresses.find((address) => ADDRESS.test(address)) ?? null;
}

/** Returns the names of the fields in the reply addresses of a form's actions, such as `email` of `[email]`. */
export function replyFieldsOf(actions: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  return actions.flatMap(({ reply_to: replyTo }) =>
    typeof replyTo === "string"
      ? [...replyTo.matchAll(/\[\s*([\w.-]+?)(?::\w+)?\s*\]/g)].map(([, name = ""]) => name)
      : [],
  );
}

/** Quotes the answers, with `>` before each line. */
export function quoted({ data, labels }: Submission, fields: readonly AnswerField[]): string {
  const known = new Map(fields.map((field) => [field.name, field]));
  const names = new Set([...known.keys(), ...Object.keys(data)]);
  return [...names]
    .filter((name) => known.get(name)?.type !== "hidden")
    .flatMap((name) => {
      const field = known.get(name);
      const text = labels[name] ?? shownAnswer(data[name], field);
      return text === "" ? [] : `${field === undefined ? name : labelOf(field)}: ${text}`.split(/\r\n|\r|\n/);
    })
    .map((line) => `> ${line}`)
    .join("\n");
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly greeting: string;
  readonly quote: string;
}

/** Returns the link, whose quote is cut so that the link has at most {@link MAX_LINK_LENGTH} characters. */
export function mailtoOf({ to, subject, greeting, quote }: Mail): string {
  const [local = "", domain = ""] = [to.slice(0, to.lastIndexOf("@")), to.slice(to.lastIndexOf("@") + 1)];
  const encode = (text: string) => encodeURIComponent(text.toWellFormed().replaceAll("\n", "\r\n"));
  const start = `mailto:${encode(local)}@${encode(domain)}?subject=${encode(subject.slice(0, MAX_SUBJECT_LENGTH))}&body=`;
  const linkOf = (text: string) => start + encode(`${greeting.slice(0, MAX_GREETING_LENGTH)}\n\n\n\n${text}`);
  if (linkOf(quote).length <= MAX_LINK_LENGTH) return linkOf(quote);
  const characters = [...quote];
  // The longest part that fits, by bisection.
  let [fits, tooLong] = [0, characters.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    const cut = characters.slice(0, middle).join("") + ELLIPSIS;
    if (linkOf(cut).length <= MAX_LINK_LENGTH) fits = middle;
    else tooLong = middle;
  }
  return linkOf(characters.slice(0, fits).join("") + ELLIPSIS);
}
