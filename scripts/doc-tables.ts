/**
 * Makes the tables of the docs that repeat declarations of the code: `node scripts/doc-tables.ts` writes them between the
 * markers `<!-- table: name -->` and `<!-- end -->`. A test fails while a page is outdated.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { type ApiDocument, fieldKinds, readApiDocument, settingSchemas } from "./client-operations.ts";

const ROOT = new URL("../", import.meta.url);
const SERVICES = new URL("src/action_types/services/", ROOT);

const Service = z.object({
  type: z.string(),
  label: z.string(),
  documentation: z.url(),
  settings: z.array(z.object({ label: z.string(), required: z.boolean().optional() })),
});

/** Table makers by name. */
const TABLES: Readonly<Record<string, (document: ApiDocument) => string>> = {
  services: servicesTable,
  settings: settingsTable,
  "field-types": fieldTypesTable,
  "field-variants": fieldVariantsTable,
  operations: operationsTable,
  filters: () => hooksTable("FilterHooks", ["filter", "arguments", "value"]),
  actions: () => hooksTable("ActionHooks", ["action", "arguments", "when"]),
};

/** Pages with tables. */
export const PAGES = [
  "docs/actions.md",
  "docs/client.md",
  "docs/hooks.md",
  "docs/settings.md",
  "docs/schemas.md",
] as const;

/** Makes one row for each file of the services' folder. */
function servicesTable(): string {
  const files = readdirSync(SERVICES)
    .filter((name) => name.endsWith(".json"))
    .sort();
  const rows = files.map((name) => {
    const { type, label, documentation, settings } = Service.parse(
      JSON.parse(readFileSync(new URL(name, SERVICES), "utf8")),
    );
    const required = settings.filter((setting) => setting.required).map(({ label: name }) => name);
    return `| \`${type}\` | ${label} | ${required.join(", ")} | [documentation](${documentation}) |`;
  });
  return ["| type | does | needs | the service's own page |", "|---|---|---|---|", ...rows].join("\n");
}

/** Makes one row for each setting of the engine's table. */
function settingsTable(document: ApiDocument): string {
  const rows = settingSchemas(document).map(([key, schema]) => {
    const choices = schema.enum?.map((choice) => `\`${JSON.stringify(choice)}\``).join(", ");
    return `| \`${key}\` | ${choices ?? schema["x-cf-kind"]} | \`${JSON.stringify(schema.default)}\` | ${schema.description} |`;
  });
  return ["| setting | kind | default | meaning |", "|---|---|---|---|", ...rows].join("\n");
}

/** Makes one row for each field type, in the order of the palette. */
function fieldTypesTable(document: ApiDocument): string {
  const shown = (word: string): string => (word === "none" ? "" : word);
  const rows = fieldKinds(document).kinds.map(({ type, control, answer, parts, options, bounds }) => {
    const members = parts.map((part) => `\`${part}\``).join(", ");
    const shape = [shown(answer), members].filter((text) => text !== "").join(": ");
    return `| \`${type}\` | ${control} | ${shape} | ${shown(options)} | ${shown(bounds)} |`;
  });
  return ["| type | control | answer | `options` | `min`, `max` |", "|---|---|---|---|---|", ...rows].join("\n");
}

/** Makes one row for each variant of a field type. */
function fieldVariantsTable(document: ApiDocument): string {
  const rows = fieldKinds(document).variants.map(
    ({ name, type, attribute, value, answer }) =>
      `| ${name} | \`${type}\` | \`${attribute}${value === "" ? "" : `="${value}"`}\` | ${answer} |`,
  );
  return ["| variant | of | mark | answer |", "|---|---|---|---|", ...rows].join("\n");
}

/** Makes one row for each operation of the route table, sorted by route. */
function operationsTable({ paths }: ApiDocument): string {
  const rows = Object.entries(paths)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, { operationId, summary }]) =>
          `| \`${operationId}\` | ${method.toUpperCase()} \`${path.replace("/cf/v1", "")}\` | ${summary} |`,
      ),
    );
  return ["| method | route | does |", "|---|---|---|", ...rows].join("\n");
}

/** Makes one row for each hook that an interface of host-shim/src/hook-types.ts declares. */
function hooksTable(declaration: string, columns: readonly string[]): string {
  const source = readFileSync(new URL("host-shim/src/hook-types.ts", ROOT), "utf8");
  const [, members = ""] =
    new RegExp(`^export interface ${declaration} \\{\\n([\\s\\S]*?)^\\}`, "m").exec(source) ?? [];
  const rows = [...members.matchAll(/\/\*\*([\s\S]*?)\*\/\s+(.+?): \(([\s\S]*?)\) =>/g)].map(
    ([, comment = "", key = "", parameters = ""]) => {
      const [, variable = "", pattern = key] = /^\[(\w+): `(.*)`\]$/.exec(key) ?? [];
      const name = pattern.replace("${string}", `{${variable}}`);
      const names = [...parameters.matchAll(/(?:^|,)\s*(\w+):/g)].map(([, parameter]) => parameter).join(", ");
      return `| \`${name}\` | ${names} | ${comment.replace(/\s*\n\s*\*?\s*/g, " ").trim()} |`;
    },
  );
  return [`| ${columns.join(" | ")} |`, "|---|---|---|", ...rows].join("\n");
}

/** Returns the page with new tables. */
export function withTables(page: string, document: ApiDocument): string {
  return readFileSync(new URL(page, ROOT), "utf8").replace(
    /(<!-- table: ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => {
      const make = TABLES[name];
      if (make === undefined) throw new Error(`${page} has an unknown table: ${name}`);
      return `${start}${make(document)}\n${end}`;
    },
  );
}

if (import.meta.main) {
  const document = await readApiDocument();
  for (const page of PAGES) writeFileSync(new URL(page, ROOT), withTables(page, document));
}
