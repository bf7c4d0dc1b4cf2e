/**
 * The programs of docs/recipes.md. A section's files are the code blocks whose first line is a comment with the file
 * name, and the JSON blocks after a line with the file name.
 */
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HostUnderTest } from "./main-job.ts";

export const hostsPath = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const sections = readFileSync(hostsPath("../../docs/recipes.md"), "utf8").split(/^(?=## )/m);

function sectionOf(heading: string): string {
  return sections.find((text) => text.startsWith(`## ${heading}\n`)) ?? assert.fail(`no section ${heading}`);
}

/** The files of the section with this heading. */
export function filesOf(heading: string): [string, string][] {
  const code = /^```js\n\/\/ (\S+)\n([\s\S]*?)^```/gm;
  const json = /^`(\S+\.json)`:\n\n```json\n([\s\S]*?)^```/gm;
  const html = /^```html\n<!-- (\S+) -->\n([\s\S]*?)^```/gm;
  const section = sectionOf(heading);
  return [code, json, html]
    .flatMap((blocks) => [...section.matchAll(blocks)])
    .map(([, name = "", text = ""]) => [name, text]);
}

export interface Commands {
  /** The packages that the first command installs. */
  readonly packages: readonly string[];
  /** The other commands, of which the last one starts the program. */
  readonly commands: readonly string[];
}

/** The commands of the section's first shell block. */
export function commandsOf(heading: string): Commands {
  const [, block = ""] = /^```sh\n([\s\S]*?)^```/m.exec(sectionOf(heading)) ?? [];
  const [install = "", ...commands] = block.split("\n").filter(Boolean);
  const [npm, verb, ...packages] = install.split(" ");
  assert.deepEqual([npm, verb], ["npm", "install"], `${heading} begins with its installation`);
  return { packages, commands };
}

/** Writes a project of these files. */
export function writeProject(folder: string, files: readonly (readonly [string, string])[]): void {
  writeFiles(folder, [["package.json", '{"private":true,"type":"module"}'], ...files]);
}

export function writeFiles(folder: string, files: readonly (readonly [string, string])[]): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Waits until a program rejects an anonymous request at this address. */
export async function answers(url: string, server: ChildProcess): Promise<void> {
  const until = Date.now() + 60_000;
  while (server.exitCode === null && Date.now() < until) {
    if (
      await fetch(url).then(
        ({ status }) => status === 403,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the program does not respond");
}

/** A site in a separate process, which runs its queue and writes the subjects of its mails to a file. */
export function hostInProcess(
  folder: string,
  host: Pick<HostUnderTest, "rest" | "front" | "credentials">,
): HostUnderTest {
  const path = join(folder, "mails.txt");
  const mails = (): string[] => (existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : []);
  return {
    ...host,
    fetch: (request) => fetch(request),
    async runQueue() {
      const until = Date.now() + 20_000;
      while (mails().length < 3 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    mails,
  };
}
