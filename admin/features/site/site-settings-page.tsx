/** Settings of the site, in sections: the mail server, and the system's status. */
import { lazy, type ReactNode, Suspense } from "react";
import { useOptions } from "../../shared/options.ts";
import { useText } from "../../shared/text/text.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loading } from "../../ui/states.tsx";

const MailServerSettings = lazy(() => import("./mail-server.tsx"));
const SystemStatus = lazy(() => import("./system-status.tsx"));

export default function SiteSettingsPage({ section }: { readonly section: string }): ReactNode {
  const t = useText();
  const { host } = useOptions();
  const sections = [
    ...(host?.mailServer === undefined ? [] : [{ name: "mail", label: t("mail.server") }]),
    ...(host?.health === undefined ? [] : [{ name: "status", label: t("health.checks") }]),
  ];
  return (
    <Page title={t("nav.settings")} tabs={sections.map(({ name, label }) => ({ to: `/settings/${name}`, label }))}>
      <Suspense fallback={<Loading />}>
        {section === "mail" && host?.mailServer !== undefined ? (
          <MailServerSettings address={host.mailServer} />
        ) : section === "status" && host?.health !== undefined ? (
          <SystemStatus address={host.health} />
        ) : (
          <Empty icon="search" title={t("nav.notFound")} />
        )}
      </Suspense>
    </Page>
  );
}
