/** Panel for the form's theme and messages; the preview shows changes at once. */
import type { ReactNode } from "react";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { Select, TextField } from "../../ui/fields.tsx";
import { firstColour, lowestContrast } from "./model/contrast.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import { THEME_NAMES, type ThemeValue, valueInForce } from "../../shared/theme-values.ts";

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
/** Values that the panel edits. */
type EditedValue = (typeof MAIN_VALUES)[number] | (typeof OTHER_VALUES)[number];

/** Backgrounds of each text color, for the contrast check. */
const BACKGROUNDS: Partial<Record<EditedValue, readonly ThemeValue[]>> = {
  "on-accent": ["accent"],
  text: ["surface", "control"],
  muted: ["surface"],
  error: ["surface"],
};
/** Minimum contrast of text according to WCAG 2.2. */
const LEAST_CONTRAST = 4.5;
/** Values that are colors, not fonts or lengths. */
const isColour = (name: ThemeValue): boolean => firstColour(valueInForce("calm", {}, name)) !== null;

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
  const setValue = (key: EditedValue, value: string) => {
    const { [key]: _, ...rest } = values;
    editor.run(
      { kind: "settings", change: { theme_values: value === "" ? rest : { ...rest, [key]: value } } },
      `theme ${key}`,
    );
  };
  const inForce = (name: ThemeValue): string => valueInForce(theme, values, name);
  const faultOf = (name: EditedValue): string | undefined => {
    const ratios = (BACKGROUNDS[name] ?? []).map((background) => lowestContrast(inForce(name), inForce(background)));
    const ratio = Math.min(...ratios.map((one) => one ?? Infinity));
    return ratio < LEAST_CONTRAST ? t("build.contrast", { ratio: ratio.toFixed(1) }) : undefined;
  };
  const field = (name: EditedValue) => {
    const fault = faultOf(name);
    const value = values[name] ?? "";
    return (
      <div className="build-value" key={name}>
        <TextField
          label={t(`build.value.${name}`)}
          code
          placeholder={inForce(name)}
          value={value}
          onChange={(next) => setValue(name, next)}
          fault={fault}
        />
        {isColour(name) ? (
          <input
            type="color"
            aria-label={t("build.pick", { name: t(`build.value.${name}`) })}
            value={firstColour(inForce(name)) ?? "#000000"}
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
        choices={THEME_NAMES.map((value) => ({ value, label: textOf("build.theme", value) }))}
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
      <details open={OTHER_VALUES.some((name) => faultOf(name) !== undefined) || undefined}>
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
