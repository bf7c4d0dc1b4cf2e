/** The cases of files that are stored before the submit (tests/cases/fields/uploads.json). */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { items, member, type JsonValue } from "./site.ts";
import { DAY_MS, site, submit, token } from "./uploads-before-site.ts";

interface Vector {
  readonly name: string;
  readonly schema: { readonly fields: readonly Record<string, JsonValue>[] };
  readonly input: { readonly pairs: readonly (readonly [string, string])[] };
  readonly context?: {
    readonly uploads?: Readonly<
      Record<string, { filename: string; size: number; field: string; expired?: true; claimed?: true; foreign?: true }>
    >;
  };
  readonly expect: { readonly data?: JsonValue; readonly errors?: readonly { field: string; code: string }[] };
}

const { cases } = JSON.parse(readFileSync(new URL("../cases/fields/uploads.json", import.meta.url), "utf8")) as {
  cases: readonly Vector[];
};

describe("the cases of fields", () => {
  for (const { name, schema, input, context, expect } of cases) {
    test(name, async (t) => {
      const on = await site(t);
      // The files were sent to an earlier state of the form, which accepted them.
      const fields = schema.fields.map((field) => ({ ...field, attributes: { multiple: "" }, validation: {} }));
      const { body: one } = await on.api("POST", "/forms", { title: "One", slug: "one", schema: { fields } });
      await on.api("POST", "/forms", { title: "Two", slug: "two", schema: { fields } });
      const tokens = new Map<string, string>();
      for (const [known, { filename, size, field, ...fate }] of Object.entries(context?.uploads ?? {})) {
        const content = "%PDF-".padEnd(size, "x");
        const slug = fate.foreign ? "two" : "one";
        tokens.set(known, await token(on, { field, name: filename, content, slug }));
        if (fate.claimed) await submit(on, [[`${field}[]`, tokens.get(known) ?? ""]], slug);
        if (fate.expired) on.clock.ahead += DAY_MS + 1;
      }
      const changed = await on.api("PUT", `/forms/${String(member(one, "id"))}/schema`, schema);
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      const { status, body } = await submit(
        on,
        input.pairs.map(([field, value]) => [field, tokens.get(value) ?? value] as const),
        "one",
      );
      if (expect.data === undefined) {
        const errors = items(member(body, "errors")).map((fault) => ({
          field: member(fault, "field"),
          code: member(fault, "code"),
        }));
        assert.deepEqual(
          errors,
          expect.errors?.map(({ field, code }) => ({ field, code })),
        );
        return;
      }
      assert.equal(status, 200, JSON.stringify(body));
      const stored = await on.api("GET", `/submissions/${String(member(body, "submission_id"))}`);
      assert.deepEqual(member(stored.body, "data"), expect.data);
    });
  }
});
