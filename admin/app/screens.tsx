/** The frame around the screens: navigation, account menu, session. */
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { Link, Redirect, Route, Switch, useLocation, useRouter, useSearch } from "wouter";
import { useClient } from "../shared/api/client.ts";
import { useOptions } from "../shared/options.ts";
import { useText } from "../shared/text/text.tsx";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Dialog } from "../ui/overlays.tsx";
import { Empty, ErrorBoundary, ErrorMessage, Loading, NoAccess } from "../ui/states.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { KeysHelp } from "./keys-help.tsx";
import { NavigationBar } from "./navigation-bar.tsx";
import { isAllowed, isOnHost, movedTo, navigation, SCREENS } from "./screen-list.tsx";
import type { Theme } from "./theme.ts";
import { areSingleKeysOn } from "../shared/single-keys.ts";
import { isTyping } from "../shared/typing.ts";

export interface ScreensProps {
  readonly theme: Theme;
  readonly onTheme: (theme: Theme) => void;
}

/** Path of a form's screens, where the menu shrinks to a rail of icons. */
const FORM_SCREEN = /^\/forms\/\d+/;

export function Screens({ theme, onTheme }: ScreensProps): ReactNode {
  const t = useText();
  const options = useOptions();
  const links = navigation(options);
  const [path] = useLocation();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  useHelpKey(setIsHelpOpen);
  const home = links[0]?.to ?? "/inbox";
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: a skip link leads to its target, which the click also focuses in shadow roots */}
      <a className="skip" href="#cf-admin-main" onClick={skipToMain}>
        {t("nav.skip")}
      </a>
      <div className={FORM_SCREEN.test(path) ? "frame with-rail" : "frame"}>
        <header className="side">
          <Link href={home} className="brand">
            <span className="mark" aria-hidden="true" />
            <span className="brand-name">{t("nav.brand")}</span>
          </Link>
          <NavigationBar links={links} />
          <div className="side-foot">
            <AccountMenu
              theme={theme}
              onTheme={onTheme}
              onHelp={() => setIsHelpOpen(true)}
              links={links.filter(({ isBelow }) => isBelow === true)}
            />
          </div>
        </header>
        <main id="cf-admin-main" className="main" tabIndex={-1}>
          {/* There is no key, because the tabs of a form share one draft, which must survive a change of the path. */}
          <ErrorBoundary resetOn={path} fallback={(error, retry) => <ErrorMessage error={error} onRetry={retry} />}>
            <Suspense fallback={<Loading />}>
              <CurrentScreen home={home} />
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      <KeysHelp isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
      <SignedOut />
    </>
  );
}

/** The screen at the current address, or a redirect from a former address. */
function CurrentScreen({ home }: { readonly home: string }): ReactNode {
  const t = useText();
  const options = useOptions();
  const [path] = useLocation();
  const moved = movedTo(path);
  if (path === "/" || moved !== null) return <Moved to={moved ?? home} />;
  const wayHome = <ButtonLink to={home}>{t("nav.home")}</ButtonLink>;
  return (
    <Switch>
      {SCREENS.filter((screen) => isOnHost(screen, options)).map((screen) => (
        <Route key={screen.path} path={screen.path}>
          {isAllowed(screen, options) ? screen.render : <NoAccess>{wayHome}</NoAccess>}
        </Route>
      ))}
      <Route>
        <Empty icon="search" title={t("nav.notFound")}>
          {wayHome}
        </Empty>
      </Route>
    </Switch>
  );
}

/** Redirects to an address, and keeps the query. */
function Moved({ to }: { readonly to: string }): ReactNode {
  const query = useSearch();
  const separator = to.includes("?") ? "&" : "?";
  return <Redirect to={query === "" ? to : `${to}${separator}${query}`} replace />;
}

function skipToMain(event: { preventDefault(): void; currentTarget: Element }): void {
  event.preventDefault();
  const root = event.currentTarget.getRootNode() as Document | ShadowRoot;
  root.getElementById("cf-admin-main")?.focus();
}

function useHelpKey(setIsOpen: (isOpen: boolean) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event) || !areSingleKeysOn()) return;
      event.preventDefault();
      setIsOpen(true);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [setIsOpen]);
}

/**
 * Interval at which the notice about an ended session checks for a new session. It also checks when the window gets the
 * focus.
 */
const SESSION_CHECK_MS = 5_000;

/** Whether the session has ended. After a new sign-in, in any tab, the screen's queries run again. */
function useSessionEnd(): readonly [hasEnded: boolean, dismiss: () => void] {
  const client = useClient();
  const queries = useQueryClient();
  const [hasEnded, setHasEnded] = useState(false);
  useEffect(() => client.onSessionEnd(() => setHasEnded(true)), [client]);
  useEffect(() => {
    if (!hasEnded) return;
    const check = () => {
      if (document.hidden) return;
      client.listSubmissions({ per_page: 1, _fields: ["id"] }).then(
        () => {
          setHasEnded(false);
          void queries.invalidateQueries();
        },
        () => undefined,
      );
    };
    const timer = setInterval(check, SESSION_CHECK_MS);
    addEventListener("focus", check);
    document.addEventListener("visibilitychange", check);
    return () => {
      clearInterval(timer);
      removeEventListener("focus", check);
      document.removeEventListener("visibilitychange", check);
    };
  }, [hasEnded, client, queries]);
  return [hasEnded, () => setHasEnded(false)];
}

/** Dialog for an expired session. The screen behind it keeps what the user typed. */
function SignedOut(): ReactNode {
  const t = useText();
  const { host } = useOptions();
  const { base } = useRouter();
  const [path] = useLocation();
  const [hasEnded, dismiss] = useSessionEnd();
  const target = host?.signIn === undefined ? null : `${host.signIn}?redirect_to=${encodeURIComponent(base + path)}`;
  return (
    <Dialog
      title={t("session.ended")}
      isOpen={hasEnded}
      onClose={dismiss}
      actions={
        <>
          <Button onPress={dismiss}>{t("common.close")}</Button>
          {target === null ? null : (
            <a className="button primary" href={target} target="_blank" rel="noopener">
              {t("session.signIn")}
            </a>
          )}
        </>
      }
    >
      <p>{t("session.endedText")}</p>
    </Dialog>
  );
}
