/** A Strapi site, installed from npm with our tarball. */
import { hostsPath } from "./guide.ts";
import { installSite } from "./install-site.ts";

export const folder = hostsPath("node_modules/.strapi-site");

/** Pins better-sqlite3 13, which has prebuilt binaries; the default version of Strapi would be compiled. */
const SITE = {
  private: true,
  dependencies: { "@strapi/strapi": "5.54.0", "better-sqlite3": "13.2.0" },
  overrides: { "better-sqlite3": "13.2.0" },
};

export function installStrapi(): void {
  installSite(folder, SITE);
}
