/** The typed client (`cf-forms/client`), for every screen. */
import { createContext, useContext } from "react";
import { type Client, createClient } from "../../../client/index.ts";
import type { AdminOptions } from "../../types/options.d.ts";

export { ApiError, type Client } from "../../../client/index.ts";

/** Host's options that a client needs; all but `apiRoot` may be undefined. */
type ConnectionOptions = {
  readonly [Name in "apiRoot" | "nonce" | "nonceEndpoint" | "fetch"]: AdminOptions[Name] | undefined;
} & Pick<AdminOptions, "apiRoot">;

/** Creates the API client from the host's options. */
export function clientOf({ apiRoot, nonce = "", nonceEndpoint, fetch }: ConnectionOptions): Client {
  const initialNonce = nonce === "" ? {} : { nonce };
  return createClient({
    // The API may be at the root of the site.
    root: apiRoot === "" ? "/" : apiRoot,
    ...(nonceEndpoint !== undefined
      ? { credentials: { ...initialNonce, nonceEndpoint } }
      : nonce === ""
        ? {}
        : { credentials: { nonce } }),
    ...(fetch === undefined ? {} : { fetch }),
  });
}

const ClientContext = createContext<Client | null>(null);
export const ClientProvider = ClientContext.Provider;

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error("useClient needs a ClientProvider around it");
  return client;
}
