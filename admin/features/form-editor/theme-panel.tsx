/** Panel for the form's theme and messages; the preview shows changes at once. */
import type { ReactNode } from "react";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { Select, TextField } from "../../ui/fields.tsx";
import { lowestContrast } from "./model/contrast.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import { THEME_VALUES } from "../../shared/theme-values.ts";

const THEMES = ["calm", "paper", "bold", "contrast"] as const;

type ThemeValue = keyof typeof THEME_VALUES;

const MAIN_VALUES = ["accent", "on-accent", "radius"] as const;
/** Font families that every system has. Others can be typed. */
const FONTS = {
  "": "",
  sans: "system-ui, sans-serif",
  serif: "Georgia, Cambria, serif",
  round: "ui-rounded, Nunito, Quicksand, sans-serif",
  mono: "ui-monospace, Consolas, monospace",
} as const;
const OTHER_VALUES = [
  "text",
  "muted",
  "surface",
  "backdrop",
  "line",
  "error",
  "gap",
  "width",
  "font",
  "heading-font",
] as const;
/** Background of each text color, for the contrast check. */
const BACKGROUNDS: Partial<Record<ThemeValue, ThemeValue>> = {
  "on-accent": "accent",
  text: "surface",
  muted: "surface",
  error: "surface",
};
const isColour = (name: ThemeValue): boolean => THEME_VALUES[name].startsWith("#");

/** Messages that the panel edits, in the order of their appearance. */
const MESSAGES = [
  "send",
  "next_step",
  "previous_step",
  "success",
  "error",
  "required_field_missing",
  "invalid_email",
] as const;

export default function ThemePanel({ editor }: { readonly editor: Draft }): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const { content, form } = editor;
  const setting = (key: string): unknown => content.settings[key] ?? form.settings[key];
  const theme = String(setting("theme") ?? "") || "calm";
  const values = (setting("theme_values") ?? {}) as Readonly<Record<string, string>>;
  const setValue = (key: ThemeValue, value: string) => {
    const { [key]: _, ...rest } = values;
    editor.run(
      { kind: "settings", change: { theme_values: value === "" ? rest : { ...rest, [key]: value } } },
      `theme ${key}`,
    );
  };
  const field = (name: ThemeValue) => {
    const background = BACKGROUNDS[name];
    // The defaults of other themes are not known here, so only set values are compared.
    const effectiveValue = (key: ThemeValue): string | undefined =>
      values[key] ?? (theme === "calm" ? THEME_VALUES[key] : undefined);
    const ratio =
      background === undefined || (values[name] ?? values[background]) === undefined
        ? null
        : lowestContrast(effectiveValue(name) ?? "", effectiveValue(background) ?? "");
    const value = values[name] ?? "";
    return (
      <div className="build-value" key={name}>
        <TextField
          label={t(`build.value.${name}`)}
          code
          placeholder={THEME_VALUES[name]}
          value={value}
          onChange={(next) => setValue(name, next)}
          fault={ratio !== null && ratio < 4.5 ? t("build.contrast", { ratio: ratio.toFixed(1) }) : undefined}
        />
        {isColour(name) ? (
          <input
            type="color"
            aria-label={t("build.pick", { name: t(`build.value.${name}`) })}
            value={/^#[0-9a-f]{6}$/i.test(value) ? value : THEME_VALUES[name]}
            onChange={(event) => setValue(name, event.target.value)}
          />
        ) : null}
      </div>
    );
  };
  const messages = { ...form.messages, ...content.messages };
  return (
    <>
      <Select
        label={t("build.theme")}
        value={theme}
        choices={THEMES.map((value) => ({ value, label: textOf("build.theme", value) }))}
        onChange={(next) => editor.run({ kind: "settings", change: { theme: next } })}
      />
      {MAIN_VALUES.map(field)}
      <Select
        label={t("build.font")}
        value={values["font"] ?? ""}
        onChange={(font) => setValue("font", font)}
        choices={[
          ...Object.entries(FONTS).map(([name, value]) => ({
            value,
            label: textOf("build.font", name === "" ? "theme" : name),
          })),
          ...(values["font"] === undefined || Object.values<string>(FONTS).includes(values["font"])
            ? []
            : [{ value: values["font"], label: values["font"] }]),
        ]}
      />
      <details>
        <summary>{t("build.moreValues")}</summary>
        <div className="stack">{OTHER_VALUES.map(field)}</div>
      </details>
      <details>
        <summary>{t("build.words")}</summary>
        <div className="stack">
          <p className="help">{t("build.wordsHelp")}</p>
          {MESSAGES.map((key) => (
            <TextField
              key={key}
              label={textOf("message", key)}
              value={messages[key] ?? ""}
              onChange={(text) => editor.run({ kind: "messages", change: { [key]: text } }, `message ${key}`)}
            />
          ))}
        </div>
      </details>
    </>
  );
}
