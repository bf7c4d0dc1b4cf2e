/** Values of the themes, and the values of one form that replace them (docs/theming.md). */
import { isRecord } from "./is-record.ts";

/** Values as `visitor/styles/theme.css` sets them; a test compares both. Other themes change some values of `calm`. */
const THEMES = {
  calm: {
    accent: "light-dark(#3f46d8, #adb5ff)",
    "on-accent": "light-dark(#fff, #0d1033)",
    text: "light-dark(#151821, #eef0f7)",
    muted: "light-dark(#596173, #a4adbf)",
    backdrop: "light-dark(#f0f2f7, #0b0d13)",
    surface: "light-dark(#fff, #141822)",
    control: "light-dark(#fff, #0f131c)",
    tint: "color-mix(in oklab, var(--cf-accent) 9%, var(--cf-surface))",
    line: "light-dark(#858d9e, #747e94)",
    "soft-line": "light-dark(#e2e5ed, #2a3041)",
    error: "light-dark(#b42318, #ffa79f)",
    success: "light-dark(#0f6b3f, #83dcae)",
    star: "light-dark(#b86e00, #ffc24d)",
    radius: "0.75rem",
    stroke: "1px",
    gap: "1.75rem",
    width: "44rem",
    font: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Arabic", sans-serif',
    "heading-font": "var(--cf-font)",
  },
  paper: {
    accent: "light-dark(#1d5c46, #93d6b7)",
    "on-accent": "light-dark(#fff, #0c2018)",
    text: "light-dark(#231f18, #f1ebdf)",
    muted: "light-dark(#675f51, #b8ae9b)",
    backdrop: "light-dark(#faf6ee, #15130e)",
    surface: "var(--cf-backdrop)",
    control: "light-dark(#fffdf9, #1d1a14)",
    tint: "light-dark(#e7f1e4, #1c2c25)",
    line: "light-dark(#8a7f6c, #857b69)",
    "soft-line": "light-dark(#e7dfd0, #353026)",
    radius: "0.375rem",
    "heading-font": 'ui-serif, "Iowan Old Style", Georgia, "Noto Serif", serif',
  },
  bold: {
    accent: "light-dark(#1a1405, #ffd34d)",
    "on-accent": "light-dark(#ffd34d, #1a1405)",
    text: "light-dark(#1a1405, #fff1c9)",
    muted: "light-dark(#4d3f12, #d3c28c)",
    backdrop: "light-dark(#ffd34d, #1a1405)",
    surface: "var(--cf-backdrop)",
    control: "light-dark(#ffe594, #2a2210)",
    tint: "light-dark(#fff7dc, #403414)",
    line: "light-dark(#1a1405, #b59c4c)",
    "soft-line": "light-dark(#d8ac22, #4a3d18)",
    error: "light-dark(#8c1007, #ffb3ab)",
    success: "light-dark(#0b4a2b, #83dcae)",
    star: "light-dark(#1a1405, #ffd34d)",
    radius: "1rem",
    stroke: "2px",
  },
  contrast: {
    accent: "light-dark(#0000c8, #ffff5c)",
    "on-accent": "light-dark(#fff, #000)",
    text: "light-dark(#000, #fff)",
    muted: "var(--cf-text)",
    backdrop: "light-dark(#fff, #000)",
    surface: "var(--cf-backdrop)",
    control: "var(--cf-backdrop)",
    tint: "light-dark(#e4e4ff, #2b2b00)",
    line: "var(--cf-text)",
    "soft-line": "var(--cf-text)",
    error: "light-dark(#8f0000, #ffb0a8)",
    success: "light-dark(#00451f, #8effc0)",
    star: "var(--cf-accent)",
    stroke: "2px",
  },
} as const;

export type ThemeName = keyof typeof THEMES;
export type ThemeValue = keyof (typeof THEMES)["calm"];

/** Values that a form's setting `theme_values` may replace. */
type ThemeValues = Readonly<Record<string, unknown>>;

export const THEME_NAMES = Object.keys(THEMES) as readonly ThemeName[];
export const THEME_VALUES = Object.keys(THEMES.calm) as readonly ThemeValue[];

const isValue = (name: string): name is ThemeValue => name in THEMES.calm;

/** Returns an effective value: the form's, else the theme's, with references to other values replaced. */
export function valueInForce(theme: string, values: ThemeValues, name: ThemeValue): string {
  const custom = values[name];
  const ofTheme = (THEMES as Readonly<Record<string, ThemeValues>>)[theme]?.[name] ?? THEMES.calm[name];
  const value = typeof custom === "string" && custom !== "" ? custom : String(ofTheme);
  return value.replaceAll(/var\(--cf-([\w-]+)\)/g, (reference, other: string) =>
    isValue(other) && other !== name ? valueInForce(theme, values, other) : reference,
  );
}

/** Returns a form's values as CSS declarations, for previews; the server has a style sheet only for stored forms. */
export function themeDeclarations(values: unknown): string {
  return Object.entries(isRecord(values) ? values : {})
    .flatMap(([name, value]) =>
      isValue(name) && typeof value === "string" && /^[\w#(),.% -]+$/.test(value) ? [`--cf-${name}:${value};`] : [],
    )
    .join("");
}
