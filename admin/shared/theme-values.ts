/** Values of a theme (docs/theming.md), with the defaults of `calm`. The fonts come from the theme. */
export const THEME_VALUES = {
  accent: "#3f46d8",
  "on-accent": "#ffffff",
  text: "#151821",
  muted: "#596173",
  backdrop: "#f0f2f7",
  surface: "#ffffff",
  line: "#858d9e",
  error: "#b42318",
  radius: "0.75rem",
  gap: "1.75rem",
  width: "44rem",
  font: "",
  "heading-font": "",
} as const;
