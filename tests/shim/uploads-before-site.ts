/** A site with a form that accepts files, and requests that upload files before and with the submit. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { diskFiles } from "../../host-shim/adapters/disk-files.ts";
import { items, member, startSite, type JsonValue, type Site, type SiteOptions } from "./site.ts";
import { uploadsIn } from "./uploads-fixture.ts";

export const DAY_MS = 86_400_000;
export const MARKUP =
  '<input name="name" required><input type="email" name="email">' +
  '<input type="file" name="cv" accept=".pdf"><input type="file" name="more" multiple data-max-files="2">';

const folder = mkdtempSync(join(tmpdir(), "cf-forms-early-"));
after(() => rmSync(folder, { recursive: true, force: true }));

interface On extends Site {
  readonly slug: string;
  readonly id: number;
  /** Names of the files on the disk. */
  stored(): string[];
}

export async function site(
  t: { after(run: () => Promise<void>): void },
  settings: Record<string, unknown> = {},
  options: SiteOptions = {},
): Promise<On> {
  const place = mkdtempSync(join(folder, "site-"));
  const opened = await startSite({ ...options, host: { files: diskFiles(place), ...options.host } });
  t.after(() => opened.close());
  const { body } = await opened.api("POST", "/forms", { title: "Jobs", slug: "jobs", markup: MARKUP, settings });
  const stored = () => uploadsIn(place);
  return { ...opened, slug: "jobs", id: Number(member(body, "id")), stored };
}

export interface Upload {
  readonly field?: string;
  readonly key?: string;
  readonly name?: string;
  readonly content?: string;
  readonly slug?: string;
  readonly address?: string;
}

export async function upload(
  on: On,
  sent: Upload = {},
): Promise<{ status: number; body: JsonValue; headers: Headers }> {
  const { field = "cv", key, name = "cv.pdf", content = "%PDF-1.4", slug = on.slug, address = "198.51.100.1" } = sent;
  const body = new FormData();
  body.append("field", field);
  if (key !== undefined) body.append("key", key);
  body.append("file", new Blob([content], { type: "application/pdf" }), name);
  const headers = { accept: "application/json", "x-test-address": address };
  const response = await fetch(`${on.url}/forms/${slug}/files`, { method: "POST", body, headers });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

export async function token(on: On, sent: Upload = {}): Promise<string> {
  const { status, body } = await upload(on, sent);
  assert.equal(status, 201, JSON.stringify(body));
  return String(member(body, "token"));
}

export type Pairs = readonly (readonly [string, string])[];

export async function submit(on: On, pairs: Pairs, slug = on.slug): Promise<{ status: number; body: JsonValue }> {
  const headers = { accept: "application/json", "x-test-address": "198.51.100.1" };
  const body = new URLSearchParams(pairs.map(([name, value]) => [name, value]));
  const response = await fetch(`${on.url}/forms/${slug}`, { method: "POST", body, headers });
  return { status: response.status, body: await response.json() };
}

export const codes = (body: JsonValue) => items(member(body, "errors")).map((fault) => member(fault, "code"));

export async function count(on: On, sql: string): Promise<number> {
  const [result] = await on.database.batch([{ sql, params: [] }]);
  return Number(result?.rows[0]?.[0]);
}

/** Advances the clock, and runs the due purge. */
export async function purge(on: On, ahead: number): Promise<void> {
  on.clock.ahead += ahead;
  await on.forms.runQueue();
  await on.settled();
}

/** A submit from a page without script. */
export async function post(on: On, sent: readonly (readonly [string, string | Blob, string?])[]): Promise<Response> {
  const body = new FormData();
  for (const [name, value, filename] of sent) {
    if (typeof value === "string") body.append(name, value);
    else body.append(name, value, filename);
  }
  return fetch(`${on.url}/forms/jobs`, { method: "POST", body, redirect: "manual" });
}

export const PDF = new Blob(["%PDF-1.4"], { type: "application/pdf" });
