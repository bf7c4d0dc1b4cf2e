/** The package as users get it: packed, installed into an empty project, imported by each entry. */
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { addTypes, createConsumer, findNode, packageExports, root, type Consumer } from "./consumer.ts";

let consumer: Consumer;
before(() => {
  consumer = createConsumer();
});
after(() => consumer.remove());

/** Entries that only a platform's build can load; tests/hosts tests them. */
const IN_A_SITE: ReadonlySet<string> = new Set(["./hosts/emdash/forms"]);

/** Entries that need React. */
const WITH_REACT: ReadonlySet<string> = new Set(["./react", "./jsx"]);

/** Every module that the package exports, except those that need a browser (tests/admin and tests/browser). */
const entries = Object.entries(packageExports())
  .filter(
    ([entry, target]) =>
      typeof target !== "string" &&
      !IN_A_SITE.has(entry) &&
      !/^\.\/(?:admin|editor)/.test(entry) &&
      !WITH_REACT.has(entry),
  )
  .map(([entry]) => entry.replace(/^\./, "cf-forms"));

/** Entries with further dependencies, which `cf-forms-server` installs. */
const WITH_PEERS: ReadonlySet<string> = new Set(
  ["smtp", "mail-folder", "postgres"].map((name) => `cf-forms/adapters/${name}`),
);
const isPlain = (entry: string): boolean => !WITH_PEERS.has(entry) && !entry.startsWith("cf-forms/hosts/embedded");

/** Requests the forms without a caller, which the engine must reject. Valid as JavaScript and as TypeScript. */
const REQUEST = `
import { createForms } from "cf-forms";
const forms = await createForms({
  baseUrl: "http://site.test",
  host: {
    database: {
      dialect: "sqlite",
      batch: async (statements) => statements.map(() => ({ rows: [], changes: 0 })),
    },
  },
});
const response = await forms.fetch(new Request("http://site.test/api/cf/v1/forms"));
console.log(response?.status, (await response?.json()).code);
`;

/** Uses the client's types. */
const CLIENT = `
import { createClient, type Form } from "cf-forms/client";
const client = createClient({ root: "http://site.test/api", credentials: { login: "admin", password: "secret" } });
export async function titles(): Promise<string[]> {
  const form: Form = await client.createForm({ body: { title: "Contact", settings: { actions: [{ type: "email", to: "a@example.org" }] } } });
  const found: string[] = [form.title];
  for await (const submission of client.each("listFormSubmissions", { form_id: form.id })) found.push(submission.status);
  // @ts-expect-error a form has no member called name
  void form.name;
  return found;
}
`;

/** The examples of docs/hooks.md, and calls with wrong names or arguments. */
const HOOKS = `
import type { Forms, FormsOptions } from "cf-forms";
declare const crm: { add(data: object, title: string): Promise<void> };
export async function documented({ baseUrl, host }: FormsOptions): Promise<void> {
  {
${documentedHooks()}
  }
}
export async function wrong({ hooks }: Pick<Forms, "hooks">, form: import("cf-forms").ActionForm): Promise<void> {
  // @ts-expect-error mistyped
  hooks.addFilter("cf_form_redirect_ulr", "acme/thanks", (url: string) => url);
  // @ts-expect-error mistyped
  hooks.addAction("cf_submission_insertd", "acme/crm", () => undefined);
  // @ts-expect-error the hook is an action, not a filter
  hooks.addFilter("cf_submission_inserted", "acme/crm", () => "");
  // @ts-expect-error a filter returns its value
  hooks.addFilter("cf_form_message_success", "acme/words", (text) => text.length);
  // @ts-expect-error forms have titles
  hooks.addAction("cf_form_success", "acme/crm", (submission, form) => form.title.length + submission.id.trim());
  hooks.addAction("cf_process_form_action_acme", "acme/list", async (settings: { list: string }) => settings.list !== "");
  hooks.addFilter("other_hook", "acme/other", (value: number) => value + 1);
  const url: string = hooks.applyFilters("cf_form_redirect_url", "/thanks", form, {});
  const text: string = hooks.applyFilters("cf_form_message_success", "Thanks", form);
  const price: number = hooks.applyFilters("acme_price", 5, "DE");
  const other: unknown = hooks.applyFilters("other_hook", 1, url, text, price);
  // @ts-expect-error the result of a filter that is not declared is unknown
  const unknown: string = hooks.applyFilters("other_hook", String(other));
  // @ts-expect-error a declared filter has its arguments
  hooks.applyFilters("acme_price", unknown, "DE");
  // @ts-expect-error mistyped
  hooks.applyFilters("cf_form_redirect_ulr", "/thanks");
  hooks.doAction("cf_answers_saved", 5);
  hooks.doAction("acme_saved", 5, "any");
  // @ts-expect-error a declared action has its arguments
  hooks.doAction("cf_answers_saved", "5");
}
`;

