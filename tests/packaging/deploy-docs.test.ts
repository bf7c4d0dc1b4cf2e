/** docs/deploy.md: its environment file and how supervisors start the server. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { readConfiguration } from "../../host-shim/hosts/embedded/configuration.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const guide = read("docs/deploy.md");

/** The environment file, as the page shows it. */
const file = /^Write `\/etc\/cf-forms\.env`[\s\S]*?^```sh\n([\s\S]*?)^```/m.exec(guide)?.[1] ?? "";

/** Parses a file as `docker run --env-file` does: values are taken literally. */
function asDocker(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.trimStart().startsWith("#"));
  return Object.fromEntries(lines.map((line) => [line.split("=", 1)[0] ?? "", line.slice(line.indexOf("=") + 1)]));
}

/** Parses a file as systemd's `EnvironmentFile=` does, for values on one line: quotes and outer spaces are removed. */
function asSystemd(text: string): Record<string, string> {
  const pairs = text.split("\n").flatMap((line) => {
    const [, name, value = ""] = /^\s*([^#;=\s][^=]*)=(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name.trim(), value.trim().replace(/^(["'])(.*)\1$/, "$2")] as const];
  });
  return Object.fromEntries(pairs);
}

describe("the environment file", () => {
  for (const [reader, parse] of [
    ["systemd", asSystemd],
    ["docker --env-file", asDocker],
  ] as const) {
    test(`${reader} reads values that the server accepts`, () => {
      const values = parse(file);
      for (const [name, value] of Object.entries(values)) assert.doesNotMatch(value, /#|^\s|\s$|^["']/, name);
      const { baseUrl, dataDirectory, admin } = readConfiguration(values);
      assert.deepEqual([baseUrl, dataDirectory], [values["BASE_URL"], "/var/lib/cf-forms"]);
      assert.equal(admin.password, values["CF_ADMIN_PASSWORD"]);
    });
  }

  test("every variable is in the README's table", () => {
    const readme = read("README.md");
    const names = Object.keys(asDocker(file));
    assert.ok(names.length >= 6);
    for (const name of names) assert.match(readme, new RegExp(`^\\|.*\`${name}\`.*\\|`, "m"));
  });
});

test("supervisors start Node itself, which then gets their signals", () => {
  assert.match(read("deploy/cf-forms.service"), /^ExecStart=\/usr\/bin\/node \S+\/cf-forms\.mjs start$/m);
  assert.match(read("deploy/Dockerfile"), /^CMD \["node", "\S+\/cf-forms\.mjs", "start"\]$/m);
  assert.match(guide, /`node \S+\/cf-forms\.mjs start`/);
  assert.doesNotMatch(guide, /npx cf-forms/);
});
