/** A local server that replaces every service and responds as its documentation says. */
import { SERVICES, type DocumentedResponse, type DocumentedService, type Endpoint } from "./documented-services.ts";
import { startLocalServer, type LocalServer, type ReceivedRequest } from "./local-server.ts";
import { mismatch } from "./matching.ts";

export interface ServiceServer extends LocalServer {
  /** The differences of rejected requests from the documentation. */
  readonly refusals: string[];
  /**
   * `strict` accepts only the requests of {@link SERVICES}, `lenient` accepts any body within the limits, and `busy`
   * rejects all requests.
   */
  mode: "strict" | "lenient" | "busy";
}

const BUSY: DocumentedResponse = {
  status: 429,
  headers: { "retry-after": "600" },
  body: { message: "Too many requests" },
};

export async function startServices(): Promise<ServiceServer> {
  const refusals: string[] = [];

  function respond(request: ReceivedRequest): DocumentedResponse {
    const service = Object.values(SERVICES).find(({ origin }) => origin === request.origin);
    if (service === undefined) return { status: 404, body: `there is no service at ${request.origin}` };
    if (services.mode === "busy") return service.busy ?? BUSY;
    const endpoint = service.endpoints.find(({ path }) => path === request.path);
    const problem =
      endpoint === undefined ? "no such path" : fault(service, endpoint, request, services.mode === "strict");
    if (endpoint !== undefined && problem === null) return endpoint.response;
    refusals.push(`${request.method} ${request.origin}${request.path}: ${problem}`);
    return service.refused.response;
  }

  const services: ServiceServer = { ...(await startLocalServer(respond)), refusals, mode: "strict" };
  return services;
}

/** Describes the first difference of a request from the documentation; null without a difference. */
function fault(
  service: DocumentedService,
  endpoint: Endpoint,
  request: ReceivedRequest,
  isStrict: boolean,
): string | null {
  const { method = "POST", json, form, headers = {} } = endpoint;
  if (request.method !== method) return `${request.method}, not ${method}`;
  const type =
    json !== undefined ? "application/json" : form !== undefined ? "application/x-www-form-urlencoded" : null;
  if ((request.headers["content-type"] ?? null) !== type) return `content-type ${request.headers["content-type"]}`;
  const wrong = mismatch({ ...headers, "user-agent": { $matches: "^cf-forms/" } }, { ...request.headers }, "headers");
  if (wrong !== null) return wrong;
  if (type === null) return request.body === null ? null : "a body";
  if (!isStrict) return (service.fits?.(request.body) ?? true) ? null : "the body is too long";
  return mismatch(json ?? { $exact: { ...form } }, request.body, "body");
}