/** The examples of docs/hooks.md in TypeScript, without the declarations that the check has at its top. */
function documentedHooks(): string {
  const page = readFileSync(join(root, "docs/hooks.md"), "utf8");
  return [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)]
    .map(([, code = ""]) => code.replace(/^declare module [\s\S]*?^\}\n/m, ""))
    .join("\n");
}

/** The examples of custom actions and templates in docs/actions.md, and settings that are wrong. */
function documentedActions(): string {
  const page = readFileSync(join(root, "docs/actions.md"), "utf8");
  const examples = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ""]) =>
    code.replace(/^import .*\n/m, ""),
  );
  assert.equal(examples.length, 3);
  return `
import { settingName } from "cf-forms";
declare const writeLine: (file: string, line: string, mode: string) => Promise<void>;
declare const draw: (colour: unknown) => Promise<boolean>;
export async function documentedActions(forms: Forms, submission: import("cf-forms").ActionSubmission): Promise<void> {
${examples.map((code) => `{\n${code}\n}`).join("\n")}
  // @ts-expect-error there is no such use
  await forms.render("[name]", submission, { as: "markdown" });
  forms.registerAction({
    type: "acme_wrong",
    label: "Wrong",
    settings: [{ name: "list", label: "List" }],
    // @ts-expect-error mistyped
    process: (settings) => settings.lists !== "",
  });
}
`;
}

/** Types of the platform's objects that the examples of docs/hosting.md use. */
const GIVEN = {
  database: 'import("cf-forms").Database',
  files: 'import("cf-forms").Files',
  db: 'import("cf-forms/adapters/kysely").KyselyLike',
  client: 'import("cf-forms/adapters/libsql").LibsqlLike',
  waitUntil: "(work: Promise<unknown>) => void",
} as const;

/** The examples of databases and options in docs/hosting.md. */
function documentedOptions(): string[] {
  const page = readFileSync(join(root, "docs/hosting.md"), "utf8");
  const part = page.slice(page.indexOf("### Use another database"), page.indexOf("### Share a database"));
  return [...part.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
}

/** The elements in JSX, right and wrong. */
const ELEMENTS = `
import type {} from "cf-forms/jsx";
export const right = [
  <cf-form key="1" slug="contact" title="Contact us" frame className="wide"><a href="/forms/contact">Contact</a></cf-form>,
  <cf-forms-admin key="2" api-root="/api" nonce-endpoint="/nonce" routing="hash" />,
];
// @ts-expect-error a form has a slug
export const wrong = <cf-form title="Contact us" />;
// @ts-expect-error there is no such routing
export const lost = <cf-forms-admin routing="none" />;
`;

/** The declarations of docs/hooks.md. */
const DECLARED_HOOKS =
  /^declare module [\s\S]*?^\}\n/m.exec(readFileSync(join(root, "docs/hooks.md"), "utf8"))?.[0] ?? "";

/** Creates a form in an SQLite database and reads it. */
const SQLITE = `
import { createForms } from "cf-forms";
import { openSqlite } from "cf-forms/adapters/node-sqlite";
const database = openSqlite({ path: ":memory:" });
const principal = { id: "1", login: "editor", capabilities: ["edit_forms"] };
const host = { database, authenticate: async () => ({ principal }) };
const forms = await createForms({ host, baseUrl: "http://site.test" });
await forms.migrate();
const url = "http://site.test/api/cf/v1/forms";
const headers = { "content-type": "application/json" };
const created = await forms.fetch(new Request(url, { method: "POST", headers, body: '{"title":"Contact"}' }));
const read = await forms.fetch(new Request(created.headers.get("location")));
const reference = await forms.fetch(new Request("http://site.test/api/cf/v1/openapi.json"));
console.log(created.status, read.status, (await read.json()).title, (await reference.json()).openapi);
await database.close();
`;

