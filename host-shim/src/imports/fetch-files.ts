/** Fetches the files of submissions through the guarded HTTP port, before the engine stores the submissions. */

import type { Files, Host, Http } from "../ports.ts";
import type { PartFilter } from "./parts.ts";
import type { ImportRecords, Note } from "./records.ts";

/** Limit for a file. The port holds it in memory. */
const MAX_FILE_BYTES = 16 * 2 ** 20;
const TIMEOUT_MS = 20_000;
const MAX_REDIRECTS = 3;
/** Limit on the files that are fetched at once. */
const CONCURRENCY = 3;
const MAX_NOTE_CHARS = 10_000;
const MAX_NAME_CHARS = 200;

/** A link to a file, as the importers write it. */
interface Link {
  readonly field: string;
  readonly url: string;
}

/** A stored file, as the engine reads it. */
interface StoredFile {
  readonly field: string;
  readonly filename: string;
  readonly content_type: string;
  readonly size: number;
  readonly key: string;
}

interface Draft {
  note: string;
  files?: readonly (Link | StoredFile)[];
}

/** A part as the importers write it for the engine. */
type Part = readonly [{ readonly Ok?: { readonly submissions: Draft[] } }, Note[]];

/** The ports that fetching needs. */
type Ports = Pick<Host, "files" | "http"> & { readonly records: ImportRecords; readonly now: () => number };

/**
 * Returns a filter that replaces the links in a part by stored files. A link that cannot be fetched goes into the note
 * of its submission.
 */
export function fetching(ports: Ports): PartFilter {
  return async (text) => {
    if (!text.includes('"files":')) return text;
    const part = JSON.parse(text) as Part;
    const waiting = (part[0].Ok?.submissions ?? []).filter(({ files = [] }) => files.length > 0);
    let failed = 0;
    const work = async (): Promise<void> => {
      for (let draft = waiting.shift(); draft !== undefined; draft = waiting.shift()) {
        const stored: StoredFile[] = [];
        for (const link of (draft.files ?? []) as readonly Link[]) {
          const file = await fetched(ports, link).catch(() => null);
          if (file !== null) stored.push(file);
          else {
            failed += 1;
            draft.note = `${draft.note}${draft.note === "" ? "" : "\n"}${link.field}: ${link.url}`.slice(
              0,
              MAX_NOTE_CHARS,
            );
          }
        }
        draft.files = stored;
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    if (failed > 0) {
      const message = `${failed} files could not be fetched: their links are kept in notes.`;
      part[1].push({ code: "files", message, where: "submissions" });
    }
    return JSON.stringify(part);
  };
}

/** Fetches and stores a file; null when the file is missing or too large. */
async function fetched({ http, files, records, now }: Ports, { field, url }: Link): Promise<StoredFile | null> {
  if (http === undefined || files === undefined) return null;
  const response = await followed(http, url);
  if (response === null || response.body.length > MAX_FILE_BYTES) return null;
  const key = `imports/files/${crypto.randomUUID()}`;
  const contentType =
    /^[\w.+-]+\/[\w.+-]+/.exec(response.headers["content-type"] ?? "")?.[0] ?? "application/octet-stream";
  const file = { field, filename: nameOf(url), content_type: contentType, size: response.body.length, key };
  await records.addFile(file, now());
  await put(files, file, response.body);
  return file;
}

const put = (files: Files, { key, content_type }: StoredFile, body: Uint8Array): Promise<void> =>
  files.put(key, body, content_type);

/** The response for a link, after its redirects; the port checks each address. */
async function followed(http: Http, first: string) {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const headers = { accept: "*/*" };
    const limits = { timeout_ms: TIMEOUT_MS, max_bytes: MAX_FILE_BYTES + 1 };
    const response = await http.fetch({ method: "GET", url, headers, body: null, ...limits });
    if (response.status === 200) return response;
    const location = response.headers["location"];
    if (response.status < 300 || response.status > 399 || location === undefined) return null;
    url = new URL(location, url).href;
  }
  return null;
}

/** A file name from the last part of a link's path, with `_` for characters that are unsafe in file names. */
function nameOf(url: string): string {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // A stray percent sign stays as it is.
  }
  const clean = name.replace(/[\u0000-\u001f\u007f<>:"/\\|?*;%\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "_");
  return clean.slice(-MAX_NAME_CHARS).replace(/^[\s.]+|[\s.]+$/g, "") || "file";
}
