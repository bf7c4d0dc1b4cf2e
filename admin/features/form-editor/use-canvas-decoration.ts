/**
 * Decoration of the preview's page, which the visitors' renderer does not add: the chosen step and color scheme, the
 * theme's values, and elements of the visitor's script.
 */
import { useCallback } from "react";
import type { Step } from "../../shared/draft/content.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import { THEME_VALUES } from "../../shared/theme-values.ts";
import type { Scheme } from "./canvas-bar.tsx";
import { documentOf, type Frame } from "./canvas-page.ts";
import { addStepSpaces } from "./canvas-steps.tsx";
import { addScriptedElements, ENDING } from "./editable-texts.ts";

/** Choices of the preview's toolbar that change the page. */
export interface PageView {
  readonly scheme: Scheme;
  readonly step: string;
  readonly steps: readonly Step[];
}

/** Returns the function that decorates the page, after which `onDecorated` is called. */
export function useCanvasDecoration(
  frame: Frame,
  { content, form }: Draft,
  { scheme, step, steps }: PageView,
  onDecorated: () => void,
): () => void {
  const { source, settings, messages } = content;
  return useCallback(() => {
    const page = documentOf(frame);
    if (page === null || page.body === null) return;
    page.documentElement.style.colorScheme = scheme;
    addScriptedElements(page, { source, settings, messages }, form, step);
    const values = settings["theme_values"] ?? form.settings["theme_values"] ?? {};
    for (const element of [page.body, ...page.querySelectorAll<HTMLElement>(".cf-form")])
      styleByTheme(element, scheme, values as Readonly<Record<string, unknown>>);
    for (const element of page.querySelectorAll<HTMLElement>("[data-step]"))
      element.style.display = step !== "" && step !== ENDING && element.dataset["step"] !== step ? "none" : "";
    addStepSpaces(page, step === ENDING ? [] : steps);
    onDecorated();
  }, [frame, source, settings, messages, form, scheme, step, steps, onDecorated]);
}

/** Sets the color scheme and the theme's values. The server has a style sheet for the values only of stored forms. */
function styleByTheme(element: HTMLElement, scheme: Scheme, values: Readonly<Record<string, unknown>>): void {
  element.style.colorScheme = scheme;
  for (const name of THEME_VALUES)
    element.style.setProperty(`--cf-${name}`, typeof values[name] === "string" ? values[name] : "");
}
