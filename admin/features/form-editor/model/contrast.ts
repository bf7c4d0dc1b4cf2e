/** Contrast ratio of two colors (WCAG), from 1 to 21. */

/** Returns the lower contrast of light and dark mode; null for colors other than hex ones and `light-dark()`. */
export function lowestContrast(foreground: string, background: string): number | null {
  const [foregrounds, backgrounds] = [lightAndDark(foreground), lightAndDark(background)];
  const ratios = [0, 1].map((side) => contrast(foregrounds[side] ?? "", backgrounds[side] ?? ""));
  return ratios.includes(null) ? null : Math.min(...ratios.filter((ratio) => ratio !== null));
}

/** Returns the color of light mode with six digits, for a color picker; null for other values. */
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

/** Returns the relative luminance as WCAG defines it. */
function luminance(colour: string): number | null {
  const digits = digitsOf(colour);
  if (digits === null) return null;
  const part = (at: number): number => {
    const value = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4);
}

/** Returns the six digits of a hex color; null for other values. */
function digitsOf(colour: string): string | null {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour)?.[1] ?? null;
  return digits?.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits;
}
