/** Computes the contrast ratio of two colors (WCAG), from 1 to 21. */

export interface Contrast {
  readonly ratio: number;
  /** Whether the contrast is lower in dark mode than in light mode; then `ratio` is the contrast in dark mode. */
  readonly isDark: boolean;
}

/**
 * Returns the contrast in light mode or in dark mode, whichever is lower. Null unless each color is a hex color, or
 * `light-dark()` with two hex colors.
 */
export function lowestContrast(foreground: string, background: string): Contrast | null {
  const [foregrounds, backgrounds] = [lightAndDark(foreground), lightAndDark(background)];
  const [light, dark] = [contrast(foregrounds[0], backgrounds[0]), contrast(foregrounds[1], backgrounds[1])];
  if (light === null || dark === null) return null;
  return { ratio: Math.min(light, dark), isDark: dark < light };
}

/**
 * Returns the color that light mode shows, as `#` and six hex digits, for a color picker. Null for a color of another
 * format.
 */
export function firstColour(value: string): string | null {
  const digits = digitsOf(lightAndDark(value)[0]);
  return digits === null ? null : `#${digits.toLowerCase()}`;
}

function lightAndDark(colour: string): readonly [string, string] {
  const pair = /^light-dark\(([^,]+),([^)]+)\)$/i.exec(colour.trim());
  return [(pair?.[1] ?? colour).trim(), (pair?.[2] ?? colour).trim()];
}

function contrast(foreground: string, background: string): number | null {
  const [one, other] = [luminance(foreground), luminance(background)];
  if (one === null || other === null) return null;
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Returns the relative luminance (WCAG) of a hex color; null for a color of another format. */
function luminance(colour: string): number | null {
  const digits = digitsOf(colour);
  if (digits === null) return null;
  const part = (at: number): number => {
    const value = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4);
}

/** Returns the six digits of a hex color; null for a color of another format. */
function digitsOf(colour: string): string | null {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour)?.[1] ?? null;
  return digits?.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits;
}
