/** Runs a case of the database suite on EmDash's own database. */
import { kyselySqlite } from "cf-forms/adapters/kysely";
import { databaseCases } from "cf-forms/conformance";
import { withEmDashRuntime } from "emdash/middleware";

export const GET = ({ params }: { params: { number: string } }): Promise<Response> =>
  withEmDashRuntime(async ({ db }) => {
    const found = databaseCases[Number(params.number)];
    try {
      await found?.run(kyselySqlite(db));
      return new Response(found === undefined ? "no such case" : "passed");
    } catch (error) {
      return new Response(error instanceof Error ? error.stack : String(error));
    }
  });
