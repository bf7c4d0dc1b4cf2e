/** The compiler's messages about mistakes with hooks, in a project with the packed package. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createConsumer, root } from "./consumer.ts";

const DECLARATIONS = `
import type { Forms } from "cf-forms";
declare module "cf-forms" {
  interface FilterHooks {
    acme_price: (price: number, country: string) => number;
  }
}
declare const hooks: Forms["hooks"];
`;

/** Mistakes with hooks, each with a part of the message that names what is expected. */
const MISTAKES: readonly (readonly [code: string, message: RegExp])[] = [
  [
    'hooks.addFilter("cf_validate_form", "acme/x", () => 5);',
    /Type 'number' is not assignable to type '[^']*FormVerdict/,
  ],
  [
    'hooks.addFilter("cf_validate_form", "acme/x", () => [{ field: "a" }]);',
    /missing the following properties from type 'HookFault': code, message/,
  ],
  [
    'hooks.addFilter("cf_form_redirect_url", "acme/x", async (url) => url.length);',
    /Type '(?:Promise<)?number>?' is not assignable to type '[^']*string/,
  ],
  [
    'hooks.addFilter("cf_ignored_field_names", "acme/x", () => "name");',
    /Type 'string' is not assignable to type '[^']*readonly string\[\]/,
  ],
  ['hooks.addFilter("acme_price", "acme/x", () => "five");', /Type 'string' is not assignable to type '[^']*number/],
  [
    'hooks.addFilter("cf_validate_frm", "acme/x", () => "");',
    /'"cf_validate_frm"' is not assignable to parameter of type 'keyof FilterHooks'/,
  ],
  ['hooks.applyFilters("acme_price", "five", "DE");', /'string' is not assignable to parameter of type 'number'/],
];

test("the compiler's messages about hooks name what is expected", (t) => {
  const consumer = createConsumer();
  t.after(() => consumer.remove());
  const lines = MISTAKES.map(([code]) => code).join("\n");
  const file = consumer.write("mistakes.ts", `${lines}${DECLARATIONS}`);
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const options = ["--noEmit", "--strict", "--target", "es2024", "--module", "nodenext", "--pretty", "false"];
  const { output } = consumer.run(process.execPath, tsc, ...options, file);
  const messages = output.split(/^(?=mistakes\.ts\()/m);
  assert.equal(messages.length, MISTAKES.length, output);
  for (const [index, [, message]] of MISTAKES.entries()) {
    assert.ok(messages[index]?.startsWith(`mistakes.ts(${index + 1},`), output);
    assert.match(messages[index] ?? "", message);
    assert.doesNotMatch(messages[index] ?? "", /No overload|a hook of cf-forms/);
  }
});
