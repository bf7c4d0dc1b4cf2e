/** The other recipes of docs/recipes.md, unchanged: each does the main job. */
import { MORE_RECIPES } from "../recipe.ts";
import { testRecipe } from "../recipe-tests.ts";

for (const recipe of MORE_RECIPES) await testRecipe(recipe);
