/** A site of Payload inside Next.js, installed from npm with our tarball. */
import { installSite, siteFolder } from "../install-site.ts";
import { pinned } from "../recipe.ts";

export const folder = siteFolder("payload-in-next");

const PACKAGES = ["@payloadcms/db-sqlite", "@payloadcms/next", "graphql", "next", "payload", "react", "react-dom"];

export function installPayload(): void {
  installSite(folder, { private: true, type: "module", dependencies: pinned(PACKAGES) });
}
