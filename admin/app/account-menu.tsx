/** The account menu: the signed-in user, account page, theme, language, keyboard shortcuts, sign-out. */
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { useClient } from "../shared/api/client.ts";
import { useOptions } from "../shared/options.ts";
import { storeLanguage, useLanguage, useText } from "../shared/text/text.tsx";
import { LANGUAGES } from "../shared/text/languages.ts";
import { useNotices } from "../shared/notices.ts";
import { Menu, type MenuEntry } from "../ui/overlays.tsx";
import type { NavigationLink } from "./screen-list.tsx";
import { storeTheme, type Theme, THEMES } from "./theme.ts";

export interface AccountMenuProps {
  readonly theme: Theme;
  readonly onTheme: (theme: Theme) => void;
  readonly onHelp: () => void;
  /** Screens that are listed here too, because a phone's navigation bar has no room for them. */
  readonly links: readonly NavigationLink[];
}

export function AccountMenu({ theme, onTheme, onHelp, links }: AccountMenuProps): ReactNode {
  const t = useText();
  const { user, host } = useOptions();
  const client = useClient();
  const notices = useNotices();
  const language = useLanguage();
  const [, navigate] = useLocation();

  const nextTheme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  const signOut = (address: string) => {
    client.request("POST", address).then(() => location.assign(host?.signIn ?? "/"), notices.showError);
  };
  const entries: (MenuEntry | null)[] = [
    ...links.map(({ to, icon, title }) => ({ id: to, label: t(title), icon, onAction: () => navigate(to) })),
    ...(links.length > 0 ? [null] : []),
    ...(host?.account === undefined
      ? []
      : [{ id: "account", label: t("nav.account"), icon: "person" as const, onAction: () => navigate("/account") }]),
    { id: "keys", label: t("keys.title"), icon: "keyboard", onAction: onHelp },
    {
      id: "theme",
      label: t("menu.theme", { theme: t(`menu.theme.${nextTheme}`) }),
      onAction() {
        storeTheme(nextTheme);
        onTheme(nextTheme);
      },
    },
    ...LANGUAGES.filter(({ code }) => code !== language).map(({ code, name }) => ({
      id: `language-${code}`,
      label: name,
      onAction() {
        storeLanguage(code);
        location.reload();
      },
    })),
    ...(host?.signOut === undefined
      ? []
      : [null, { id: "out", label: t("menu.signOut"), onAction: () => signOut(host.signOut ?? "") }]),
  ];
  return <Menu label={user?.login ?? t("nav.account")} icon="person" text entries={entries} />;
}
