/** The host for the tests of clients: the embedded host with the real engine and some data. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { createForms } from "../../host-shim/src/index.ts";
import {
  APP_PASSWORD,
  ADMIN,
  basic,
  bodyOf,
  postJson,
  startTestHost,
  type TestHost,
} from "../shim/embedded-fixture.ts";

export function startClientsHost(t: TestContext): Promise<TestHost> {
  return startTestHost(t, { createForms });
}

/** Creates a form with a number field, and returns its id. */
export async function createNumberForm({ url }: TestHost, slug: string): Promise<number> {
  const form = { title: `Numbers of ${slug}`, slug, markup: '<label>Number <input name="number"></label>' };
  const response = await postJson(`${url}/api/cf/v1/forms`, form, basic(ADMIN.login, APP_PASSWORD));
  assert.equal(response.status, 201);
  return (await bodyOf<{ id: number }>(response)).id;
}

/** Submits a form with the numbers from 1 on, like visitors. */
export async function submitNumbers({ url }: TestHost, slug: string, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const accepted = await Promise.all(
    numbers.map(async (number) => {
      const response = await postJson(`${url}/forms/${slug}`, { number: String(number) });
      await response.body?.cancel();
      return response.status;
    }),
  );
  assert.deepEqual(new Set(accepted), new Set([200]));
}
