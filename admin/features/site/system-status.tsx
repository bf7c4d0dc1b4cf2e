/** Health checks of the site, and its effective settings. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { type Health, healthQuery } from "../../shared/api/host.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { Badge, Card } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";
import { Scrollable } from "../../ui/scrollable.tsx";

const TONES = { good: "good", warning: "wait", bad: "bad" } as const;

export default function SystemStatus({ address }: { readonly address: string }): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const formats = useFormats();
  const client = useClient();
  const withLocalTime = ({ since, ...values }: Readonly<Record<string, string>> = {}) =>
    since === undefined ? values : { ...values, since: formats.dateTime(since) };
  const query = useQuery({ ...healthQuery(client, address), refetchInterval: 15_000 });
  return (
    <Loaded query={query}>
      {({ checks, settings }) => (
        <div className="stack">
          <Card title={t("health.checks")}>
            <ul className="entries">
              {checks.map((check) => (
                <li key={check.name} className="entry">
                  <Badge tone={TONES[check.status]}>{t(`health.${check.status}`)}</Badge>
                  <div className="entry-text">
                    <strong>{textOf("health.check", check.name)}</strong>
                    <span className="muted">
                      {textOf(
                        "health.message",
                        `${check.name}.${check.status}`,
                        withLocalTime(check.values),
                        check.message,
                      )}
                    </span>
                  </div>
                </li>
              ))}
            </ul>
          </Card>
          <EffectiveSettings settings={settings} />
        </div>
      )}
    </Loaded>
  );
}

/** Table of the settings that are in effect. */
function EffectiveSettings({ settings }: Pick<Health, "settings">): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  return (
    <Card title={t("health.settings")} help={t("health.settingsHelp")}>
      <Scrollable label={t("health.settings")}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t("health.setting")}</th>
              <th scope="col">{t("health.value")}</th>
            </tr>
          </thead>
          <tbody>
            {settings.map(({ name, value, is_default: isDefault }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>
                  {textOf("health.value", value)}
                  {isDefault ? <span className="muted"> ({t("health.default")})</span> : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
    </Card>
  );
}
