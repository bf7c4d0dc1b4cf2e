/** Settings of the site, in sections: the mail server, and the system's status. */
import { lazy, type ReactNode, Suspense } from "react";
import { useOptions } from "../../shared/options.ts";
import { useText } from "../../shared/text/text.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loading } from "../../ui/states.tsx";

const SystemStatus = lazy(() => import("./system-status.tsx"));

export default function SiteSettingsPage({ section }: { readonly section: string }): ReactNode {
  const t = useText();
  const { host } = useOptions();
  const sections = [...(host?.health === undefined ? [] : (["status"] as const))];
  return (
    <Page
      title={t("nav.settings")}
      tabs={sections.map((name) => ({ to: `/settings/${name}`, label: t(`health.checks`) }))}
    >
      <Suspense fallback={<Loading />}>
        {section === "status" && host?.health !== undefined ? (
          <SystemStatus address={host.health} />
        ) : (
          <Empty icon="search" title={t("nav.notFound")} />
        )}
      </Suspense>
    </Page>
  );
}
