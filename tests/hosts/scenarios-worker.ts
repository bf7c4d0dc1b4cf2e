/** A worker that serves one site for each of its D1 databases. A request names its database in the header `x-site`. */
import { createWorker, type D1Like, type R2Like, type Worker } from "cf-forms/hosts/workers";
import { CALLERS } from "../shim/callers.ts";

type Env = Readonly<Record<string, D1Like>> & { readonly FILES: R2Like };

const callerOf = (request: Request) => CALLERS[request.headers.get("x-test-caller") ?? ""] ?? null;
const sites = new Map<string, Worker<Env>>();

function siteOf(name: string): Worker<Env> {
  let site = sites.get(name);
  if (site === undefined) {
    site = createWorker<Env>({
      baseUrl: "http://site.test",
      // No queue runs automatically, so that a step can check waiting entries.
      automaticRuns: false,
      mailer: () => ({ send: async ({ message_id }) => ({ message_id, response: "250 OK" }) }),
      db: (env) => env[name] as D1Like,
      files: (env) => env.FILES,
      authenticate: async (request) => ({ principal: callerOf(request) }),
      visitor: async (request) => callerOf(request),
    });
    sites.set(name, site);
  }
  return site;
}

export default {
  fetch: (request: Request, env: Env, execution: { waitUntil(work: Promise<unknown>): void }) =>
    siteOf(request.headers.get("x-site") ?? "").fetch(request, env, execution),
};
