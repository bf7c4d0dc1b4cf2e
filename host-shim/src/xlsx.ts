/**
 * Writes XLSX (ECMA-376) with one sheet, as a stream. The engine sends the rows as lines of JSON lists. Texts are
 * inline strings, so that a cell is never a formula.
 */

import { crc32 } from "./crc32.ts";
import type { EngineResponse } from "./frame.ts";

export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Limit for the text of a cell in Excel. */
const MAX_CELL_CHARS = 32_767;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** The parts of the file in addition to the sheet. */
const PARTS: readonly (readonly [string, string])[] = [
  [
    "[Content_Types].xml",
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${XLSX_TYPE}.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
  ],
  [
    "_rels/.rels",
    `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    "xl/workbook.xml",
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Submissions" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    "xl/_rels/workbook.xml.rels",
    `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  ],
];

/** Converts a response with the rows of a sheet to an XLSX file; returns any other response unchanged. */
export function withSheet(response: EngineResponse): EngineResponse {
  const isSheet = response.headers.some(([name, value]) => name === "content-type" && value === XLSX_TYPE);
  if (!isSheet || response.status !== 200) return response;
  const rows = response.stream ?? new Blob([new Uint8Array(response.body)]).stream();
  return { ...response, body: new Uint8Array(), stream: streamOf(fileOf(rows)) };
}

/** Yields the bytes of the file: each part deflated, then the directory (APPNOTE.TXT, sections 4.3.7 to 4.3.16). */
async function* fileOf(rows: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  const parts: (readonly [string, () => AsyncIterable<string>])[] = [
    ...PARTS.map(([name, content]) => [name, () => once(DECLARATION + content)] as const),
    ["xl/worksheets/sheet1.xml", () => sheetOf(rows)],
  ];
  for (const [name, content] of parts) {
    const start = offset;
    const header = localHeader(name);
    yield header;
    offset += header.length;
    const totals = { crc: 0, size: 0, packed: 0 };
    for await (const piece of deflated(content(), totals)) {
      yield piece;
      totals.packed += piece.length;
    }
    const descriptor = numbers([4, 0x08074b50], [4, totals.crc], [4, totals.packed], [4, totals.size]);
    yield descriptor;
    offset += totals.packed + descriptor.length;
    directory.push(directoryEntry(name, totals, start));
  }
  const size = directory.reduce((sum, entry) => sum + entry.length, 0);
  yield* directory;
  const count = directory.length;
  yield numbers([4, 0x06054b50], [4, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]);
}

/** Deflates texts, and adds up their size and checksum. */
async function* deflated(
  texts: AsyncIterable<string>,
  totals: { crc: number; size: number },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  async function* counted(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for await (const text of texts) {
      const bytes = new TextEncoder().encode(text);
      totals.crc = crc32(bytes, totals.crc);
      totals.size += bytes.length;
      yield bytes;
    }
  }
  yield* piecesOf(streamOf(counted()).pipeThrough(new CompressionStream("deflate-raw")));
}

/** A stream of a generator's values; the generator runs only on demand. */
function streamOf(pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Yields the pieces of a stream, and cancels it when the caller stops early. */
async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield new Uint8Array(piece.value);
  } finally {
    await reader.cancel();
  }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** Yields the sheet's XML. An incomplete row ends the stream with an error, so that no file is silently truncated. */
async function* sheetOf(rows: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  yield `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;
  let rest = "";
  const decoder = new TextDecoder();
  for await (const piece of piecesOf(rows)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (lines.length > 0) yield lines.map(rowOf).join("");
  }
  if (rest !== "") yield rowOf(rest);
  yield "</sheetData></worksheet>";
}

function rowOf(line: string): string {
  const cells = JSON.parse(line) as readonly (string | number)[];
  return `<row>${cells.map(cellOf).join("")}</row>`;
}

function cellOf(value: string | number): string {
  if (typeof value === "number") return `<c><v>${value}</v></c>`;
  if (value === "") return "<c/>";
  const text = value
    .slice(0, MAX_CELL_CHARS)
    .toWellFormed()
    // XML 1.0 forbids these characters.
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
    // Excel reads `_x000A_` as an escaped character.
    .replaceAll(/_(?=x[0-9a-fA-F]{4}_)/g, "_x005F_")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
  return `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

/** General purpose flags: sizes follow the data, names are UTF-8. */
const FLAGS = 0x0808;
/** 1980-01-01, the first day that the format knows. */
const DATE = 0x0021;
const DEFLATED = 8;

function localHeader(name: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(name);
  const head = numbers(
    [4, 0x04034b50],
    [2, 20],
    [2, FLAGS],
    [2, DEFLATED],
    [2, 0],
    [2, DATE],
    [4, 0],
    [4, 0],
    [4, 0],
    [2, bytes.length],
    [2, 0],
  );
  return joined(head, bytes);
}

function directoryEntry(
  name: string,
  { crc, size, packed }: { readonly crc: number; readonly size: number; readonly packed: number },
  start: number,
): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(name);
  const head = numbers(
    [4, 0x02014b50],
    [2, 20],
    [2, 20],
    [2, FLAGS],
    [2, DEFLATED],
    [2, 0],
    [2, DATE],
    [4, crc],
    [4, packed],
    [4, size],
    [2, bytes.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, start],
  );
  return joined(head, bytes);
}

/** Writes numbers, the lowest byte first, each in 2 or 4 bytes. */
function numbers(...values: readonly (readonly [2 | 4, number])[]): Uint8Array<ArrayBuffer> {
  const bytes = values.flatMap(([length, value]) =>
    Array.from({ length }, (_, place) => (value >>> (8 * place)) & 0xff),
  );
  return Uint8Array.from(bytes);
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(left.length + right.length);
  whole.set(left);
  whole.set(right, left.length);
  return whole;
}
