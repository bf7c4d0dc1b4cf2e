/** Runs a case of the database suite on D1: `GET /{number}`. */
import { d1, type D1Like } from "cf-forms/adapters/d1";
import { databaseCases } from "cf-forms/conformance";

export default {
  async fetch(request: Request, { DB }: { readonly DB: D1Like }): Promise<Response> {
    const found = databaseCases[Number(new URL(request.url).pathname.slice(1))];
    try {
      await found?.run(d1(DB));
      return new Response(found === undefined ? "no such case" : "passed");
    } catch (error) {
      return new Response(error instanceof Error ? error.stack : String(error));
    }
  },
};
