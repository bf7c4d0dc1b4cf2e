/** Installs the sites of this folder's tests, before the time of a test counts. */
import { installEmDash } from "./emdash-site.ts";
import { installStrapi } from "./strapi-site.ts";

installEmDash();
installStrapi();
