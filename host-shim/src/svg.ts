/**
 * Sanitizes SVG pictures. An allowlist of elements and a check of each attribute keep out scripts and requests to other
 * addresses. The output is serialized from the parsed tags, so browsers parse it in the same way.
 */

const ELEMENTS: ReadonlySet<string> = new Set(
  (
    "svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath " +
    "linearGradient radialGradient stop clipPath mask pattern marker filter switch view " +
    "feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap " +
    "feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode " +
    "feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence"
  ).split(" "),
);
/** Attributes with references, which may only point to a part of the picture. */
const REFERENCES: ReadonlySet<string> = new Set(["href", "xlink:href"]);
const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ["xmlns", "http://www.w3.org/2000/svg"],
  ["xmlns:xlink", "http://www.w3.org/1999/xlink"],
]);
/** Limits that no real picture reaches. */
const MAX_DEPTH = 200;
const MAX_TAGS = 50_000;

const NAME = "[A-Za-z_][\\w.:-]*";
const TOKEN = new RegExp(
  [
    "<!--[\\s\\S]*?-->",
    "<\\?[\\s\\S]*?\\?>",
    "<!\\[CDATA\\[([\\s\\S]*?)\\]\\]>",
    "<!DOCTYPE[^<>\\[\\]]*>",
    `<(/?)(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`,
    "([^<]+)",
  ].join("|"),
  "y",
);
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "g");

/** Returns the sanitized picture; null for a text that is not well-formed SVG. */
export function sanitizeSvg(source: string): string | null {
  const text = source.replace(/^\ufeff/, "");
  const open: string[] = [];
  let skipped = 0;
  let out = "";
  let hasRoot = false;
  let tags = 0;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text);
    if (token === null) return null;
    const [, cdata, slash = "", name, attributes = "", empty = "", words] = token;
    const written = cdata ?? words;
    if (written !== undefined) {
      const plain = cdata ?? unescaped(written);
      if (plain === null) return null;
      if (open.length === 0 && plain.trim() !== "") return null;
      if (open.length > 0 && skipped === 0) out += escaped(plain);
      continue;
    }
    if (name === undefined) continue;
    if ((tags += 1) > MAX_TAGS) return null;
    if (slash !== "") {
      if (open.pop() !== name) return null;
      if (skipped > 0) skipped -= 1;
      else out += `</${name}>`;
      continue;
    }
    if (open.length === 0 && (hasRoot || name !== "svg")) return null;
    const isRoot = open.length === 0;
    hasRoot = true;
    const isSkipped = skipped > 0 || !ELEMENTS.has(name);
    if (!isSkipped) {
      const kept = keptAttributes(attributes, isRoot);
      if (kept === null) return null;
      out += `<${name}${kept}${empty}>`;
    }
    if (empty !== "") continue;
    open.push(name);
    if (open.length > MAX_DEPTH) return null;
    if (isSkipped) skipped += 1;
  }
  return hasRoot && open.length === 0 ? out : null;
}

/** Returns the attributes that may stay; null for a reference to an unknown entity. */
function keptAttributes(text: string, isRoot: boolean): string | null {
  const kept = new Map<string, string>(isRoot ? [["xmlns", "http://www.w3.org/2000/svg"]] : []);
  for (const [, name = "", double, single] of text.matchAll(ATTRIBUTE)) {
    const value = unescaped(double ?? single ?? "");
    if (value === null) return null;
    if (isKept(name, value)) kept.set(name, value);
  }
  return [...kept].map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
}

function isKept(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  if (lower.startsWith("xmlns")) return NAMESPACES.get(name) === value;
  if (REFERENCES.has(lower)) return /^#[\w.-]+$/.test(value);
  if (lower.startsWith("on") || lower.includes(":") || ["src", "data", "action", "formaction"].includes(lower)) {
    return lower === "xml:space" || lower === "xml:lang";
  }
  // Styles and presentation attributes may only refer to parts of the picture.
  const withoutParts = value.replaceAll(/url\(\s*["']?#[\w.-]+["']?\s*\)/gi, "");
  return !/url\s*\(|[\\@]|image-set|expression|script:|data:|\/\*/i.test(withoutParts);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Decodes entities; null for an entity that is not predefined in XML. */
function unescaped(text: string): string | null {
  let isKnown = true;
  const decoded = text.replaceAll(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(\w+));|&/g, (_, decimal, hex, name) => {
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    if (name === undefined && code > 0 && code <= 0x10ffff) return String.fromCodePoint(code);
    const character = ENTITIES[String(name)];
    isKnown &&= character !== undefined;
    return character ?? "";
  });
  return isKnown ? decoded : null;
}

function escaped(text: string): string {
  return text
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
