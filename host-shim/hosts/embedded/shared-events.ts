/**
 * Routes browsers' events between several workers. A worker keeps the ids of events and the count of each address, so all
 * events of an address go to the same worker.
 */
import { IncomingBody } from "../../src/incoming-body.ts";
import type { Reply } from "../../src/index.ts";
import { addressBlock } from "./client-address.ts";
import type { FormRoutes } from "./server.ts";
import { FRONT_PREFIX, type Site } from "./site.ts";
import { askerByKey, isWorker } from "./workers.ts";

/** Events in the message between two workers. */
interface SentEvents {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly address: string | null;
}

type EventReply = Pick<Reply, "status" | "headers">;

/** Limit for a body; longer ones are ignored (src/front/events.rs). */
const MAX_BYTES = 16_384;

interface Addresses {
  note(request: Request, address: string | undefined): void;
  of(request: Request): string | null;
}

/** Wraps the engine, so that a `POST {front}/-/events` goes to the worker that its sender's address selects. */
export function sharingEvents({ basePath }: Site, forms: FormRoutes, addresses: Addresses): FormRoutes {
  if (!isWorker) return forms;
  const path = `${basePath}${FRONT_PREFIX}/-/events`;
  const ask = askerByKey(async ({ url, headers, body, address }: SentEvents): Promise<EventReply | null> => {
    const request = new Request(url, {
      method: "POST",
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body,
    });
    addresses.note(request, address ?? undefined);
    const reply = await forms.reply(request);
    return reply && { status: reply.status, headers: reply.headers };
  });
  return {
    namespaceIndex: () => forms.namespaceIndex(),
    handles: (request) => forms.handles(request),
    async reply(request, context) {
      const isShort = Number(request.headers.get("content-length") ?? 0) <= MAX_BYTES;
      if (request.method !== "POST" || !isShort || new URL(request.url).pathname !== path)
        return forms.reply(request, context);
      const { url } = request;
      const address = addresses.of(request);
      const body = await shortText(request);
      const sent = { url, headers: [...request.headers], body, address };
      const reply = await ask(addressBlock(address), sent);
      return { ...(reply ?? { status: 503, headers: [["retry-after", "1"]] }), body: new Uint8Array() };
    },
  };
}

/** Reads a short body; empty when it is too long or the client aborts it. */
async function shortText(request: Request): Promise<string> {
  const lease = { grow: () => null, passOver: () => false, free() {} };
  const body = new IncomingBody(request, { bytes: MAX_BYTES, lengthHolds: true, lease });
  return new TextDecoder().decode(await body.whole().catch(() => new Uint8Array()));
}
