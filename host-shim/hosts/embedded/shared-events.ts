/**
 * Browsers' events where several workers serve: a worker remembers which events came and how many an address has
 * sent, so that all of one address go to the same worker.
 */
import { IncomingBody } from "../../src/incoming-body.ts";
import type { Reply } from "../../src/index.ts";
import { addressBlock } from "./client-address.ts";
import type { FormRoutes } from "./server.ts";
import { FRONT_PREFIX, type Site } from "./site.ts";
import { askerByKey, isWorker } from "./workers.ts";

/** As the first process carries them between two workers. */
interface SentEvents {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly address: string | null;
}

type EventReply = Pick<Reply, "status" | "headers">;

/** Longer bodies count for nothing, whoever reads them (src/front/events.rs). */
const MOST_BYTES = 16_384;

interface Addresses {
  note(request: Request, address: string | undefined): void;
  of(request: Request): string | null;
}

/** The engine, whose workers share the events of `POST {front}/-/events` by their senders. */
export function sharingEvents({ basePath }: Site, forms: FormRoutes, addresses: Addresses): FormRoutes {
  if (!isWorker) return forms;
  const path = `${basePath}${FRONT_PREFIX}/-/events`;
  const ask = askerByKey(async ({ url, headers, body, address }: SentEvents): Promise<EventReply | null> => {
    const request = new Request(url, { method: "POST", headers: headers.map(([name, value]): [string, string] => [name, value]), body });
    addresses.note(request, address ?? undefined);
    const reply = await forms.reply(request);
    return reply && { status: reply.status, headers: reply.headers };
  });
  return {
    namespaceIndex: () => forms.namespaceIndex(),
    handles: (request) => forms.handles(request),
    async reply(request, context) {
      const isShort = Number(request.headers.get("content-length") ?? 0) <= MOST_BYTES;
      if (request.method !== "POST" || !isShort || new URL(request.url).pathname !== path) return forms.reply(request, context);
      const { url } = request;
      const address = addresses.of(request);
      const body = await shortText(request);
      const sent = { url, headers: [...request.headers], body, address };
      const reply = await ask(addressBlock(address), sent);
      return { ...(reply ?? { status: 503, headers: [["retry-after", "1"]] }), body: new Uint8Array() };
    },
  };
}

/** The body, as far as it counts; nothing where it is longer or breaks off. */
async function shortText(request: Request): Promise<string> {
  const lease = { grow: () => null, passOver: () => false, free() {} };
  const body = new IncomingBody(request, { bytes: MOST_BYTES, lengthHolds: true, lease });
  return new TextDecoder().decode(await body.whole().catch(() => new Uint8Array()));
}
