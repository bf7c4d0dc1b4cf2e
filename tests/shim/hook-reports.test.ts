/** Reports of wrong calls of `forms.hooks`, and of names that the engine never runs. */

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { loadEngine } from "#load-engine";
import { HookRegistry } from "../../host-shim/src/hook-registry.ts";
import { createHooks, type Hooks } from "../../host-shim/src/hooks.ts";

let hooks: Hooks;
let reports: string[];
let reported: unknown[][];

const configuration = new TextEncoder().encode(
  JSON.stringify({ dialect: "sqlite", base_url: "http://localhost", rest_root: "/api", front_prefix: "/forms" }),
);

beforeEach(async () => {
  const engine = await loadEngine();
  engine.configure(configuration);
  reports = [];
  reported = [];
  const registry = new HookRegistry(
    (use) => use(engine),
    (message, fields, level) => {
      reports.push(message);
      reported.push([level, fields]);
    },
  );
  hooks = createHooks(registry);
});

const callback = (text: string) => text;

describe("a report", () => {
  it("names the hook and the namespace", () => {
    hooks.addFilter("cf_form_html", callback as never, undefined as never);
    hooks.addFilter("cf_form_html", undefined as never, callback);
    hooks.addAction("a b", "my/plugin", callback);
    hooks.addAction("saved", "my/plugin", "text" as never);
    hooks.removeAction("saved", "my\\plugin");
    hooks.removeAllActions(5 as never);
    assert.deepEqual(reported, [
      ["error", { hook: "cf_form_html", namespace: "a function" }],
      ["error", { hook: "cf_form_html", namespace: "nothing" }],
      ["error", { hook: "a b", namespace: "my/plugin" }],
      ["error", { hook: "saved", namespace: "my/plugin" }],
      ["error", { hook: "saved", namespace: "my\\plugin" }],
      ["error", { hook: "a number" }],
    ]);
  });

  for (const [kind, name, message] of [
    ["filter", "cf_validate_frm", "the engine has no hook cf_validate_frm; cf_validate_form is meant?"],
    ["filter", "cf_validateForm", "the engine has no hook cf_validateForm; cf_validate_form is meant?"],
    ["filter", "cf_form_mesage_x", "the engine has no hook cf_form_mesage_x; cf_form_message_{code} is meant?"],
    ["action", "cf_form_submitted", "the engine has no hook cf_form_submitted"],
    [
      "action",
      "cf_process_from_action_acme",
      "the engine has no hook cf_process_from_action_acme; cf_process_form_action_{type} is meant?",
    ],
    [
      "action",
      "cf_process_form_action_",
      "the engine has no hook cf_process_form_action_; cf_process_form_action_{type} is meant?",
    ],
    [
      "action",
      "cf_output_form_action_acme_setting",
      "the engine has no hook cf_output_form_action_acme_setting; cf_output_form_action_{type}_settings is meant?",
    ],
    ["filter", "cf_form_success", "cf_form_success is an action, so a filter of this name never runs; use addAction"],
    ["action", "cf_form_html", "cf_form_html is a filter, so an action of this name never runs; use addFilter"],
    [
      "action",
      "cf_form_message_success",
      "cf_form_message_success is a filter, so an action of this name never runs; use addFilter",
    ],
    ["filter", "cf_form_message_success", null],
    ["action", "cf_process_form", null],
    ["action", "cf_process_form_action_acme", null],
    ["action", "cf_output_form_action_acme_settings", null],
    ["action", "acme_validate_form", null],
  ] as const) {
    it(`about the ${kind} ${name} ${message === null ? "is not made" : "says that it never runs"}`, () => {
      const add: (...parameters: never[]) => void = kind === "filter" ? hooks.addFilter : hooks.addAction;
      add(...([name, "my/plugin", callback] as never[]));
      assert.deepEqual(reports, message === null ? [] : [`a callback of my/plugin never runs: ${message}`]);
      assert.deepEqual(reported, message === null ? [] : [["warn", { hook: name, namespace: "my/plugin" }]]);
    });
  }
});
