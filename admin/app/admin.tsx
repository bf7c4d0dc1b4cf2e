/** Root component of the admin: context providers and router. */
import { type ReactNode, useMemo, useRef, useState } from "react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { UNSAFE_PortalProvider as PortalProvider } from "react-aria/PortalProvider";
import { type AroundNavHandler, Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { useHashLocation } from "wouter/use-hash-location";
import { ApiError, ClientProvider, clientOf } from "../shared/api/client.ts";
import type { AdminOptions } from "../types/options.d.ts";
import { OptionsProvider } from "../shared/options.ts";
import { Screens } from "./screens.tsx";
import { storedTheme } from "./theme.ts";
import { chosenLanguage, Texts } from "../shared/text/text.tsx";
import { NoticesProvider } from "../ui/notices.tsx";
import { UnsavedGuard } from "../ui/unsaved-guard.tsx";

export function Admin(options: AdminOptions): ReactNode {
  const [theme, setTheme] = useState(storedTheme);
  const root = useRef<HTMLDivElement>(null);
  const { apiRoot, nonce, nonceEndpoint, fetch } = options;
  const client = useMemo(
    () => clientOf({ apiRoot, nonce, nonceEndpoint, fetch }),
    [apiRoot, nonce, nonceEndpoint, fetch],
  );
  const queries = useMemo(createQueries, []);
  return (
    <div className="cf-admin" lang={chosenLanguage(options.language).tag} ref={root} data-theme={theme}>
      <Texts wanted={options.language}>
        <OptionsProvider value={options}>
          <ClientProvider value={client}>
            <QueryClientProvider client={queries}>
              <PortalProvider getContainer={() => root.current}>
                <UnsavedGuard>
                  {(aroundNav) => (
                    <ScreenRouter {...options} aroundNav={aroundNav}>
                      <NoticesProvider>
                        <Screens theme={theme} onTheme={setTheme} />
                      </NoticesProvider>
                    </ScreenRouter>
                  )}
                </UnsavedGuard>
              </PortalProvider>
            </QueryClientProvider>
          </ClientProvider>
        </OptionsProvider>
      </Texts>
    </div>
  );
}

/** Router that records the current screen in the page's path, after `#`, or in memory. */
function ScreenRouter({
  routing = "memory",
  basePath = "",
  aroundNav,
  children,
}: AdminOptions & { readonly aroundNav: AroundNavHandler; readonly children: ReactNode }): ReactNode {
  const memory = useMemo(() => memoryLocation({ path: "/" }), []);
  if (routing === "path")
    return (
      <Router base={basePath} aroundNav={aroundNav}>
        {children}
      </Router>
    );
  if (routing === "hash")
    return (
      <Router hook={useHashLocation} aroundNav={aroundNav}>
        {children}
      </Router>
    );
  return (
    <Router hook={memory.hook} searchHook={memory.searchHook} aroundNav={aroundNav}>
      {children}
    </Router>
  );
}

function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // A retry would get the same 4xx response, but may get past a lost connection or a server error.
        retry: (count, error) => !(error instanceof ApiError && error.status < 500) && count < 2,
      },
    },
  });
}
