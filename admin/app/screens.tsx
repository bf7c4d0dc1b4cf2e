/** The frame around the screens: navigation, account menu, session. */
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { Link, Redirect, Route, Switch, useLocation, useRouter } from "wouter";
import { useClient } from "../shared/api/client.ts";
import { useOptions } from "../shared/options.ts";
import { useText } from "../shared/text/text.tsx";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { Dialog } from "../ui/overlays.tsx";
import { ErrorBoundary, Empty, ErrorMessage, Loading } from "../ui/states.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { KeysHelp } from "./keys-help.tsx";
import { navigation, SCREENS } from "./screen-list.tsx";
import type { Theme } from "./theme.ts";
import { isTyping } from "../shared/typing.ts";

export interface ScreensProps {
  readonly theme: Theme;
  readonly onTheme: (theme: Theme) => void;
}

export function Screens({ theme, onTheme }: ScreensProps): ReactNode {
  const t = useText();
  const links = navigation(useOptions());
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
      <div className="frame">
        <header className="side">
          <Link href={home} className="brand">
            <span className="mark" aria-hidden="true" />
            {t("nav.brand")}
          </Link>
          <nav className="places" aria-label={t("nav.label")}>
            {links.map(({ to, icon, title, isMinor = false }) => (
              <Link
                key={to}
                href={to}
                className={isMinor ? "place minor" : "place"}
                aria-current={path.startsWith(to) ? "page" : undefined}
              >
                <Icon name={icon} />
                <span>{t(title)}</span>
              </Link>
            ))}
          </nav>
          <div className="side-foot">
            <AccountMenu
              theme={theme}
              onTheme={onTheme}
              onHelp={() => setIsHelpOpen(true)}
              links={links.filter(({ isMinor }) => isMinor)}
            />
          </div>
        </header>
        <main id="cf-admin-main" className="main" tabIndex={-1}>
          <ErrorBoundary key={path} fallback={(error, retry) => <ErrorMessage error={error} onRetry={retry} />}>
            <Suspense fallback={<Loading />}>
              <Switch>
                <Route path="/">
                  <Redirect to={home} replace />
                </Route>
                {SCREENS.map(({ path: address, render }) => (
                  <Route key={address} path={address}>
                    {render}
                  </Route>
                ))}
                <Route>
                  <Empty icon="search" title={t("nav.notFound")}>
                    <ButtonLink to={home}>{t("nav.home")}</ButtonLink>
                  </Empty>
                </Route>
              </Switch>
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      <KeysHelp isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
      <SignedOut />
    </>
  );
}

function skipToMain(event: { preventDefault(): void; currentTarget: Element }): void {
  event.preventDefault();
  const root = event.currentTarget.getRootNode() as Document | ShadowRoot;
  root.getElementById("cf-admin-main")?.focus();
}

function useHelpKey(setIsOpen: (isOpen: boolean) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      event.preventDefault();
      setIsOpen(true);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [setIsOpen]);
}

/** Dialog for an expired session. The screen behind it keeps what the user typed. */
function SignedOut(): ReactNode {
  const t = useText();
  const client = useClient();
  const { host } = useOptions();
  const { base } = useRouter();
  const [path] = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => client.onSessionEnd(() => setIsOpen(true)), [client]);
  const target = host?.signIn === undefined ? null : `${host.signIn}?redirect_to=${encodeURIComponent(base + path)}`;
  return (
    <Dialog
      title={t("session.ended")}
      isOpen={isOpen}
      onClose={() => setIsOpen(false)}
      actions={
        <>
          <Button onPress={() => setIsOpen(false)}>{t("common.close")}</Button>
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
