/** Files to import: their text, and the columns of a CSV file. */

/** Decodes a file. A workbook is sent as base64. Windows programs may save UTF-16, which begins with a byte order mark. */
export async function contentOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const begins = (first: number, second: number): boolean => bytes[0] === first && bytes[1] === second;
  // A zip begins with “PK”.
  if (begins(0x50, 0x4b)) return base64(bytes);
  return new TextDecoder(begins(0xff, 0xfe) ? "utf-16le" : begins(0xfe, 0xff) ? "utf-16be" : "utf-8").decode(bytes);
}

function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  // More arguments of one call than this exceed the stack of some browsers.
  const size = 0x8000;
  for (let at = 0; at < bytes.length; at += size) parts.push(String.fromCharCode(...bytes.subarray(at, at + size)));
  return btoa(parts.join(""));
}

/** Headings of a CSV file, and its first rows. */
export interface Columns {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Number of rows that the mapping shows. */
const SHOWN_ROWS = 3;

/** Separators in the order of preference among equally frequent ones. */
const SEPARATORS = [",", ";", "\t"] as const;

function separatorOf(line: string): string {
  const unquoted = line.replace(/"[^"]*"/g, "");
  const count = (separator: string): number => unquoted.split(separator).length;
  return SEPARATORS.reduce((best, next) => (count(next) > count(best) ? next : best));
}

/** Reads the first rows of a CSV file; undefined for other files. */
export function columnsOf(content: string): Columns | undefined {
  const text = content.replace(/^\ufeff/, "");
  const [first = ""] = text.split(/\r?\n/, 1);
  const separator = separatorOf(first);
  if (/^\s*[<[{]/.test(text) || !first.includes(separator)) return undefined;
  const rows: string[][] = [];
  let [row, cell, isQuoted] = [[] as string[], "", false];
  for (let at = 0; at < text.length && rows.length <= SHOWN_ROWS; at += 1) {
    const character = text.charAt(at);
    if (isQuoted && character === '"' && text.charAt(at + 1) === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"' && (isQuoted || cell === "")) isQuoted = !isQuoted;
    else if (isQuoted) cell += character;
    else if (character === separator) {
      row.push(cell);
      cell = "";
    } else if (character === "\n") {
      rows.push([...row, cell]);
      [row, cell] = [[], ""];
    } else if (character !== "\r") cell += character;
  }
  if (rows.length <= SHOWN_ROWS && (row.length > 0 || cell !== "")) rows.push([...row, cell]);
  const [headings = [], ...others] = rows;
  return { headings, rows: others };
}
