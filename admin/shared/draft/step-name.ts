/** Name of a step: its title, or its number. */
import type { Translate } from "../text/text.tsx";
import type { Step } from "./content.ts";

export function stepName(steps: readonly Step[], id: string, t: Translate): string {
  const number = steps.findIndex((step) => step.id === id) + 1;
  return steps[number - 1]?.title || t("build.stepNumber", { number });
}
