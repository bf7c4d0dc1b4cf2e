/** Editor of a form's spam checks (docs/spam.md). */
import type { ReactNode } from "react";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Switch, TextField } from "../../ui/fields.tsx";
import { Menu } from "../../ui/overlays.tsx";
import { Card } from "../../ui/page.tsx";
import { keyed } from "../../shared/keyed.ts";

type Check = Readonly<Record<string, unknown>>;

/** Settings of each type of check, and the defaults of a new one. */
const TYPES: Readonly<Record<string, { readonly settings: readonly string[]; readonly defaults: Check }>> = {
  links: { settings: ["max"], defaults: { max: 2 } },
  deny_list: { settings: ["words"], defaults: { words: "" } },
  turnstile: { settings: ["site_key", "secret"], defaults: {} },
  hcaptcha: { settings: ["site_key", "secret"], defaults: {} },
  recaptcha: { settings: ["site_key", "secret", "version", "min_score"], defaults: {} },
  akismet: { settings: ["api_key"], defaults: {} },
};

export function SpamChecks({
  checks,
  onChange,
}: {
  readonly checks: unknown;
  readonly onChange: (checks: readonly Check[]) => void;
}): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const list = Array.isArray(checks) ? (checks as readonly Check[]) : [];
  const set = (index: number, key: string, value: unknown) =>
    onChange(list.map((check, at) => (at === index ? { ...check, [key]: value } : check)));
  const entries = Object.keys(TYPES).map((type) => ({
    id: type,
    label: textOf("spam", type),
    // A new check is off, so that its keys or words can be entered first; the link check needs none.
    onAction: () => onChange([...list, { type, enabled: type === "links", ...TYPES[type]?.defaults }]),
  }));
  return (
    <Card
      title={t("spam.title")}
      help={t("spam.help")}
      actions={<Menu label={t("spam.add")} icon="plus" text entries={entries} />}
    >
      {keyed(list, (check) => String(check["type"])).map(([checkKey, check], index) => {
        const type = String(check["type"]);
        const label = textOf("spam", type);
        return (
          <div key={checkKey} className="sub-card">
            <div className="row apart">
              <Switch
                label={label}
                value={check["enabled"] !== false}
                onChange={(value) => set(index, "enabled", value)}
              />
              <IconButton
                icon="trash"
                label={t("spam.remove", { name: label })}
                onPress={() => onChange(list.filter((_, at) => at !== index))}
              />
            </div>
            {TYPES[type]?.settings.map((key) => (
              <TextField
                key={key}
                label={textOf("spam.setting", key)}
                value={String(check[key] ?? "")}
                onChange={(value) => set(index, key, value)}
                {...(key === "words" ? { rows: 4, help: t("spam.setting.words.help") } : {})}
                type={key === "secret" || key === "api_key" ? "password" : "text"}
              />
            ))}
          </div>
        );
      })}
    </Card>
  );
}
