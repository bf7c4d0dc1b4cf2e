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
const WorkflowsPage = lazy(() => import("../features/workflows/workflows-page.tsx"));
const PrivacyPage = lazy(() => import("../features/site/privacy-page.tsx"));
const AccountPage = lazy(() => import("../features/site/account-page.tsx"));
const UsersPage = lazy(() => import("../features/site/users-page.tsx"));
const HealthPage = lazy(() => import("../features/site/health-page.tsx"));

/** Tabs of the form screen that other features provide, passed in because features do not import each other. */
const FEATURE_TABS = {
  build: lazy(() => import("../features/form-editor/build-tab.tsx")),
  numbers: lazy(() => import("../features/analytics/numbers-tab.tsx")),
};

/** A screen's entry in the navigation. */
export interface NavigationEntry {
  readonly icon: IconName;
  readonly title: TextId;
  /** Whether phones show the entry in the account menu instead of the bottom bar. */
  readonly isMinor?: boolean;
}

export interface Screen {
  /** Path below the admin's base path, with parameters in wouter's syntax. */
  readonly path: string;
  readonly render: (parameters: Readonly<Record<string, string | undefined>>) => ReactNode;
  /** Navigation entry; absent for screens that are reached from another screen. */
  readonly entry?: NavigationEntry;
  /** Whether the user sees the entry on this host; default true. The API enforces the permissions. */
  readonly isOffered?: (options: AdminOptions) => boolean;
}

const canChange = ({ user }: AdminOptions): boolean => user?.access !== "submissions_read";

export const SCREENS: readonly Screen[] = [
  { path: "/forms", entry: { icon: "forms", title: "nav.forms" }, isOffered: canChange, render: () => <FormsPage /> },
  { path: "/forms/new", render: () => <NewFormPage /> },
  { path: "/forms/import", render: () => <ImportPage /> },
  {
    path: "/forms/:id/:tab?",
    render: ({ id, tab = "build" }) => <FormPage key={id} id={Number(id)} tab={tab} featureTabs={FEATURE_TABS} />,
  },
  { path: "/inbox", entry: { icon: "inbox", title: "nav.inbox" }, render: () => <InboxPage /> },
  {
    path: "/analytics",
    entry: { icon: "chart", title: "nav.analytics" },
    isOffered: canChange,
    render: () => <OverviewPage />,
  },
  {
    path: "/workflows/:tab?",
    entry: { icon: "flow", title: "nav.workflows" },
    isOffered: canChange,
    render: ({ tab = "queue" }) => <WorkflowsPage tab={tab} />,
  },
  {
    path: "/privacy",
    entry: { icon: "shield", title: "nav.privacy", isMinor: true },
    isOffered: canChange,
    render: () => <PrivacyPage />,
  },
  { path: "/account", render: () => <AccountPage /> },
  {
    path: "/users",
    entry: { icon: "people", title: "nav.users", isMinor: true },
    isOffered: ({ host }) => host?.users !== undefined,
    render: () => <UsersPage />,
  },
  {
    path: "/health",
    entry: { icon: "pulse", title: "nav.health", isMinor: true },
    isOffered: ({ host }) => host?.health !== undefined,
    render: () => <HealthPage />,
  },
];

/** A navigation entry with its path. */
export type NavigationLink = NavigationEntry & { readonly to: string };

/** Returns the navigation for a user and a host, in the order of {@link SCREENS}. */
export function navigation(options: AdminOptions): readonly NavigationLink[] {
  return SCREENS.flatMap(({ path, entry, isOffered = () => true }) =>
    entry === undefined || !isOffered(options) ? [] : [{ ...entry, to: path.replace(/\/:.*/, "") }],
  );
}
