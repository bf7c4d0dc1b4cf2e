/** Alle deutschen Texte nach ihrer Kennung. */
import { forms } from "./forms.ts";
import { shell } from "./shell.ts";

export const texts = { ...shell, ...forms };
