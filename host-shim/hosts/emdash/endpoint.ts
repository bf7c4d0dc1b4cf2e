/** The injected routes: the REST API, a session's nonce, and visitors' forms. */
import { sessionNonces } from "../../src/nonce.ts";
import { openedForms } from "./engine.ts";
import { sessionOf, type CallContext, type EmDashUser } from "./identity.ts";
import { REST_ROOT } from "./options.ts";

/** The part of Astro's context that we need, in endpoints and components. */
export interface AstroLike {
  readonly request: Request;
  readonly locals: { readonly user?: EmDashUser | null };
  readonly clientAddress: string;
}

export const prerender = false;

const notFound = (): Response => new Response("Not found\n", { status: 404 });

export async function ALL(astro: AstroLike): Promise<Response> {
  const opened = await openedForms();
  if (opened === null) return notFound();
  const { request } = astro;
  const context = contextOf(astro);
  if (new URL(request.url).pathname === `${REST_ROOT}/cf/nonce`) return nonce(request, context, opened.nonceKey);
  return (await opened.forms.fetch(request, context)) ?? notFound();
}

/** Serves a nonce to the admin's pages. Another site's page cannot read the response. */
async function nonce(request: Request, { user }: CallContext, key: string): Promise<Response> {
  if (user === null) return new Response("Sign in first.\n", { status: 403 });
  const headers = { "cache-control": "private, no-store", "content-type": "text/plain; charset=utf-8" };
  return new Response(await sessionNonces(key).issue(sessionOf(user, request)), { headers });
}

export function contextOf(astro: AstroLike): CallContext {
  return { user: astro.locals.user ?? null, address: addressOf(astro) };
}

/** Reads the client's address; Astro throws when the adapter does not know it. */
function addressOf(astro: AstroLike): string | null {
  try {
    return astro.clientAddress;
  } catch {
    return null;
  }
}
