/** `schemathesis` from PyPI, in a separate environment below `target`. */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const root = join(import.meta.dirname, "../..");
const requirements = join(import.meta.dirname, "requirements.txt");

/** Returns the program, or the reason why it cannot be installed. With CI set, throws instead of returning a reason. */
export function installSchemathesis(): { readonly program: string } | { readonly skip: string } {
  const hash = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 12);
  const folder = join(root, "target/schemathesis", hash);
  const stamp = join(folder, ".installed");
  if (!existsSync(stamp)) {
    try {
      rmSync(folder, { recursive: true, force: true });
      execFileSync("python3", ["-m", "venv", folder], { stdio: "pipe" });
      const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements];
      execFileSync(join(folder, "bin/python"), pip, { stdio: "pipe" });
      writeFileSync(stamp, "");
    } catch (error) {
      if (process.env["CI"] !== undefined) throw error;
      const [reason] = String(error).split("\n");
      return { skip: `schemathesis cannot be installed (Debian: apt-get install python3-venv): ${reason}` };
    }
  }
  return { program: join(folder, "bin/schemathesis") };
}

/** Runs schemathesis with the configuration beside this file, and returns its status and output. */
export async function runSchemathesis(
  program: string,
  parameters: readonly string[],
): Promise<{ readonly status: number | null; readonly output: string }> {
  const configuration = ["--config-file", join(import.meta.dirname, "schemathesis.toml")];
  const child = spawn(program, [...configuration, "run", ...parameters], {
    cwd: join(root, "target/schemathesis"),
    env: { ...process.env, NO_COLOR: "1", PYTHONWARNINGS: "ignore" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const status = new Promise<number | null>((resolve) => child.once("close", resolve));
  const streams = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await status, output: streams.join("") };
}
