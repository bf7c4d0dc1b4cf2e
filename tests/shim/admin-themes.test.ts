/** The admin's table of themes equals the visitors' style sheet, and low contrasts are found. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { firstColour, lowestContrast } from "../../admin/features/form-editor/model/contrast.ts";
import { THEME_NAMES, THEME_VALUES, themeDeclarations, valueInForce } from "../../admin/shared/theme-values.ts";

const CSS = readFileSync(new URL("../../visitor/styles/theme.css", import.meta.url), "utf8");
/** Values of the style sheet that forms cannot override. */
const FIXED = ["glow", "shadow"];

/** Returns the values in each block with this selector; later ones override. */
function valuesIn(selector: string): ReadonlyMap<string, string> {
  const blocks = CSS.split("}").filter((block) => block.includes(`${selector} {`));
  return new Map(
    blocks.flatMap((block) =>
      [...block.matchAll(/--cf-([\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [
        name,
        value.replaceAll(/\s+/g, " "),
      ]),
    ),
  );
}

const CALM = valuesIn(":where(:host, .cf-page, .cf-form:not(:is(.cf-page, .cf-embed) *))");

describe("the admin's table of themes", () => {
  it("has every theme and value of the style sheet", () => {
    assert.deepEqual(
      THEME_NAMES.filter((name) => name !== "calm"),
      [...new Set([...CSS.matchAll(/\[data-cf-theme="(\w+)"\]/g)].map(([, name]) => name))],
    );
    assert.deepEqual(THEME_VALUES.toSorted(), [...CALM.keys()].filter((name) => !FIXED.includes(name)).sort());
    for (const theme of THEME_NAMES) {
      const changed = valuesIn(`[data-cf-theme="${theme}"]`);
      const valueOf = (name: string): string =>
        (changed.get(name) ?? CALM.get(name) ?? "").replaceAll(/var\(--cf-([\w-]+)\)/g, (_, other: string) =>
          valueOf(other),
        );
      for (const name of THEME_VALUES)
        assert.equal(valueInForce(theme, {}, name), valueOf(name), `${name} of ${theme}`);
    }
  });

  it("shows a form's value, and the values derived from it", () => {
    assert.equal(firstColour(valueInForce("paper", {}, "accent")), "#1d5c46");
    assert.equal(firstColour(valueInForce("bold", {}, "on-accent")), "#ffd34d");
    assert.equal(firstColour(valueInForce("bold", { accent: "#0A7" }, "accent")), "#00aa77");
    assert.equal(firstColour(valueInForce("paper", { backdrop: "#abcdef" }, "surface")), "#abcdef");
    assert.equal(firstColour(valueInForce("no theme of today", {}, "accent")), "#3f46d8");
    assert.equal(firstColour(valueInForce("calm", {}, "radius")), null);
  });

  it("finds no low contrast in a preset, and finds one in a changed theme", () => {
    const contrast = (theme: string, values: Readonly<Record<string, string>>, ink: "text" | "muted" | "error") =>
      lowestContrast(valueInForce(theme, values, ink), valueInForce(theme, values, "surface"))?.ratio ?? 0;
    for (const theme of THEME_NAMES)
      for (const ink of ["text", "muted", "error"] as const)
        assert.ok(contrast(theme, {}, ink) >= 4.5, `${ink} of ${theme}: ${contrast(theme, {}, ink)}`);
    assert.ok(contrast("bold", { text: "#ffffff" }, "text") < 4.5);
    // The text of `bold` is dark in light mode only.
    assert.ok(contrast("bold", { backdrop: "#1a1405" }, "text") < 4.5);
  });

  it("writes only values of a theme, and none that escapes its declaration", () => {
    assert.equal(themeDeclarations({ accent: "#123456", glow: "1", radius: "1px;}x{" }), "--cf-accent:#123456;");
    assert.equal(themeDeclarations(null), "");
  });
});
