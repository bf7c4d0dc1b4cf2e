/** A Strapi site, installed from npm with our tarball. */
import { hostsPath } from "./guide.ts";
import { installSite } from "./install-site.ts";

export const folder = hostsPath("node_modules/.strapi-site");

/** better-sqlite3 of Strapi's own choice would be compiled; 13 brings what was compiled for it. */
const SITE = {
  private: true,
  dependencies: { "@strapi/strapi": "5.54.0", "better-sqlite3": "13.2.0" },
  overrides: { "better-sqlite3": "13.2.0" },
};

export function installStrapi(): void {
  installSite(folder, SITE);
}
