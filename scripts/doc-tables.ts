/**
 * Generates the tables of the docs from declarations in the code. `node scripts/doc-tables.ts` writes them between the
 * markers `<!-- table: name -->` and `<!-- end -->`, and the names of hooks to `host-shim/src/hook-names.ts`. A test fails
 * while a file is outdated.
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

/** A hook that host-shim/src/hook-types.ts declares. Its name may have a variable, such as `{type}`. */
interface DeclaredHook {
  readonly name: string;
  /** Names of the arguments. */
  readonly parameters: readonly string[];
  readonly comment: string;
}

/** Reads the hooks that an interface of host-shim/src/hook-types.ts declares. */
function declaredHooks(declaration: string): DeclaredHook[] {
  const source = readFileSync(new URL("host-shim/src/hook-types.ts", ROOT), "utf8");
  const [, members = ""] =
    new RegExp(`^export interface ${declaration} \\{\\n([\\s\\S]*?)^\\}`, "m").exec(source) ?? [];
  return [...members.matchAll(/\/\*\*([\s\S]*?)\*\/\s+(.+?): \(([\s\S]*?)\) =>/g)].map(
    ([, comment = "", key = "", parameters = ""]) => {
      const [, variable = "", pattern = key] = /^\[(\w+): `(.*)`\]$/.exec(key) ?? [];
      return {
        name: pattern.replace("${string}", `{${variable}}`),
        parameters: [...parameters.matchAll(/(?:^|,)\s*(\w+):/g)].map(([, parameter = ""]) => parameter),
        comment: comment.replace(/\s*\n\s*\*?\s*/g, " ").trim(),
      };
    },
  );
}

/** Makes one row for each declared hook. */
function hooksTable(declaration: string, columns: readonly string[]): string {
  const rows = declaredHooks(declaration).map(
    ({ name, parameters, comment }) => `| \`${name}\` | ${parameters.join(", ")} | ${comment} |`,
  );
  return [`| ${columns.join(" | ")} |`, "|---|---|---|", ...rows].join("\n");
}

/** The module with the names of the declared hooks. */
export const HOOK_NAMES = "host-shim/src/hook-names.ts";

/** Returns the module with the names of the declared hooks. */
export function hookNames(): string {
  const list = (constant: string, declaration: string): string => {
    const names = declaredHooks(declaration).map(({ name }) => `  "${name}",\n`);
    return `export const ${constant}: readonly string[] = [\n${names.join("")}];\n`;
  };
  const comment =
    "/** Names of the engine's hooks. `node scripts/doc-tables.ts` writes them from `hook-types.ts`. */\n";
  return [comment, list("FILTER_NAMES", "FilterHooks"), list("ACTION_NAMES", "ActionHooks")].join("\n");
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
  const document = readApiDocument();
  for (const page of PAGES) writeFileSync(new URL(page, ROOT), withTables(page, document));
  writeFileSync(new URL(HOOK_NAMES, ROOT), hookNames());
}
