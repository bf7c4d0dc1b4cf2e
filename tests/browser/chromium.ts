/** The machine's Chromium, for tests in a real browser. */
import { accessSync, constants, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

/** The headless shell comes first: it opens a page in a fifth of the browser's time. */
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
 * For `{ skip }` of a test: why there is no browser, or false when there is one. With CI set a
 * missing browser is a failure of {@link launchChromium} instead.
 */
export const noChromium: string | false =
  executable === undefined && process.env["CI"] === undefined
    ? "no Chromium on the PATH (Debian: apt-get install chromium-headless-shell)"
    : false;

/** How the browser says on its console that a page's policy stopped something. */
const VIOLATION = /Content Security Policy|requires 'Trusted/;

/** Whether an author's HTML brought a violation about, by inline style and script or by media: policies are there to stop it. */
export const isOfAuthor = (violation: string): boolean => /(?:Applying|Executing) inline|Loading media/.test(violation);

/**
 * No page may do what its policy stops: the test file fails with it, at its end. `isMeant` says which a test brings
 * about itself.
 */
export async function launchChromium(isMeant: (violation: string) => boolean = () => false): Promise<Browser> {
  if (executable === undefined) throw new Error("no Chromium on the PATH");
  // The sandbox does not work for root, as which containers run; the pages are our own.
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

/** With CI set, puts a picture of a page into target/screenshots, for people to look at; no test reads it, and the pictures take a third of the gallery's time. */
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
  // A colour half-way through a fade is none that people read.
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
