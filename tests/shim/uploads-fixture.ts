/** Sites and files for the tests of uploads. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { after } from "node:test";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diskFiles } from "../../host-shim/adapters/disk-files.ts";
import type { MailMessage } from "../../host-shim/src/index.ts";
import { items, member, startSite, type JsonValue, type Site, type SiteOptions } from "./site.ts";

export const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

export const HTML = "<!DOCTYPE html><script>alert(1)</script>";

const MARKUP = '<input type="file" name="cv" multiple><input name="name" required><input type="email" name="email">';

export const folder = mkdtempSync(join(tmpdir(), "cf-forms-uploads-"));

after(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;

export async function site(t: { after(run: () => Promise<void>): void }, options: SiteOptions = {}): Promise<Site> {
  const files = diskFiles(join(folder, `site-${++made}`));
  const opened = await startSite({ ...options, host: { files, ...options.host } });
  t.after(() => opened.close());
  return opened;
}

/** The names of the uploads in a folder, without the file with the store's id. */
export const uploadsIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "cf-store-id")
    .map(({ name }) => name);

export const left = (): string[] => uploadsIn(join(folder, `site-${made}`));

export async function form(on: Site, settings: Record<string, unknown> = {}): Promise<{ id: number; slug: string }> {
  const { body } = await on.api("POST", "/forms", { title: "Jobs", markup: MARKUP, settings });
  return { id: Number(member(body, "id")), slug: String(member(body, "slug")) };
}

/** A file of this many bytes that begins like a PDF. */
export function pdf(size = 20): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes.set(new TextEncoder().encode("%PDF-1.7\n"));
  return bytes;
}

type Sent = readonly (readonly [field: string, content: Uint8Array | string, filename?: string])[];

export function post(on: Site, slug: string, sent: Sent, address = "198.51.100.1"): Promise<Response> {
  const body = new FormData();
  for (const [field, content, filename] of sent) {
    if (filename === undefined) body.append(field, String(content));
    else body.append(field, new Blob([content as BlobPart], { type: "application/pdf" }), filename);
  }
  return fetch(`${on.url}/forms/${slug}`, {
    method: "POST",
    body,
    headers: { accept: "application/json", "x-test-address": address },
  });
}

export async function onlySubmission(on: Site): Promise<JsonValue> {
  const { body } = await on.api("GET", "/submissions?status=any");
  const [first] = items(body);
  return first ?? null;
}

export const get = (url: string, caller = "administrator") => fetch(url, { headers: { "x-test-caller": caller } });

export async function attached(mail: MailMessage): Promise<[string, number][]> {
  const sizes: [string, number][] = [];
  for (const { filename, stream } of mail.attachments ?? []) {
    sizes.push([filename, (await new Response(await stream()).arrayBuffer()).byteLength]);
  }
  return sizes;
}

/** Opens a request that sends only the beginning of its declared body. */
export async function opened(on: Site, path: string, address: string, bytes: number) {
  const socket = connect(Number(new URL(on.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Test-Address: ${address}\r\nAccept: application/json\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${bytes}\r\n\r\n--x\r\n`,
  );
  return {
    socket,
    async response(): Promise<string> {
      const [data] = await once(socket, "data");
      socket.destroy();
      return String(data);
    },
  };
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let n = 0; n < 1_200; n++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail("it never came");
}
