/** The set-up of most browser tests: a site, a Chromium, and forms that the API creates. */
import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Browser } from "playwright-core";
import { member, startSite, type Site, type SiteOptions } from "../shim/site.ts";
import { launchChromium } from "./chromium.ts";

export interface NewForm {
  readonly title?: string;
  readonly slug?: string;
  readonly markup?: string;
  readonly schema?: object;
  readonly settings?: object;
  readonly messages?: object;
}

/** Creates a form and returns its id. */
export async function makeForm(site: Site, form: NewForm): Promise<number> {
  const { status, body } = await site.api("POST", "/forms", { title: "Form", markup: "", ...form });
  assert.equal(status, 201, JSON.stringify(body));
  return Number(member(body, "id"));
}

export interface BrowserSite {
  readonly site: Site;
  readonly browser: Browser;
}

export interface BrowserSiteOptions extends SiteOptions {
  /** Accepts violations of the policy that authors' HTML causes on purpose. */
  readonly isMeant?: ((violation: string) => boolean) | undefined;
}

/** In a `describe`: starts a site and a browser, passes them to `prepare` before the tests, and closes them after. */
export function useBrowserSite(
  prepare: (started: BrowserSite) => void | Promise<void>,
  { isMeant, ...options }: BrowserSiteOptions = {},
): void {
  let site: Site | undefined;
  let browser: Browser | undefined;
  before(async () => {
    site = await startSite(options);
    browser = await launchChromium(isMeant);
    await prepare({ site, browser });
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });
}
