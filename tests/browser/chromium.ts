/** The machine's Chromium, for tests in a real browser. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FOLDERS = [...(process.env["PATH"] ?? "").split(delimiter), "/Applications/Chromium.app/Contents/MacOS"];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const executable = FOLDERS.flatMap((folder) => PROGRAMS.map((name) => join(folder, name))).find(isProgram);

/**
 * For `{ skip }` of a test: why there is no browser, or false when there is one. With CI set a
 * missing browser is a failure of {@link launchChromium} instead.
 */
export const noChromium: string | false =
  executable === undefined && process.env["CI"] === undefined
    ? "no Chromium on the PATH (Debian: apt-get install chromium)"
    : false;

export function launchChromium(): Promise<Browser> {
  if (executable === undefined) throw new Error("no Chromium on the PATH");
  // The sandbox does not work for root, as which containers run; the pages are our own.
  return chromium.launch({ executablePath: executable, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}
