/** Several embedded hosts on one PostgreSQL. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createForms } from "../../host-shim/src/index.ts";
import {
  ADMIN,
  APP_PASSWORD,
  basic,
  bodyOf,
  postJson,
  signIn,
  startTestHost,
  temporaryDirectory,
} from "./embedded-fixture.ts";
import { postgresForTests } from "./postgres-server.ts";

const postgres = await postgresForTests();
const options = "skip" in postgres ? { skip: postgres.skip } : {};
after(async () => {
  if ("server" in postgres) await postgres.server.stop();
});

test("hosts that start at once on an empty database share users, sessions and passwords", options, async (t) => {
  const environment = { DATABASE_URL: "server" in postgres ? postgres.server.url : "", CF_ADMIN_PASSWORD: "" };
  // Hosts with one database also share the folder of uploads.
  const directory = await temporaryDirectory(t);
  const start = () => startTestHost(t, { environment, directory, createForms });
  const [one, two, three] = await Promise.all([start(), start(), start()]);

  const generated = [one, two, three].flatMap(({ generatedPassword }) => generatedPassword ?? []);
  assert.equal(generated.length, 1, "one host created the administrator");
  const { cookie, nonce } = await signIn(one, { login: ADMIN.login, password: generated[0] });
  const forms = await fetch(`${two.url}/api/cf/v1/forms`, { headers: { cookie, "x-wp-nonce": nonce } });
  assert.equal(forms.status, 200);

  const path = "/api/wp/v2/users/me/application-passwords";
  const bootstrap = basic(ADMIN.login, APP_PASSWORD);
  const created = await bodyOf<{ uuid: string; password: string }>(
    await postJson(two.url + path, { name: "x" }, bootstrap),
  );
  const mine = basic(ADMIN.login, created.password);
  const statuses = async () => {
    const responses = await Promise.all(
      [one, two, three].map(({ url }) => fetch(`${url}/api/cf/v1/forms`, { headers: mine })),
    );
    return responses.map(({ status }) => status);
  };
  assert.deepEqual(await statuses(), [200, 200, 200]);
  const deleted = await fetch(`${three.url}${path}/${created.uuid}`, { method: "DELETE", headers: bootstrap });
  assert.equal(deleted.status, 200);
  for (const host of [one, two]) host.clock.time += 10_001;
  assert.deepEqual(await statuses(), [401, 401, 401]);
  assert.equal((await fetch(`${one.url}/readyz`)).status, 200);
});
