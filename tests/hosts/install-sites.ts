/**
 * Installs the sites of this folder's tests before the tests' timeouts begin. `--all` also installs the sites of the
 * folder `all`.
 */
import { installPayload } from "./all/payload-site.ts";
import { installStrapi } from "./all/strapi-site.ts";
import { installEmDash } from "./emdash-site.ts";
import { CORE_RECIPES, DIRECTUS, installRecipe, MORE_RECIPES } from "./recipe.ts";

CORE_RECIPES.forEach(installRecipe);
installEmDash();
if (process.argv.includes("--all")) {
  [...MORE_RECIPES, DIRECTUS].forEach(installRecipe);
  installPayload();
  installStrapi();
}
