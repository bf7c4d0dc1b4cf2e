/** `forms.hooks` has the interface and the semantics of `createHooks()` of `@wordpress/hooks`. */

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { loadEngine } from "#load-engine";
import { HookRegistry } from "../../host-shim/src/hook-registry.ts";
import { createHooks, type Hooks } from "../../host-shim/src/hooks.ts";

let hooks: Hooks;
let registry: HookRegistry;
let reports: string[];
let calls: string[];

const configuration = new TextEncoder().encode(
  JSON.stringify({ dialect: "sqlite", base_url: "http://localhost", rest_root: "/api", front_prefix: "/forms" }),
);

async function freshEngine() {
  const engine = await loadEngine();
  engine.configure(configuration);
  return engine;
}

beforeEach(async () => {
  const engine = await freshEngine();
  reports = [];
  calls = [];
  registry = new HookRegistry(
    (use) => use(engine),
    (message) => reports.push(message),
  );
  hooks = createHooks(registry);
});

const append = (letter: string) => (text: string) => text + letter;
const note = (name: string) => () => void calls.push(name);

describe("adding", () => {
  it("returns nothing, and runs hookAdded with the callback", () => {
    const calls: unknown[][] = [];
    hooks.addAction("hookAdded", "my/watcher", (...args: unknown[]) => void calls.push(args));
    const callback = append("a");
    assert.equal(hooks.addFilter("title", "my/plugin", callback, 7), undefined);
    assert.deepEqual(calls, [["title", "my/plugin", callback, 7]]);
  });

  for (const [what, add, message] of [
    [
      "an empty hook name",
      () => hooks.addAction("", "my/plugin", note("a")),
      "The hook name must be a non-empty string.",
    ],
    [
      "a hook name that is not a string",
      () => hooks.addAction(5 as unknown as string, "my/plugin", note("a")),
      "The hook name must be a non-empty string.",
    ],
    [
      "a reserved hook name",
      () => hooks.addAction("__current", "my/plugin", note("a")),
      "The hook name cannot begin with `__`.",
    ],
    [
      "a hook name with other characters",
      () => hooks.addAction("a b", "my/plugin", note("a")),
      "The hook name can only contain numbers, letters, dashes, periods and underscores.",
    ],
    ["an empty namespace", () => hooks.addAction("saved", "", note("a")), "The namespace must be a non-empty string."],
    [
      "a namespace that is not a string",
      () => hooks.addAction("saved", null as never, note("a")),
      "The namespace must be a non-empty string.",
    ],
    [
      "a namespace with a backslash",
      () => hooks.addAction("saved", "my\\plugin", note("a")),
      "The namespace can only contain numbers, letters, dashes, periods, underscores and slashes.",
    ],
    [
      "a namespace with a slash before it",
      () => hooks.addAction("saved", "/plugin", note("a")),
      "The namespace can only contain numbers, letters, dashes, periods, underscores and slashes.",
    ],
    [
      "a callback that is not a function",
      () => hooks.addAction("saved", "my/plugin", "text" as never),
      "The hook callback must be a function.",
    ],
    [
      "a priority that is not a number",
      () => hooks.addAction("saved", "my/plugin", note("a"), "10" as never),
      "If specified, the hook priority must be a number.",
    ],
  ] as const) {
    it(`reports ${what} and does nothing`, () => {
      add();
      assert.deepEqual(reports, [message]);
      hooks.doAction("saved");
      assert.deepEqual(calls, []);
    });
  }
});

describe("running", () => {
  it("calls by ascending priority, and in order of addition for equal priorities", () => {
    hooks.addFilter("title", "my/plugin", append("c"), 10);
    hooks.addFilter("title", "my/plugin", append("a"), -3.5);
    hooks.addFilter("title", "my/plugin", append("d"), 10);
    hooks.addFilter("title", "my/plugin", append("b"), 9);
    hooks.addFilter("title", "my/plugin", append("e"), Infinity);
    assert.equal(hooks.applyFilters("title", ""), "abcde");
  });

  it("passes the further arguments unchanged, and returns the filter's result", () => {
    const seen: unknown[][] = [];
    hooks.addFilter("title", "my/plugin", (...args: unknown[]) => void seen.push(args));
    hooks.addFilter("title", "my/plugin", (...args: unknown[]) => seen.push(args) && "end");
    assert.equal(hooks.applyFilters("title", "start", 1, 2), "end");
    assert.deepEqual(seen, [
      ["start", 1, 2],
      [undefined, 1, 2],
    ]);
  });

  it("returns the value if there is no callback, and nothing for an action", () => {
    assert.equal(hooks.applyFilters("unknown", 5), 5);
    hooks.addAction("saved", "my/plugin", () => 5);
    assert.equal(hooks.doAction("saved"), undefined);
  });

  it("gives callbacks no `this`", () => {
    let self: unknown = "not called";
    hooks.addAction("saved", "my/plugin", function (this: unknown) {
      self = this;
    } as () => void);
    hooks.doAction("saved");
    assert.equal(self, null);
  });

  it("stops at the first throw, which reaches the caller, counts the run, and leaves none in progress", () => {
    hooks.addAction("saved", "my/plugin", () => {
      throw new Error("broken");
    });
    hooks.addAction("saved", "my/plugin", note("later"));
    assert.throws(() => hooks.doAction("saved"), /broken/);
    assert.deepEqual(calls, []);
    assert.equal(hooks.didAction("saved"), 1);
    assert.equal(hooks.doingAction("saved"), false);
    assert.equal(hooks.currentAction(), null);
  });

  it("may run a hook inside its own run", () => {
    hooks.addFilter("count", "my/plugin", (n: number) => (n > 0 ? hooks.applyFilters("count", n - 1) : "done"));
    assert.equal(hooks.applyFilters("count", 3), "done");
    assert.equal(hooks.didFilter("count"), 4);
  });
});

