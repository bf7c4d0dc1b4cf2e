/** The browser features that `@wordpress/api-fetch` needs, for Node. */
import { cookiesOf } from "../shim/embedded-fixture.ts";

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** Gives the process `window`, and a `fetch` that keeps cookies. Every request is recorded. */
export function actAsBrowser(cookie: string): SentRequest[] {
  const requests: SentRequest[] = [];
  const send = globalThis.fetch;
  let cookies = cookie;
  globalThis.fetch = async (address, init) => {
    const request = new Request(address, init);
    request.headers.set("cookie", cookies);
    const response = await send(request);
    cookies = cookiesOf(response) || cookies;
    const { pathname, search } = new URL(request.url);
    requests.push({ method: request.method, path: pathname + search, status: response.status });
    return response;
  };
  Object.assign(globalThis, { window: globalThis });
  return requests;
}
