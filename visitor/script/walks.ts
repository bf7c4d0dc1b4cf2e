/**
 * The walks through forms that show one step or screen at a time. Their part of the script (steps.ts or
 * conversation.ts) is loaded only for such forms; the rest of the script reaches a walk through this file.
 */

/** Class of elements in other steps. The attribute `hidden` belongs to conditions. */
export const AWAY = "cf-away";

/** A walk through the steps of a form. */
export interface Walk {
  /** Index of the visible step, which the saved progress stores. */
  readonly step: number;
  /** Shows the step that an element of the form belongs to. */
  showStepOf(element: Element): void;
  /** Updates the steps after conditions have changed; `fromStart` returns to the first one. */
  refresh(fromStart: boolean): void;
}

const walks = new WeakMap<HTMLFormElement, Walk>();

/** The walk through a form; undefined when the form is one page. */
export const walkOf = (form: HTMLFormElement): Walk | undefined => walks.get(form);

/** Registers the walk through a form. */
export const setWalk = (form: HTMLFormElement, walk: Walk): void => void walks.set(form, walk);

/** Shows the step that an element of the form belongs to. */
export const showStepOf = (form: HTMLFormElement, element: Element): void => walkOf(form)?.showStepOf(element);
