/** The recipe for Directus, with its users' tokens, on PostgreSQL: the main job. */
import assert from "node:assert/strict";
import { after } from "node:test";
import { startPostgres, type PostgresServer } from "../../shim/postgres-server.ts";
import { DIRECTUS } from "../recipe.ts";
import { testRecipe } from "../recipe-tests.ts";

let postgres: PostgresServer | undefined;
after(() => postgres?.stop());

await testRecipe(DIRECTUS, {
  async prepare({ url, token }) {
    postgres = await startPostgres();
    return {
      DB_CLIENT: "pg",
      DB_CONNECTION_STRING: postgres.url,
      SECRET: "of the tests, and long enough for Directus",
      ADMIN_EMAIL: "ann@example.org",
      ADMIN_PASSWORD: "of the editor",
      ADMIN_TOKEN: token,
      PUBLIC_URL: url,
      TELEMETRY: "false",
    };
  },
  more(testHost, { url }) {
    testHost("sign-in", "an unknown token is reported, and Directus responds as before", async () => {
      const response = await fetch(`${url}/api/cf/v1/forms`, { headers: { authorization: "Bearer unknown" } });
      assert.deepEqual([response.status, (await response.json()).code], [401, "rest_invalid_token"]);
      assert.equal(await (await fetch(`${url}/server/ping`)).text(), "pong");
    });
  },
});
