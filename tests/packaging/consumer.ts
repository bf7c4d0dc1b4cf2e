/** A project with the package installed from its tarball, as it would be published. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** The exit status and the output of a program. */
export interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

export interface Consumer {
  readonly folder: string;
  /** Path of the packed package. */
  readonly tarball: string;
  /** Paths of the packed files, relative to the package's root. */
  readonly packed: readonly string[];
  write(name: string, content: string): string;
  /** Packs another package of the workspace and installs it too. */
  install(packageFolder: string): void;
  run(program: string, ...parameters: string[]): Outcome;
  remove(): void;
}

/** Packs `pkg/` and installs the tarball with its dependencies into an empty project. */
export function createConsumer(): Consumer {
  const folder = mkdtempSync(join(tmpdir(), "cf-forms-consumer-"));
  const npm = (...parameters: string[]) =>
    execFileSync("npm", [...parameters, "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: folder,
      encoding: "utf8",
    });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  const install = (packageFolder: string): { filename: string; files: { path: string }[] } => {
    const [tarball] = JSON.parse(npm("pack", join(root, packageFolder), "--json"));
    npm("install", "--prefer-offline", `./${tarball.filename}`);
    return tarball;
  };
  const tarball = install("pkg");
  return {
    folder,
    tarball: join(folder, tarball.filename),
    packed: tarball.files.map(({ path }) => path),
    install,
    write(name, content) {
      writeFileSync(join(folder, name), content);
      return name;
    },
    run(program, ...parameters) {
      const { status, stdout, stderr } = spawnSync(program, parameters, { cwd: folder, encoding: "utf8" });
      return { status, output: stdout + stderr };
    },
    remove() {
      rmSync(folder, { recursive: true });
    },
  };
}

/** The type packages that a TypeScript project installs for Node or React. */
const TYPES = { node: ["@types/node", "undici-types"], react: ["@types/react", "csstype"] } as const;

/** Adds type declarations of platforms to a consumer. */
export function addTypes(consumer: Consumer, ...platforms: readonly (keyof typeof TYPES)[]): void {
  for (const name of platforms.flatMap((platform) => TYPES[platform])) {
    const link = join(consumer.folder, "node_modules", name);
    mkdirSync(join(link, ".."), { recursive: true });
    if (!existsSync(link)) symlinkSync(join(root, "node_modules", name), link);
  }
}

/**
 * Finds a Node of this major version: this process's, npm's, or another on the PATH. The first Node on the PATH may be
 * that of `node_modules/.bin`, because npm puts this folder first.
 */
export function findNode(major: number): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const candidates = [process.execPath, process.env["npm_node_execpath"], ...folders.map((path) => join(path, "node"))];
  return candidates.find((path) => {
    if (path === undefined || !existsSync(path)) return false;
    return spawnSync(path, ["--version"], { encoding: "utf8" }).stdout?.startsWith(`v${major}.`);
  });
}

/** The `exports` of the package. */
export function packageExports(): Record<string, string | { types: string; default: string }> {
  return JSON.parse(readFileSync(join(root, "pkg/package.json"), "utf8")).exports;
}
