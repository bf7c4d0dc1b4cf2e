/** The machine's Chromium, for tests in a real browser. */
import { accessSync, constants, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

/** The headless shell is preferred, because it opens a page in a fifth of the browser's time. */
const PROGRAMS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
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
 * Value for `skip` of a test: the reason why there is no browser, or false when there is one. With CI set a missing
 * browser is a failure of {@link launchChromium} instead.
 */
export const noChromium: string | false =
  executable === undefined && process.env["CI"] === undefined
    ? "no Chromium on the PATH (Debian: apt-get install chromium-headless-shell)"
    : false;

/** Matches the console messages of browsers about violations of a policy. */
const VIOLATION = /Content Security Policy|requires 'Trusted/;

/**
 * Whether an author's HTML caused a violation, by inline style and script or by media, which policies block on purpose.
 */
export const isOfAuthor = (violation: string): boolean => /(?:Applying|Executing) inline|Loading media/.test(violation);

/**
 * Makes the test file fail at its end if a page violated its policy. `isMeant` accepts the violations that a test
 * causes on purpose.
 */
export async function launchChromium(isMeant: (violation: string) => boolean = () => false): Promise<Browser> {
  if (executable === undefined) throw new Error("no Chromium on the PATH");
  // The sandbox does not work for root, the user of containers. It is not needed, because the pages are ours.
  const browser = await chromium.launch({
    executablePath: executable,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  const violations: string[] = [];
  browser.on("context", (context: BrowserContext) => {
    context.on("console", (message) => {
      const violation = `${message.page()?.url() ?? ""}: ${message.text()}`;
      if (message.type() === "error" && VIOLATION.test(violation) && !isMeant(violation)) violations.push(violation);
    });
  });
  process.once("exit", () => {
    if (violations.length === 0) return;
    console.error("Pages did what their policies stop:", [...new Set(violations)]);
    process.exitCode = 1;
  });
  return browser;
}

const PICTURES = fileURLToPath(new URL("../../target/screenshots/", import.meta.url));

/**
 * With CI set, writes a picture of a page into target/screenshots, for people only. The pictures take a third of the
 * gallery's time.
 */
export async function takePicture(
  page: Page,
  name: string,
  options: { readonly fullPage?: boolean } = {},
): Promise<void> {
  if (process.env["CI"] !== undefined) await page.screenshot({ path: join(PICTURES, name), ...options });
}

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Accessibility faults that axe finds in a page by all rules or one, with the first elements of each kind. */
export async function violations(page: Page, rule?: string): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(readFileSync(AXE, "utf8"));
  // Waits until colours have stopped fading.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((one) => one.playState !== "running" || one.effect?.getTiming().iterations === Infinity),
  );
  const found: unknown = await page.evaluate(
    `axe.run(${JSON.stringify({ resultTypes: ["violations"], ...(rule === undefined ? {} : { runOnly: [rule] }) })}).then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html).slice(0, 3).join(' ')))`,
  );
  return Array.isArray(found) ? found.map(String) : ["axe did not run"];
}
