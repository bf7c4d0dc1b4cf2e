/**
 * Replaces shortcodes and blocks of form plugins in content from WordPress by this plugin's block, if the form was
 * imported. EmDash imports the shortcodes and blocks as HTML blocks or paragraphs.
 */
import type { Forms } from "../../src/index.ts";

/**
 * A form plugin: the formats of its imported forms, the names of its shortcodes and blocks, and the attributes that
 * name the form.
 */
interface Plugin {
  readonly formats: readonly string[];
  readonly names: readonly string[];
  readonly members: readonly string[];
}

/** The plugins that `crates/import/src/wordpress.rs` knows. */
const PLUGINS: readonly Plugin[] = [
  { formats: ["contact-form-7"], names: ["contact-form-7", "contact-form-7/contact-form-selector"], members: ["id"] },
  { formats: ["forminator"], names: ["forminator_form", "forminator/forms"], members: ["id", "module_id"] },
  { formats: ["html-forms"], names: ["hf_form", "cf_form"], members: ["slug", "id"] },
  {
    formats: ["gravity-forms"],
    names: ["gravityform", "gravityforms", "gravityforms/form"],
    members: ["id", "formId"],
  },
  { formats: ["wpforms"], names: ["wpforms", "wpforms/form-selector"], members: ["id", "formId"] },
  { formats: ["fluent-forms"], names: ["fluentform", "fluentfom/guten-block"], members: ["id", "formId"] },
  {
    formats: ["ninja-forms"],
    names: ["ninja_form", "ninja_forms", "ninja_forms_display_form", "ninja-forms/form"],
    members: ["id", "formID"],
  },
  { formats: ["formidable"], names: ["formidable", "formidable/simple-form"], members: ["id", "key", "formId"] },
];

/**
 * Name of the meta with a form's origin: a list of the format, the id in the source, and the time of the form's
 * creation.
 */
const ORIGIN = "_cf_imported_from";
/** Limit on the length of a shortcode. */
const MAX_LENGTH = 2_000;

const SHORTCODE = /^\[([a-z][\w-]*)((?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s\]"']+))*)\s*\/?\]$/i;
const ATTRIBUTE = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s\]"']+))/g;

type Members = Readonly<Record<string, unknown>>;

/** A form that content embeds. */
interface Named {
  readonly plugin: Plugin;
  readonly id: string;
  readonly title: string;
}

/** A form of the site with its origin. */
export interface Known {
  readonly slug: string;
  readonly title: string;
  readonly origin: readonly unknown[];
}

const isRecord = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads the imported forms of a site. */
export async function importedForms(
  forms: Pick<Forms, "meta">,
  listed: readonly { readonly id: number; readonly slug: string; readonly title: string }[],
): Promise<readonly Known[]> {
  const known = listed.map(async ({ id, slug, title }): Promise<Known | null> => {
    const stored = await forms.meta.get(id, ORIGIN);
    const origin: unknown = stored === null ? null : JSON.parse(stored);
    return Array.isArray(origin) ? { slug, title, origin } : null;
  });
  return (await Promise.all(known)).filter((form) => form !== null);
}

/** Replaces the blocks of content that embed an imported form. Returns the content itself when nothing is replaced. */
export async function withForms(content: Members, known: () => Promise<readonly Known[]>): Promise<Members> {
  const replaced: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(content)) {
    if (!Array.isArray(value)) continue;
    const blocks: readonly unknown[] = value;
    const named = blocks.map(formNamed);
    if (named.every((one) => one === null)) continue;
    const forms = await known();
    replaced[field] = blocks.map((block, place) => {
      const form = named[place];
      const slug = form == null ? undefined : slugOf(form, forms);
      return slug === undefined || !isRecord(block) ? block : { _type: "cf-form", _key: block["_key"], slug };
    });
  }
  return Object.keys(replaced).length === 0 ? content : { ...content, ...replaced };
}

/** The form that a block names; null for any other block. */
function formNamed(block: unknown): Named | null {
  if (!isRecord(block)) return null;
  const { _type: type, originalBlockName: name, originalAttrs: attributes, html, children } = block;
  if (type === "htmlBlock") {
    const ofBlock = typeof name === "string" && isRecord(attributes) ? formOf(name, attributes) : null;
    return ofBlock ?? (typeof html === "string" ? formOfShortcode(html.replace(/<[^<>]{0,500}>/g, "")) : null);
  }
  if (type !== "block" || !Array.isArray(children)) return null;
  const spans: readonly unknown[] = children;
  return formOfShortcode(spans.map((span) => (isRecord(span) ? String(span["text"] ?? "") : "")).join(""));
}

function formOfShortcode(text: string): Named | null {
  if (text.length > MAX_LENGTH) return null;
  const [, name, attributes = ""] = SHORTCODE.exec(text.trim()) ?? [];
  if (name === undefined) return null;
  const pairs = Array.from(attributes.matchAll(ATTRIBUTE), ([, key = "", one, other, bare]) => [
    key,
    one ?? other ?? bare,
  ]);
  return formOf(name, Object.fromEntries(pairs));
}

function formOf(name: string, members: Members): Named | null {
  const plugin = PLUGINS.find(({ names }) => names.includes(name));
  const member = plugin?.members.find((key) => members[key] !== undefined && members[key] !== "");
  if (plugin === undefined || member === undefined) return null;
  return { plugin, id: String(members[member]), title: String(members["title"] ?? "") };
}

/**
 * Slug of the imported form: by its origin, or else by a unique title, because newer shortcodes contain a hash instead
 * of the id.
 */
function slugOf({ plugin, id, title }: Named, known: readonly Known[]): string | undefined {
  const isOrigin = ({ slug, origin: [format, origin] }: Known): boolean =>
    format === "wordpress"
      ? String(origin).endsWith(`?p=${id}`) || (plugin.members[0] === "slug" && slug === id)
      : plugin.formats.includes(String(format)) && String(origin) === id;
  const byOrigin = known.findLast(isOrigin);
  if (byOrigin !== undefined) return byOrigin.slug;
  const titled = known.filter((form) => title !== "" && form.title === title);
  return titled.length === 1 ? titled[0]?.slug : undefined;
}
