/** A Strapi site, installed from npm with our tarball. */
import { installSite, siteFolder } from "../install-site.ts";

export const folder = siteFolder("strapi");

/** Pins better-sqlite3 13, which has prebuilt binaries; Strapi's default version would have to be compiled. */
const SITE = {
  private: true,
  dependencies: { "@strapi/strapi": "5.54.0", "better-sqlite3": "13.2.0" },
  overrides: { "better-sqlite3": "13.2.0" },
};

export function installStrapi(): void {
  installSite(folder, SITE);
}