describe("changes during a run", () => {
  it("run callbacks that are added behind the running one, but not those added in front of it", () => {
    hooks.addAction("saved", "my/plugin", () => {
      calls.push("first");
      hooks.addAction("saved", "my/plugin", note("before"), 5);
      hooks.addAction("saved", "my/plugin", note("same"), 10);
      hooks.addAction("saved", "my/plugin", note("behind"), 20);
    });
    hooks.doAction("saved");
    assert.deepEqual(calls, ["first", "same", "behind"]);
  });

  it("do not run callbacks that are removed before their turn", () => {
    hooks.addAction("saved", "my/first", () => {
      calls.push("first");
      hooks.removeAction("saved", "my/second");
    });
    hooks.addAction("saved", "my/second", note("second"));
    hooks.addAction("saved", "my/third", note("third"));
    hooks.doAction("saved");
    assert.deepEqual(calls, ["first", "third"]);
  });

  it("finish with the old callbacks if `removeAll…` is called during the run", () => {
    hooks.addAction("saved", "my/first", () => {
      calls.push("first");
      assert.equal(hooks.removeAllActions("saved"), 2);
    });
    hooks.addAction("saved", "my/second", note("second"));
    hooks.doAction("saved");
    assert.deepEqual(calls, ["first", "second"]);
    hooks.doAction("saved");
    assert.deepEqual(calls, ["first", "second"]);
  });
});

describe("removing", () => {
  it("removes every callback of a namespace, returns their number, and runs hookRemoved", () => {
    const calls: unknown[][] = [];
    hooks.addAction("hookRemoved", "my/watcher", (...args: unknown[]) => void calls.push(args));
    hooks.addAction("saved", "my/plugin", note("a"));
    hooks.addAction("saved", "my/plugin", note("b"));
    hooks.addAction("saved", "other/plugin", note("c"));
    assert.equal(hooks.removeAction("saved", "my/plugin"), 2);
    assert.equal(hooks.removeAction("saved", "my/plugin"), 0);
    assert.equal(hooks.removeAllActions("saved"), 1);
    assert.equal(hooks.removeAction("unknown", "my/plugin"), 0);
    assert.deepEqual(calls, [
      ["saved", "my/plugin"],
      ["saved", "my/plugin"],
      ["saved", undefined],
    ]);
  });

  it("returns nothing for invalid names", () => {
    assert.equal(hooks.removeAction("a b", "my/plugin"), undefined);
    assert.equal(hooks.removeFilter("title", ""), undefined);
    assert.equal(hooks.removeAllFilters("__title"), undefined);
    assert.equal(reports.length, 3);
  });
});

describe("queries", () => {
  it("know a hook permanently once it had a callback or ran, and a namespace only while it has a callback", () => {
    assert.equal(hooks.hasAction("saved"), false);
    hooks.addAction("saved", "my/plugin", note("a"));
    assert.equal(hooks.hasAction("saved", "my/plugin"), true);
    assert.equal(hooks.hasFilter("saved"), false);
    hooks.removeAction("saved", "my/plugin");
    assert.equal(hooks.hasAction("saved"), true);
    assert.equal(hooks.hasAction("saved", "my/plugin"), false);
    hooks.applyFilters("title", "");
    assert.equal(hooks.hasFilter("title"), true);
  });

  it("count runs, also those without callbacks, and reject invalid names", () => {
    assert.equal(hooks.didAction("saved"), 0);
    hooks.doAction("saved");
    hooks.doAction("saved");
    assert.equal(hooks.didAction("saved"), 2);
    assert.equal(hooks.didFilter("saved"), 0);
    assert.equal(hooks.didAction("a b"), undefined);
  });

  it("know the running hooks at any depth, and name the one that started last", () => {
    hooks.addAction("outer", "my/plugin", () => hooks.applyFilters("inner", 1));
    hooks.addFilter("inner", "my/plugin", (value: number) => {
      assert.equal(hooks.doingAction("outer"), true);
      assert.equal(hooks.doingAction(), true);
      assert.equal(hooks.doingFilter("inner"), true);
      assert.equal(hooks.doingFilter("other"), false);
      assert.equal(hooks.currentAction(), "outer");
      assert.equal(hooks.currentFilter(), "inner");
      return value;
    });
    hooks.doAction("outer");
    assert.equal(hooks.didFilter("inner"), 1);
    assert.equal(hooks.currentFilter(), null);
  });

  it("expose the stored callbacks", () => {
    const callback = append("a");
    hooks.addFilter("title", "my/plugin", append("b"), 20);
    hooks.addFilter("title", "my/plugin", callback, 5);
    hooks.applyFilters("title", "");
    assert.equal(hooks.filters["title"]?.runs, 1);
    assert.deepEqual(hooks.filters["title"]?.handlers[0], { callback, namespace: "my/plugin", priority: 5 });
    assert.equal(hooks.actions["title"], undefined);
  });
});