test("the tarball contains the needed files and no sources", () => {
  for (const file of [
    "README.md",
    "LICENSE",
    "wasm/cf_forms_bg.wasm",
    "wasm/importers_bg.wasm",
    "wasm/importers_inline.js",
    "wasm/openapi.js",
    "load/openapi.d.ts",
    "host-shim/src/index.d.ts",
  ]) {
    assert.ok(consumer.packed.includes(file), `${file} is missing`);
  }
  const sources = consumer.packed.filter((file) => /(?<!\.d)\.ts$|\.test\.|\.inputs$/.test(file));
  assert.deepEqual(sources, []);
});

test("`types` is the first condition of every entry", () => {
  for (const [entry, target] of Object.entries(packageExports())) {
    if (typeof target !== "string") assert.equal(Object.keys(target)[0], "types", entry);
  }
});

test("the engine has two small dependencies", (t) => {
  const listed = consumer
    .run("npm", "ls", "--all", "--parseable")
    .output.split("\n")
    .filter((line) => line.includes("node_modules/"));
  assert.deepEqual(listed.map((path) => path.split("node_modules/").at(-1)).sort(), [
    "@fastify/busboy",
    "cf-forms",
    "ipaddr.js",
  ]);
  t.diagnostic(`tarball: ${statSync(consumer.tarball).size} bytes`);
});

test("publint finds nothing", async () => {
  const { messages, pkg } = await publint({ pkgDir: join(consumer.folder, "node_modules/cf-forms") });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  );
});

test("attw finds the types of every entry for modules", async () => {
  const checked = await checkPackage(createPackageFromTarballData(readFileSync(consumer.tarball)));
  assert.ok(checked.types !== false);
  // The package has only ES modules: CommonJS loads it by `import()` or, from Node 22 on, by `require`.
  const forModules = checked.problems.filter(
    (problem) => !("resolutionKind" in problem) || ["node16-esm", "bundler"].includes(problem.resolutionKind),
  );
  const inTypeScript = forModules.filter(
    (problem) => !("entrypoint" in problem) || !/\.(?:css|astro|wasm)$|wasm$/.test(problem.entrypoint),
  );
  assert.deepEqual(inTypeScript, []);
});

for (const major of [20, 24]) {
  const node = findNode(major);
  const skip = node === undefined ? `no Node ${major} on this machine` : false;
  describe(`Node ${major}`, { skip }, () => {
    test("imports the package and handles a request", () => {
      const script = consumer.write("request.mjs", REQUEST);
      assert.deepEqual(consumer.run(node ?? "", script), { status: 0, output: "403 rest_forbidden\n" });
    });

    test("imports every entry without further dependencies", () => {
      // node:sqlite came with Node 22.
      const names = entries.filter((entry) => isPlain(entry) && (major > 20 || !entry.endsWith("node-sqlite")));
      const script = consumer.write(
        "entries.mjs",
        `${names.map((entry) => `await import("${entry}");`).join("\n")}\nconsole.log(${names.length});`,
      );
      assert.deepEqual(consumer.run(node ?? "", "--disable-warning=ExperimentalWarning", script), {
        status: 0,
        output: `${names.length}\n`,
      });
    });
  });
}

describe("this Node", () => {
  test("serves a form from SQLite", () => {
    const script = consumer.write("sqlite.mjs", SQLITE);
    const flags = ["--disable-warning=ExperimentalWarning", script];
    assert.deepEqual(consumer.run(process.execPath, ...flags), { status: 0, output: "201 200 Contact 3.1.0\n" });
  });

  test("finds the WebAssembly module by its name", () => {
    const script = consumer.write("module.mjs", `console.log(import.meta.resolve("cf-forms/wasm").split("/").at(-1));`);
    assert.deepEqual(consumer.run(process.execPath, script), { status: 0, output: "cf_forms_bg.wasm\n" });
  });

  test("runs the module as code, packed", () => {
    const script = consumer.write(
      "inline.mjs",
      REQUEST.replace("createForms({", "createForms({ module,").replace(
        "\n",
        `\nimport { module } from "cf-forms/inline";\n`,
      ),
    );
    assert.deepEqual(consumer.run(process.execPath, script), { status: 0, output: "403 rest_forbidden\n" });
  });
});

