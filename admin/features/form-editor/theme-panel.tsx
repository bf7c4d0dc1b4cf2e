/** Panel for the form's theme and messages; the preview shows changes at once. */
import type { ReactNode } from "react";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { Select, TextField } from "../../ui/fields.tsx";
import { firstColour, lowestContrast } from "./model/contrast.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import { THEME_NAMES, type ThemeValue, valueInForce } from "../../shared/theme-values.ts";

const MAIN_VALUES = ["accent", "on-accent", "radius"] as const;
/** Font families that load no font file, since each ends with a generic family. Others can be typed. */
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
  const theme = useTheme(editor);
  const field = (name: EditedValue) => <ValueField key={name} name={name} theme={theme} />;
  return (
    <>
      <Select
        label={t("build.theme")}
        value={theme.name}
        choices={THEME_NAMES.map((value) => ({ value, label: textOf("build.theme", value) }))}
        onChange={(next) => editor.run({ kind: "settings", change: { theme: next } })}
      />
      {MAIN_VALUES.map(field)}
      <FontSelect theme={theme} />
      <details open={OTHER_VALUES.some((name) => theme.faultOf(name) !== undefined) || undefined}>
        <summary>{t("build.moreValues")}</summary>
        <div className="stack">{OTHER_VALUES.map(field)}</div>
      </details>
      <Messages editor={editor} />
    </>
  );
}

/** Theme of a form, with the values that the form changes. */
interface Theme {
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
  /** Sets a value; the empty text restores the theme's. */
  readonly setValue: (name: EditedValue, value: string) => void;
  readonly inForce: (name: ThemeValue) => string;
  /** Returns the warning about a color with too little contrast. */
  readonly faultOf: (name: EditedValue) => string | undefined;
}

function useTheme(editor: Draft): Theme {
  const t = useText();
  const { content, form } = editor;
  const setting = (key: string): unknown => content.settings[key] ?? form.settings[key];
  const theme = String(setting("theme") ?? "") || "calm";
  const values = (setting("theme_values") ?? {}) as Readonly<Record<string, string>>;
  const inForce = (name: ThemeValue): string => valueInForce(theme, values, name);
  return {
    name: theme,
    values,
    inForce,
    setValue(key, value) {
      const { [key]: _, ...rest } = values;
      editor.run(
        { kind: "settings", change: { theme_values: value === "" ? rest : { ...rest, [key]: value } } },
        `theme ${key}`,
      );
    },
    faultOf(name) {
      const contrasts = (BACKGROUNDS[name] ?? [])
        .map((background) => lowestContrast(inForce(name), inForce(background)))
        .filter((contrast) => contrast !== null)
        .toSorted((one, other) => one.ratio - other.ratio);
      const [{ ratio, isDark } = { ratio: Infinity, isDark: false }] = contrasts;
      if (ratio >= LEAST_CONTRAST) return undefined;
      return t(isDark ? "build.contrastDark" : "build.contrast", { ratio: ratio.toFixed(1) });
    },
  };
}

interface ValueFieldProps {
  readonly name: EditedValue;
  readonly theme: Theme;
}

/** Field for a value of the theme; a color has a picker beside it. */
function ValueField({ name, theme: { values, setValue, inForce, faultOf } }: ValueFieldProps): ReactNode {
  const t = useText();
  // A theme's color may be a pair for light and dark pages; the first of them is shown.
  const color = isColour(name) ? firstColour(inForce(name)) : undefined;
  return (
    <div className="build-value">
      <TextField
        label={t(`build.value.${name}`)}
        code
        placeholder={color ?? inForce(name)}
        value={values[name] ?? ""}
        onChange={(next) => setValue(name, next)}
        fault={faultOf(name)}
      />
      {isColour(name) ? (
        <input
          type="color"
          aria-label={t("build.pick", { name: t(`build.value.${name}`) })}
          value={color ?? "#000000"}
          onChange={(event) => setValue(name, event.target.value)}
        />
      ) : null}
    </div>
  );
}

/** Choice of a font family; a family that was typed is a choice too. */
function FontSelect({ theme: { values, setValue } }: Pick<ValueFieldProps, "theme">): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  return (
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
  );
}

/** Fields for the form's messages. */
function Messages({ editor }: { readonly editor: Draft }): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const messages = { ...editor.form.messages, ...editor.content.messages };
  return (
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
  );
}
