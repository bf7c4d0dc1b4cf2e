/** The core recipes of docs/recipes.md, unchanged: each does the main job. */
import assert from "node:assert/strict";
import { noChromium } from "../browser/chromium.ts";
import { opensAdmin } from "./admin-page.ts";
import { CORE_RECIPES } from "./recipe.ts";
import { testRecipe } from "./recipe-tests.ts";

for (const recipe of CORE_RECIPES)
  await testRecipe(recipe, {
    more(testHost, { url, token }) {
      if (recipe.name === "Express")
        testHost("admin", "its page shows the admin", () => opensAdmin(url, token), { skip: noChromium });
      if (recipe.name === "Next.js")
        testHost("visitors", "a page of a server component shows the component", async () => {
          const page = await (await fetch(`${url}/contact`)).text();
          assert.match(page, /<cf-form [^>]*slug="contact"[^>]*><a href="\/forms\/contact">Contact us<\/a><\/cf-form>/);
        });
    },
  });