describe("with cf-forms-server", () => {
  before(() => consumer.install("packages/server"));

  test("every entry can be imported", () => {
    const imports = entries.map((entry) => `await import(${JSON.stringify(entry)});`);
    const script = consumer.write("entries.mjs", [...imports, `console.log(${imports.length});`].join("\n"));
    const flags = ["--disable-warning=ExperimentalWarning", script];
    assert.deepEqual(consumer.run(process.execPath, ...flags), { status: 0, output: `${entries.length}\n` });
  });

  test("the command line works in the project and in the clone", () => {
    const inProject = consumer.run("npx", "cf-forms", "--help");
    assert.equal(inProject.status, 0, inProject.output);
    assert.match(inProject.output, /app-password/);
    const inClone = consumer.run("npm", "--prefix", root, "exec", "--", "cf-forms", "--help");
    assert.equal(inClone.status, 0, inClone.output);
    assert.match(inClone.output, /app-password/);
  });

  test("TypeScript finds the types of every entry, with the resolution of node16, nodenext and bundlers", () => {
    addTypes(consumer, "node");
    const lines = entries.map((entry, at) => `import * as entry${at} from ${JSON.stringify(entry)};\nvoid entry${at};`);
    const file = consumer.write(
      "check.ts",
      `${lines.join("\n")}${CLIENT}${HOOKS}${documentedActions()}${DECLARED_HOOKS}${REQUEST}`,
    );
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const base = ["--noEmit", "--strict", "--target", "es2024", "--types", "node"];
    for (const resolution of [
      ["--module", "node16"],
      ["--module", "nodenext"],
      ["--module", "esnext", "--moduleResolution", "bundler"],
    ]) {
      const { status, output } = consumer.run(process.execPath, tsc, ...base, ...resolution, file);
      assert.equal(status, 0, output);
    }
  });

  test("the examples of databases and options in docs/hosting.md compile", () => {
    addTypes(consumer, "node");
    const files = documentedOptions().map((code, at) => {
      const declared = Object.entries(GIVEN).filter(([name]) => !new RegExp(`^const ${name} =`, "m").test(code));
      const types = declared.map(([name, type]) => `declare const ${name}: ${type};\n`);
      const made = code.includes("import { createForms }") ? "" : 'import { createForms } from "cf-forms";\n';
      return consumer.write(`option-${at}.ts`, `${made}${types.join("")}${code}\nexport {};\n`);
    });
    assert.equal(files.length, 5);
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const options = ["--noEmit", "--strict", "--target", "es2024", "--module", "nodenext", "--types", "node"];
    const { status, output } = consumer.run(process.execPath, tsc, ...options, ...files);
    assert.equal(status, 0, output);
  });

  test("the elements have types in JSX", () => {
    addTypes(consumer, "node", "react");
    const file = consumer.write("elements.tsx", ELEMENTS);
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const options = [
      "--noEmit",
      "--strict",
      "--target",
      "es2024",
      "--module",
      "esnext",
      "--moduleResolution",
      "bundler",
    ];
    const { status, output } = consumer.run(process.execPath, tsc, ...options, "--jsx", "react-jsx", file);
    assert.equal(status, 0, output);
  });

  test("the server's package has the dependencies of the entries, and other versions of them do not conflict", () => {
    const read = (folder: string) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const [main, server] = [read("pkg"), read("packages/server")];
    const { react: _, "react-dom": __, ...peers } = main.peerDependencies;
    assert.deepEqual(Object.keys(server.dependencies), Object.keys({ ...peers, "cf-forms": "" }).sort());
    assert.equal(server.dependencies["cf-forms"], main.version);
    // A platform's own nodemailer or Hono must not keep npm from installing cf-forms beside it.
    assert.deepEqual(
      Object.entries(peers).filter(([, range]) => range !== "*"),
      [
        ["nodemailer", ">=7.0.11"],
        ["pg", "^8.23.1"],
      ],
    );
    assert.equal(server.version, main.version);
  });
});
