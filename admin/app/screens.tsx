/** The frame around the screens, and which screen stands at which address. */
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Link, Redirect, Route, Switch, useLocation, useRouter } from "wouter";
import { useApi } from "../shared/api/http.ts";
import { useOptions } from "../shared/options.ts";
import { useText, type TextId } from "../shared/text/text.tsx";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Icon, type IconName } from "../ui/icons.tsx";
import { Dialog } from "../ui/overlays.tsx";
import { Catch, Empty, Trouble, Waiting } from "../ui/states.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { KeysHelp } from "./keys-help.tsx";
import type { Theme } from "./theme.ts";
import { isTyping } from "../shared/typing.ts";

const FormsPage = lazy(() => import("../features/forms/forms-page.tsx"));
const NewFormPage = lazy(() => import("../features/forms/new-form-page.tsx"));
const ImportPage = lazy(() => import("../features/forms/import-page.tsx"));
const FormPage = lazy(() => import("../features/form/form-page.tsx"));
/** Tabs of the form's screen that other features make: features do not import each other. */
const FEATURE_TABS = {
  build: lazy(() => import("../features/form-editor/build-tab.tsx")),
  numbers: lazy(() => import("../features/analytics/numbers-tab.tsx")),
};
const InboxPage = lazy(() => import("../features/inbox/inbox-page.tsx"));
const OverviewPage = lazy(() => import("../features/analytics/overview-page.tsx"));
const WorkflowsPage = lazy(() => import("../features/workflows/workflows-page.tsx"));
const PrivacyPage = lazy(() => import("../features/site/privacy-page.tsx"));
const AccountPage = lazy(() => import("../features/site/account-page.tsx"));
const UsersPage = lazy(() => import("../features/site/users-page.tsx"));
const HealthPage = lazy(() => import("../features/site/health-page.tsx"));

interface Place {
  readonly to: string;
  readonly icon: IconName;
  readonly text: TextId;
  /** Not on the narrow bar at the foot of a phone. */
  readonly minor?: boolean;
}

function usePlaces(): readonly Place[] {
  const { host = {}, user } = useOptions();
  const all: readonly (Place | false)[] = [
    user?.access !== "submissions_read" && { to: "/forms", icon: "forms", text: "nav.forms" },
    { to: "/inbox", icon: "inbox", text: "nav.inbox" },
    user?.access !== "submissions_read" && { to: "/analytics", icon: "chart", text: "nav.analytics" },
    user?.access !== "submissions_read" && { to: "/workflows", icon: "flow", text: "nav.workflows" },
    user?.access !== "submissions_read" && { to: "/privacy", icon: "shield", text: "nav.privacy", minor: true },
    host.users !== undefined && { to: "/users", icon: "people", text: "nav.users", minor: true },
    host.health !== undefined && { to: "/health", icon: "pulse", text: "nav.health", minor: true },
  ];
  return all.filter((place) => place !== false);
}

export interface ScreensProps {
  readonly theme: Theme;
  readonly onTheme: (theme: Theme) => void;
}

export function Screens({ theme, onTheme }: ScreensProps): ReactNode {
  const t = useText();
  const places = usePlaces();
  const [path] = useLocation();
  const [helpIsOpen, setHelpIsOpen] = useState(false);
  useHelpKey(() => setHelpIsOpen(true));
  const home = places[0]?.to ?? "/inbox";
  return (
    <>
      <a className="skip" href="#cf-admin-main" onClick={skipToMain}>{t("nav.skip")}</a>
      <div className="frame">
        <header className="side">
          <Link href={home} className="brand"><span className="mark" aria-hidden="true" />{t("nav.brand")}</Link>
          <nav className="places" aria-label={t("nav.label")}>
            {places.map(({ to, icon, text, minor = false }) => (
              <Link key={to} href={to} className={minor ? "place minor" : "place"} aria-current={path.startsWith(to) ? "page" : undefined}>
                <Icon name={icon} /><span>{t(text)}</span>
              </Link>
            ))}
          </nav>
          <div className="side-foot">
            <AccountMenu theme={theme} onTheme={onTheme} onHelp={() => setHelpIsOpen(true)} places={places.filter(({ minor }) => minor)} />
          </div>
        </header>
        <main id="cf-admin-main" className="main" tabIndex={-1}>
          <Catch key={path} fallback={(error, again) => <Trouble error={error} onRetry={again} />}>
            <Suspense fallback={<Waiting />}>
              <Switch>
                <Route path="/"><Redirect to={home} replace /></Route>
                <Route path="/forms"><FormsPage /></Route>
                <Route path="/forms/new"><NewFormPage /></Route>
                <Route path="/forms/import"><ImportPage /></Route>
                <Route path="/forms/:id/:tab?">{({ id, tab }) => <FormPage key={id} id={Number(id)} tab={tab ?? "content"} featureTabs={FEATURE_TABS} />}</Route>
                <Route path="/inbox"><InboxPage /></Route>
                <Route path="/analytics"><OverviewPage /></Route>
                <Route path="/workflows/:tab?">{({ tab }) => <WorkflowsPage tab={tab ?? "queue"} />}</Route>
                <Route path="/privacy"><PrivacyPage /></Route>
                <Route path="/account"><AccountPage /></Route>
                <Route path="/users"><UsersPage /></Route>
                <Route path="/health"><HealthPage /></Route>
                <Route><Empty icon="search" title={t("nav.notFound")}><ButtonLink to={home}>{t("nav.home")}</ButtonLink></Empty></Route>
              </Switch>
            </Suspense>
          </Catch>
        </main>
      </div>
      <KeysHelp isOpen={helpIsOpen} onClose={() => setHelpIsOpen(false)} />
      <SignedOut />
    </>
  );
}

function skipToMain(event: { preventDefault(): void; currentTarget: Element }): void {
  event.preventDefault();
  const root = event.currentTarget.getRootNode() as Document | ShadowRoot;
  root.getElementById("cf-admin-main")?.focus();
}

function useHelpKey(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      event.preventDefault();
      open();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
}

/** Said when the session has ended; what was typed stays on the screen behind. */
function SignedOut(): ReactNode {
  const t = useText();
  const api = useApi();
  const { host } = useOptions();
  const { base } = useRouter();
  const [path] = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => api.onSignedOut(() => setIsOpen(true)), [api]);
  const target = host?.signIn === undefined ? null : `${host.signIn}?redirect_to=${encodeURIComponent(base + path)}`;
  return (
    <Dialog
      title={t("session.ended")} isOpen={isOpen} onClose={() => setIsOpen(false)}
      actions={<>
        <Button onPress={() => setIsOpen(false)}>{t("common.close")}</Button>
        {target === null ? null : <a className="button primary" href={target} target="_blank" rel="noopener">{t("session.signIn")}</a>}
      </>}
    >
      <p>{t("session.endedText")}</p>
    </Dialog>
  );
}