describe("`all`", () => {
  it("sees every run of an action or of a filter once, with the same arguments, but no added callbacks", () => {
    const seen: unknown[][] = [];
    hooks.addAction("all", "my/plugin", (...args: unknown[]) => void seen.push(args));
    hooks.addAction("saved", "my/plugin", note("own"));
    for (const n of [1, 2, 3]) hooks.doAction("saved", n);
    hooks.applyFilters("title", 4);
    assert.deepEqual(seen, [[1], [2], [3]]);
  });

  it("filters after the filters of the hook", () => {
    hooks.addFilter("all", "my/plugin", append("z"), 1);
    hooks.addFilter("title", "my/plugin", append("a"), 99);
    assert.equal(hooks.applyFilters("title", ""), "az");
  });
});

describe("the async forms", () => {
  const slowly = (letter: string, milliseconds: number) => async (text: string) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    calls.push(letter);
    return text + letter;
  };

  it("await one callback after another", async () => {
    hooks.addFilter("title", "my/plugin", slowly("a", 15));
    hooks.addFilter("title", "my/plugin", append("b"));
    hooks.addFilter("title", "my/plugin", slowly("c", 1));
    assert.equal(await hooks.applyFiltersAsync("title", ""), "abc");
    hooks.addAction("saved", "my/plugin", slowly("d", 10));
    hooks.addAction("saved", "my/plugin", note("e"));
    assert.equal(await hooks.doActionAsync("saved"), undefined);
    assert.deepEqual(calls, ["a", "c", "d", "e"]);
  });

  it("return no promise if there is no callback", () => {
    assert.equal(hooks.applyFiltersAsync("title", "value"), "value");
    assert.equal(hooks.doActionAsync("saved"), undefined);
  });

  it("reject at a throw and at a rejection, and skip the later callbacks", async () => {
    hooks.addAction("thrown", "my/plugin", () => {
      throw new Error("thrown");
    });
    hooks.addAction("rejected", "my/plugin", () => Promise.reject(new Error("rejected")));
    for (const name of ["thrown", "rejected"]) {
      hooks.addAction(name, "my/plugin", note("later"));
      await assert.rejects(async () => hooks.doActionAsync(name), new RegExp(name));
    }
    assert.deepEqual(calls, []);
    assert.equal(hooks.doingAction(), false);
  });

  it("may overlap independently", async () => {
    hooks.addFilter("title", "my/plugin", slowly("a", 10));
    hooks.addFilter("title", "my/plugin", slowly("b", 1));
    const both = await Promise.all([hooks.applyFiltersAsync("title", "1"), hooks.applyFiltersAsync("title", "2")]);
    assert.deepEqual(both, ["1ab", "2ab"]);
    assert.equal(hooks.doingFilter(), false);
  });

  it("pass on a promise as the value when a synchronous run has an async filter", () => {
    hooks.addFilter("title", "my/plugin", slowly("a", 1));
    assert.ok(hooks.applyFilters("title", "") instanceof Promise);
  });
});

describe("for the engine", () => {
  it("a callback that was removed during a run can still be called until the run is over", async () => {
    hooks.addAction("saved", "my/plugin", async () => {
      hooks.removeAllActions("saved");
    });
    hooks.addAction("saved", "my/plugin", note("second"));
    await hooks.doActionAsync("saved");
    assert.deepEqual(calls, ["second"]);
    await assert.rejects(registry.callBack(2, []), /removed/);
  });

  it("rejects values that JSON cannot represent", async () => {
    const endless: Record<string, unknown> = {};
    endless["self"] = endless;
    hooks.addFilter("title", "my/plugin", () => endless);
    hooks.addFilter("title", "my/plugin", () => "x".repeat(2 << 20));
    await assert.rejects(registry.callBack(1, []), /circular/i);
    await assert.rejects(registry.callBack(2, []), /too much/);
  });

  it("a new instance has every callback, in the same order", async () => {
    hooks.addFilter("title", "my/plugin", append("b"), 20);
    hooks.addFilter("title", "my/plugin", append("a"), 10);
    hooks.addFilter("title", "my/gone", append("x"), 15);
    hooks.removeFilter("title", "my/gone");
    const fresh = await freshEngine();
    registry.restore(fresh);
    const run = fresh.hookBegin(true, "title");
    assert.deepEqual([fresh.hookNext(run), fresh.hookNext(run), fresh.hookNext(run)], [2, 1, undefined]);
  });
});
