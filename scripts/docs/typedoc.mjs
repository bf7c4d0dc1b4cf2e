/**
 * Documents the entries of the package from their declarations in `pkg`, named as they are imported: `cf-forms/client`.
 * Usage: `node scripts/docs/typedoc.mjs <output folder>`.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, ReflectionKind } from "typedoc";

const folder = dirname(fileURLToPath(import.meta.url));
const packageFolder = join(folder, "../../pkg");

/** Names of the entries by the paths of their declarations. A file has only its first name. */
const entries = new Map();
const { exports } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
for (const [name, target] of Object.entries(exports)) {
  const path = join(packageFolder, target.types ?? "");
  if (target.types !== undefined && !entries.has(path)) entries.set(path, join("cf-forms", name));
}

const app = await Application.bootstrap({
  name: "cf-forms",
  entryPoints: [...entries.keys()],
  tsconfig: join(folder, "tsconfig.json"),
  out: process.argv[2],
  readme: "none",
  excludeExternals: true,
  // Declarations are generated, so the repository has no line to link to.
  disableSources: true,
  logLevel: "Warn",
  validation: { notDocumented: true, notExported: true, invalidLink: true },
  requiredToBeDocumented: ["Enum", "Variable", "Function", "Class", "Interface", "TypeAlias", "Method"],
  // Helper types, and the engine behind `PureCalls`.
  intentionallyNotExported: [
    "client/index.d.ts:Loose",
    "client/index.d.ts:Method",
    "client/index.d.ts:Selecting",
    "host-shim/src/hook-types.d.ts:AnyFunction",
    "host-shim/src/hook-types.d.ts:Labels",
    "host-shim/src/hook-types.d.ts:Settings",
    "client/fields.d.ts:First",
    "client/fields.d.ts:MemberName",
    "client/fields.d.ts:Rest",
    "host-shim/src/frame.d.ts:EngineResponse",
    "wasm/cf_forms.d.ts:Engine",
  ],
  // Written by wasm-bindgen without a comment.
  intentionallyNotDocumented: ["cf-forms/browser.BrowserModule.__wbg_reset_state"],
});

const project = await app.convert();
if (project === undefined) process.exit(1);
for (const module of project.getChildrenByKind(ReflectionKind.Module)) {
  const path = project.getSymbolIdFromReflection(module)?.fileName;
  module.name = entries.get(path) ?? module.name;
}
app.validate(project);
await app.generateOutputs(project);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1);
