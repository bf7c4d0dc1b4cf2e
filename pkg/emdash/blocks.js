/** What EmDash shows blocks of content with, by their types. */
import FormBlock from "./FormBlock.astro";

export const blockComponents = { "cf-form": FormBlock };
