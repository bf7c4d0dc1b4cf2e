/**
 * Splits texts that show answers: `[name]`, `[name.first]`, `[name|words]`. The rules are those of
 * crates/model/src/logic/piping.rs; both run the same cases (tests/cases/fields/piping.json).
 */

/** A pipe in a text. */
export interface Pipe {
  /** The field's name, which `find` returned for the written name. */
  readonly name: string;
  /** The fallback words, shown if there is no answer. */
  readonly words: string;
  /** The pipe as written, with its brackets. */
  readonly written: string;
}

const MAX_PIPE_CHARS = 1_000;

/** The pipe at the start of a text. `find` returns the field's name for a written name. */
function pipeAt(text: string, find: (written: string) => string | undefined): Pipe | undefined {
  let end = 0;
  // The name of a field may contain brackets: `[row[1]]`.
  for (let count = 0; count < 3; count += 1) {
    end = text.indexOf("]", end + 1);
    if (end < 0 || end > MAX_PIPE_CHARS) return undefined;
    // `[words](address)` is a link.
    if (text[end + 1] === "(") continue;
    const written = text.slice(0, end + 1);
    const inside = text.slice(1, end);
    const whole = find(inside.trim());
    if (whole !== undefined) return { name: whole, words: "", written };
    const bar = inside.indexOf("|");
    const name = bar < 0 ? undefined : find(inside.slice(0, bar).trim());
    if (name !== undefined) return { name, words: inside.slice(bar + 1), written };
  }
  return undefined;
}

/** Replaces the pipes of a text. */
export function replacePipes(
  text: string,
  find: (written: string) => string | undefined,
  replace: (pipe: Pipe) => string,
): string {
  let [out, rest] = ["", text];
  for (let at = rest.indexOf("["); at >= 0; at = rest.indexOf("[")) {
    const pipe = pipeAt(rest.slice(at), find);
    out += rest.slice(0, at) + (pipe === undefined ? "[" : replace(pipe));
    rest = rest.slice(at + (pipe?.written.length ?? 1));
  }
  return out + rest;
}

/** Returns a `find` function that ignores case; an exact match takes precedence. */
export function finderOf(names: Iterable<string>): (written: string) => string | undefined {
  const exact = new Set(names);
  const folded = new Map<string, string>();
  for (const name of exact) {
    const key = name.toLowerCase();
    if (!folded.has(key)) folded.set(key, name);
  }
  return (written) => (exact.has(written) ? written : folded.get(written.toLowerCase()));
}
