/** Installs the sites of their own that tests of this folder start, before the time of a test counts. */
import { installEmDash } from "./emdash-site.ts";
import { installStrapi } from "./strapi-site.ts";

installEmDash();
installStrapi();
