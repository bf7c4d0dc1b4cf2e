/** All English texts by id. */
import { forms } from "./forms.ts";
import { shell } from "./shell.ts";

export const texts = { ...shell, ...forms };
