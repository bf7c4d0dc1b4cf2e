/** The programs of docs/hosting.md: a section's code blocks that begin with a comment with their file name. */
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HostUnderTest } from "./main-job.ts";

export const hostsPath = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
export const installed = (path: string): string => hostsPath(`node_modules/${path}`);
const sections = readFileSync(hostsPath("../../docs/hosting.md"), "utf8").split(/^(?=### |## )/m);

/** The files of the section with this heading. */
export function filesOf(heading: string): [string, string][] {
  const section = sections.find((text) => text.startsWith(`${heading}\n`)) ?? assert.fail(`no section ${heading}`);
  return [...section.matchAll(/^```js\n\/\/ (\S+)\n([\s\S]*?)^```/gm)].map(([, name = "", code = ""]) => [name, code]);
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
  throw new Error("the program does not answer");
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
    notes: () => [],
  };
}
