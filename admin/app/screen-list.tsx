/**
 * The admin's screens, each declared once: path, navigation entry, who sees it, component. To add a screen, add an
 * entry here, its component in a folder of `features`, and its texts in `locales`.
 */
import { lazy, type ReactNode } from "react";
import type { TextId } from "../shared/text/text.tsx";
import type { AdminOptions } from "../types/options.d.ts";
import type { IconName } from "../ui/icons.tsx";

const FormsPage = lazy(() => import("../features/forms/forms-page.tsx"));
const NewFormPage = lazy(() => import("../features/forms/new-form-page.tsx"));
const ImportPage = lazy(() => import("../features/forms/import-page.tsx"));
const FormPage = lazy(() => import("../features/form/form-page.tsx"));
const InboxPage = lazy(() => import("../features/inbox/inbox-page.tsx"));
const OverviewPage = lazy(() => import("../features/analytics/overview-page.tsx"));
const DeliveriesPage = lazy(() => import("../features/deliveries/deliveries-page.tsx"));
const PrivacyPage = lazy(() => import("../features/site/privacy-page.tsx"));
const AccountPage = lazy(() => import("../features/site/account-page.tsx"));
const UsersPage = lazy(() => import("../features/site/users-page.tsx"));
const SiteSettingsPage = lazy(() => import("../features/site/site-settings-page.tsx"));

/** Tabs of the form screen that other features provide, passed in because features do not import each other. */
const FEATURE_TABS = {
  build: lazy(() => import("../features/form-editor/build-tab.tsx")),
  analytics: lazy(() => import("../features/analytics/analytics-tab.tsx")),
};

/** Dialog of the form feature that the list of forms opens. */
const PublishFormDialog = lazy(() => import("../features/form/publish-form-dialog.tsx"));

/** Counters that the navigation shows beside an entry (use-badges.ts). */
export type BadgeName = "unread" | "failed";

/** A screen's entry in the navigation. */
export interface NavigationEntry {
  readonly icon: IconName;
  readonly title: TextId;
  readonly badge?: BadgeName;
  /** Whether the entry is below the dividing line. The account menu has it too; on phones, the bottom bar does not. */
  readonly isBelow?: boolean;
}

export interface Screen {
  /** Path below the admin's base path, with parameters in wouter's syntax. */
  readonly path: string;
  readonly render: (parameters: Readonly<Record<string, string | undefined>>) => ReactNode;
  /** Navigation entry; absent for screens that are reached from another screen. */
  readonly entry?: NavigationEntry;
  /** Whether the host has the screen; default true. */
  readonly isOnHost?: (options: AdminOptions) => boolean;
  /** Whether the user may open the screen; default true. The API enforces the permissions. */
  readonly isAllowed?: (options: AdminOptions) => boolean;
}

const hasAccounts = ({ host }: AdminOptions): boolean => host?.account !== undefined;
const canChange = ({ user }: AdminOptions): boolean => user?.access !== "submissions_read";

export const SCREENS: readonly Screen[] = [
  {
    path: "/forms",
    entry: { icon: "forms", title: "nav.forms" },
    isAllowed: canChange,
    render: () => <FormsPage publishDialog={PublishFormDialog} />,
  },
  { path: "/forms/new", isAllowed: canChange, render: () => <NewFormPage /> },
  { path: "/forms/import", isAllowed: canChange, render: () => <ImportPage /> },
  {
    path: "/forms/:id/:tab",
    isAllowed: canChange,
    render: ({ id, tab = "build" }) => <FormPage key={id} id={Number(id)} tab={tab} featureTabs={FEATURE_TABS} />,
  },
  { path: "/inbox", entry: { icon: "inbox", title: "nav.inbox", badge: "unread" }, render: () => <InboxPage /> },
  {
    path: "/analytics",
    entry: { icon: "chart", title: "nav.analytics" },
    isAllowed: canChange,
    render: () => <OverviewPage />,
  },
  {
    path: "/deliveries/:tab?",
    entry: { icon: "flow", title: "nav.deliveries", badge: "failed" },
    isAllowed: canChange,
    render: ({ tab = "queue" }) => <DeliveriesPage tab={tab} />,
  },
  {
    path: "/privacy",
    entry: { icon: "shield", title: "nav.privacy", isBelow: true },
    isAllowed: canChange,
    render: () => <PrivacyPage />,
  },
  { path: "/account", isOnHost: hasAccounts, render: () => <AccountPage /> },
  {
    path: "/users",
    entry: { icon: "people", title: "nav.users", isBelow: true },
    isOnHost: hasAccounts,
    isAllowed: ({ host }) => host?.users !== undefined,
    render: () => <UsersPage />,
  },
  {
    path: "/settings/:section",
    entry: { icon: "sliders", title: "nav.settings", isBelow: true },
    isOnHost: hasAccounts,
    isAllowed: ({ host }) => host?.health !== undefined,
    render: ({ section = "mail" }) => <SiteSettingsPage section={section} />,
  },
];

/** Former and short addresses of screens, each with its full address. */
const FORMER_ADDRESSES: readonly (readonly [former: RegExp, now: string])[] = [
  [/^\/forms\/(\d+)(?:\/content)?$/, "/forms/$1/build"],
  [/^\/forms\/(\d+)\/messages$/, "/forms/$1/settings"],
  [/^\/forms\/(\d+)\/numbers$/, "/forms/$1/analytics"],
  [/^\/forms\/(\d+)\/submissions$/, "/inbox?form=$1"],
  [/^\/workflows(\/\w+)?$/, "/deliveries$1"],
  [/^\/health$/, "/settings/status"],
  [/^\/settings$/, "/settings/mail"],
];

/** Returns the new address of a former one; null for an address that has not changed. */
export function movedTo(path: string): string | null {
  const found = FORMER_ADDRESSES.find(([former]) => former.test(path));
  return found === undefined ? null : path.replace(...found);
}

/** A navigation entry with its path. */
export type NavigationLink = NavigationEntry & { readonly to: string };

export const isOnHost = ({ isOnHost }: Screen, options: AdminOptions): boolean => isOnHost?.(options) ?? true;
export const isAllowed = ({ isAllowed }: Screen, options: AdminOptions): boolean => isAllowed?.(options) ?? true;

/** Returns the navigation for a user and a host, in the order of {@link SCREENS}. */
export function navigation(options: AdminOptions): readonly NavigationLink[] {
  return SCREENS.filter((screen) => isOnHost(screen, options) && isAllowed(screen, options)).flatMap(
    ({ path, entry }) => (entry === undefined ? [] : [{ ...entry, to: path.replace(/\/:.*/, "") }]),
  );
}
