/** Installs the sites of this folder's tests before the tests' timeouts begin. */
import { installEmDash } from "./emdash-site.ts";
import { installStrapi } from "./strapi-site.ts";

installEmDash();
installStrapi();
