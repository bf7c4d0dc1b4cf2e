/** Inboxes with submissions for the tests of the admin's inbox, and helpers that wait for their states. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { TestHost } from "../shim/embedded-fixture.ts";
import { api, type FormRef, makeForm, show, signIn, startBrowser, startSite, submit } from "./admin-site.ts";

export interface Stored {
  readonly id: number;
  readonly status: string;
  readonly starred: boolean;
  readonly data: { readonly name: string };
}

export interface Inbox {
  readonly host: TestHost;
  readonly form: FormRef;
  readonly page: Page;
  readonly faults: string[];
}

export const nameOf = (number: number): string => `Visitor ${String(number).padStart(2, "0")}`;

/** Opens the inbox of a form with this number of submissions; the newest is the first row. */
export async function openInbox(t: TestContext, count: number, address = "/inbox"): Promise<Inbox> {
  const host = await startSite(t);
  const form = await makeForm(host.url);
  for (let number = 1; number <= count; number += 1) {
    host.clock.time += 1_000;
    await submit(host.url, form.slug, { name: nameOf(number), email: `v${number}@example.com`, message: "Hello" });
  }
  const { page, faults } = await signIn(await startBrowser(t), host.url);
  await show(page, address);
  if (count > 0 && address.startsWith("/inbox")) await rowOf(page, nameOf(count)).waitFor();
  return { host, form, page, faults };
}

export const rowOf = (page: Page, name: string): Locator => page.getByRole("row").filter({ hasText: name });

export const heading = (page: Page, name: string): Locator =>
  page.getByRole("heading", { level: 2, name, exact: true });

export const detailOf = (page: Page): Locator => page.getByRole("region", { name: /^Submission \d/ });

export async function stored(host: TestHost): Promise<readonly Stored[]> {
  return api(host.url, "GET", "/submissions?status=any&per_page=100&orderby=id&order=asc");
}

export const statuses = async (host: TestHost): Promise<readonly string[]> =>
  (await stored(host)).map(({ status }) => status);

/** Waits until submissions have these stored statuses, because requests may be in flight. */
export async function waitForStatuses(host: TestHost, expected: readonly string[]): Promise<void> {
  const until = Date.now() + 10_000;
  while (Date.now() < until && (await statuses(host)).join() !== expected.join())
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(await statuses(host), expected);
}

/** Waits until an opened submission is marked as read. */
export async function waitForRead(host: TestHost, id: number): Promise<void> {
  const isNew = async () => (await stored(host)).some((one) => one.id === id && one.status === "new");
  const until = Date.now() + 10_000;
  while (Date.now() < until && (await isNew())) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(await isNew(), false);
}

/** Waits until the address has this submission as the opened one; 0 for none. */
export const waitForShown = (page: Page, id: number): Promise<void> =>
  page.waitForURL((url) => (url.searchParams.get("open") ?? "0") === String(id));
