/** Light, dark, or as the system has it. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORED = "cf-forms-theme";

export function storedTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(STORED)) ?? "system";
  } catch {
    return "system";
  }
}

export function keepTheme(theme: Theme): void {
  try {
    localStorage.setItem(STORED, theme);
  } catch {
    // A browser that keeps nothing asks again next time.
  }
}
